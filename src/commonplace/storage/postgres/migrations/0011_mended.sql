-- 11: the bytes that the files of skills are kept in are known as theirs; bytes that nobody came
-- back for are found by their age; tags of notes that were imported are like those of all notes;
-- vectors are counted by their indexes.

CREATE INDEX blobs_given ON blobs (org, created_at, digest);

-- The bytes that the files of skills are kept in, so that nobody removes them. Kept by a trigger,
-- whoever writes the entry; what an earlier revision named stays, because it may be restored.
CREATE TABLE skill_files (
    org       text COLLATE "C" NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    entry_key bigint NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    PRIMARY KEY (org, digest, entry_key)
);

CREATE INDEX skill_files_entry ON skill_files (entry_key);

CREATE FUNCTION digests_of_files(attributes json) RETURNS SETOF text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT file ->> 'digest'
    FROM json_array_elements(
        CASE json_typeof(attributes -> 'files') WHEN 'array' THEN attributes -> 'files'
             ELSE '[]' END) AS file
    WHERE file ->> 'digest' IS NOT NULL;
$$;

CREATE FUNCTION keep_skill_files() RETURNS trigger
LANGUAGE plpgsql SET search_path = commonplace, pg_temp AS $$
BEGIN
    INSERT INTO skill_files (org, digest, entry_key)
    SELECT new.org, digest, new.key FROM digests_of_files(new.attributes) AS digest
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER skill_written AFTER INSERT OR UPDATE OF attributes ON entries
FOR EACH ROW WHEN (new.kind = 'skill') EXECUTE FUNCTION keep_skill_files();

ALTER TABLE skill_files ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON skill_files USING (org = (SELECT current_org()));
REVOKE EXECUTE ON FUNCTION digests_of_files, keep_skill_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION digests_of_files, keep_skill_files TO commonplace_app;
GRANT SELECT, INSERT ON skill_files TO commonplace_app;

INSERT INTO skill_files (org, digest, entry_key)
SELECT e.org, digest, e.key FROM entries e, digests_of_files(e.attributes) AS digest
WHERE e.kind = 'skill'
ON CONFLICT DO NOTHING;

-- How many vectors of a model the tenant may read, counted up to a point; here, because row
-- security would read the rows themselves, where the indexes are enough.
CREATE FUNCTION readable_vectors(wanted text, most bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = commonplace, pg_temp AS $$
    SELECT count(*) FROM (
        SELECT FROM vectors v WHERE v.model = wanted AND v.org = current_org()
        UNION ALL
        SELECT FROM vectors v WHERE v.model = wanted AND v.shared AND v.org <> current_org()
        LIMIT most) AS readable;
$$;

REVOKE EXECUTE ON FUNCTION readable_vectors FROM PUBLIC;
GRANT EXECUTE ON FUNCTION readable_vectors TO commonplace_app;

-- Tags of notes in lower case; workers index the notes anew.
INSERT INTO runs (org, id, kind, agent, created_at)
SELECT DISTINCT org, 'rebuild_tags_of_notes', 'rebuild', 'upkeep',
       (extract(epoch FROM now()) * 1000000)::bigint
FROM entries WHERE kind = 'note' AND tags <> lower(tags::text)::text[];

INSERT INTO targets (org, run_key, subject, status, due)
SELECT e.org, r.key, json_build_object('keys', json_agg(e.key)), 'queued', r.created_at
FROM entries e JOIN runs r ON r.org = e.org AND r.id = 'rebuild_tags_of_notes'
WHERE e.kind = 'note' AND e.tags <> lower(e.tags::text)::text[]
GROUP BY e.org, r.key, r.created_at, e.key / 50;

UPDATE entries SET tags = lower(tags::text)::text[]
WHERE kind = 'note' AND tags <> lower(tags::text)::text[];
