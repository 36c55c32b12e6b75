-- 11: the bytes that the files of skills are kept in are known as theirs; bytes that nobody came
-- back for are found by their age; tags of notes that were imported are like those of all notes.

CREATE INDEX blobs_given ON blobs (org, created_at, digest);

-- The bytes that the files of skills are kept in, so that nobody removes them. Kept by triggers,
-- whoever writes the entry; what an earlier revision named stays, because it may be restored.
CREATE TABLE skill_files (
    org       TEXT    NOT NULL,
    digest    TEXT    NOT NULL,
    entry_key INTEGER NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    PRIMARY KEY (org, digest, entry_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX skill_files_entry ON skill_files (entry_key);

CREATE TRIGGER skill_added AFTER INSERT ON entries WHEN new.kind = 'skill' BEGIN
    INSERT OR IGNORE INTO skill_files (org, digest, entry_key)
    SELECT new.org, atom, new.key FROM json_tree(new.attributes, '$.files')
    WHERE key = 'digest' AND type = 'text';
END;

CREATE TRIGGER skill_changed AFTER UPDATE OF attributes ON entries WHEN new.kind = 'skill' BEGIN
    INSERT OR IGNORE INTO skill_files (org, digest, entry_key)
    SELECT new.org, atom, new.key FROM json_tree(new.attributes, '$.files')
    WHERE key = 'digest' AND type = 'text';
END;

INSERT OR IGNORE INTO skill_files (org, digest, entry_key)
SELECT e.org, file.atom, e.key FROM entries e, json_tree(e.attributes, '$.files') AS file
WHERE e.kind = 'skill' AND file.key = 'digest' AND file.type = 'text';

-- Tags of notes in lower case; workers index the notes anew.
INSERT INTO runs (org, id, kind, agent, created_at)
SELECT DISTINCT org, 'rebuild_tags_of_notes', 'rebuild', 'upkeep',
       CAST(strftime('%s', 'now') AS INTEGER) * 1000000
FROM entries WHERE kind = 'note' AND tags <> lower(tags);

INSERT INTO targets (org, run_key, subject, status, due)
SELECT e.org, r.key, json_object('keys', json_group_array(e.key)), 'queued', r.created_at
FROM entries e JOIN runs r ON r.org = e.org AND r.id = 'rebuild_tags_of_notes'
WHERE e.kind = 'note' AND e.tags <> lower(e.tags)
GROUP BY e.org, r.key, r.created_at, e.key / 50;

UPDATE entries SET tags = lower(tags) WHERE kind = 'note' AND tags <> lower(tags);
