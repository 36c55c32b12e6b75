-- 10: graphs of vectors with more neighbours, as dense as the embedded index.

-- Make the index of a model's vectors; whether it was missing. Called before a transaction writes
-- its first vector of the model, so that two of them wait for each other here and nowhere else.
CREATE OR REPLACE FUNCTION ensure_vector_index(model text, dimension integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
DECLARE
    index_name text := 'vectors_of_' || left(encode(sha256(convert_to(model, 'UTF8')), 'hex'), 16);
    home text;
BEGIN
    IF to_regclass(index_name) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('commonplace.' || index_name, 0));
    SELECT n.nspname INTO STRICT home
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %I ON vectors'
        ' USING hnsw ((vector::%I.halfvec(%s)) %I.halfvec_cosine_ops)'
        ' WITH (m = 32, ef_construction = 128) WHERE model = %L',
        index_name, home, dimension, home, model);
    RETURN true;
END $$;

-- What is there stays as it is until somebody runs REINDEX.
DO $$
DECLARE
    made regclass;
BEGIN
    FOR made IN
        SELECT c.oid FROM pg_class c JOIN pg_am a ON a.oid = c.relam
        WHERE c.relnamespace = 'commonplace'::regnamespace AND a.amname = 'hnsw'
    LOOP
        EXECUTE format('ALTER INDEX %s SET (m = 32, ef_construction = 128)', made);
    END LOOP;
END $$;
