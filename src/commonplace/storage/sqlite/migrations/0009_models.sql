-- Which model's vectors searches use, which are being made, and which are kept a while longer.
CREATE TABLE models (
    model TEXT    NOT NULL PRIMARY KEY,
    state TEXT    NOT NULL CHECK (state IN ('serving', 'preparing', 'retired')),
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX models_in_use ON models (state) WHERE state <> 'retired';

-- What most chunks have been embedded by is what serves.
INSERT INTO models (model, state, since)
SELECT embedding_model, 'serving', 0 FROM chunks
WHERE embedding_model IS NOT NULL
GROUP BY embedding_model
ORDER BY count(*) DESC, embedding_model
LIMIT 1;
