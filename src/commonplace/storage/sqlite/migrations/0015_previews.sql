-- What has a preview only, what has nothing yet, and what is never embedded, counted without
-- looking at all that waits.

CREATE INDEX chunks_pending ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NULL;
CREATE INDEX chunks_previewed ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NOT NULL;
CREATE INDEX chunks_left_out ON chunks (org, key) WHERE embedding_urgency = 9;
