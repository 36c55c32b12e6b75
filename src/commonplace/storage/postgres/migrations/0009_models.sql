-- Which model's vectors searches use, which are being made, and which are kept a while longer.
-- Not tenant data.
CREATE TABLE models (
    model text COLLATE "C" NOT NULL PRIMARY KEY,
    state text COLLATE "C" NOT NULL CHECK (state IN ('serving', 'preparing', 'retired')),
    since bigint NOT NULL
);

CREATE UNIQUE INDEX models_in_use ON models (state) WHERE state <> 'retired';
GRANT SELECT, INSERT, UPDATE, DELETE ON models TO commonplace_app;

-- How much background work waits in all orgs, and since when the oldest of it is due: numbers only.
CREATE FUNCTION work_waiting(moment bigint)
RETURNS TABLE (chunks bigint, oldest_chunk bigint, failed bigint, targets bigint,
               oldest_target bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT (SELECT count(*) FROM chunks c WHERE c.embedding_due IS NOT NULL),
           (SELECT min(c.embedding_due) FROM chunks c WHERE c.embedding_due <= moment),
           (SELECT count(*) FROM chunks c
            WHERE c.embedding_error IS NOT NULL AND c.embedding_due IS NULL),
           (SELECT count(*) FROM targets t WHERE t.due IS NOT NULL),
           (SELECT min(t.due) FROM targets t WHERE t.due <= moment);
$$;

REVOKE EXECUTE ON FUNCTION work_waiting FROM PUBLIC;
GRANT EXECUTE ON FUNCTION work_waiting TO commonplace_app;

-- What most chunks have been embedded by is what serves.
INSERT INTO models (model, state, since)
SELECT embedding_model, 'serving', 0 FROM chunks
WHERE embedding_model IS NOT NULL
GROUP BY embedding_model
ORDER BY count(*) DESC, embedding_model
LIMIT 1;
