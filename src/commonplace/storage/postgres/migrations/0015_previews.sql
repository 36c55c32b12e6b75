-- What has a preview only, what has nothing yet, and what is never embedded, counted without
-- looking at all that waits.

CREATE INDEX chunks_pending ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NULL;
CREATE INDEX chunks_previewed ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NOT NULL;
CREATE INDEX chunks_left_out ON chunks (org, key) WHERE embedding_urgency = 9;

DROP FUNCTION work_waiting(bigint);

CREATE FUNCTION work_waiting(moment bigint)
RETURNS TABLE (chunks bigint, previewed bigint, oldest_chunk bigint, failed bigint,
               targets bigint, oldest_target bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT (SELECT count(*) FROM chunks c
            WHERE c.embedding_due IS NOT NULL AND c.embedding_model IS NULL),
           (SELECT count(*) FROM chunks c
            WHERE c.embedding_due IS NOT NULL AND c.embedding_model IS NOT NULL),
           (SELECT min(c.embedding_due) FROM chunks c
            WHERE c.embedding_due <= moment AND c.embedding_model IS NULL),
           (SELECT count(*) FROM chunks c
            WHERE c.embedding_error IS NOT NULL AND c.embedding_due IS NULL),
           (SELECT count(*) FROM targets t WHERE t.due IS NOT NULL),
           (SELECT min(t.due) FROM targets t WHERE t.due <= moment);
$$;

REVOKE EXECUTE ON FUNCTION work_waiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION work_waiting TO commonplace_app;
