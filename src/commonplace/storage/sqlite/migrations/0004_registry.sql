-- 4: domains, filters by confidence, credited contributions, and verdicts on them.

-- The field that an entry is about, and how much it is to be relied on.
ALTER TABLE entries ADD COLUMN domain TEXT;
ALTER TABLE chunks ADD COLUMN domain TEXT;
ALTER TABLE chunks ADD COLUMN confidence REAL;
UPDATE chunks SET confidence = (SELECT e.confidence FROM entries e WHERE e.key = owner_key)
WHERE owner_type = 'entry';

-- Who is credited with a skill or a unit; `lineage` is equal for versions of one skill.
CREATE TABLE contributions (
    entry_key   INTEGER NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org         TEXT    NOT NULL,
    contributor TEXT    NOT NULL,
    lineage     TEXT
) STRICT;

CREATE INDEX contributions_of ON contributions (contributor);
CREATE INDEX contributions_lineage ON contributions (org, lineage) WHERE lineage IS NOT NULL;

-- What agents found of each other's units: one live verdict each. They belong to the unit's org.
CREATE TABLE verdicts (
    entry_key     INTEGER NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    org           TEXT    NOT NULL,
    shared        INTEGER NOT NULL CHECK (shared IN (0, 1)),
    validator_org TEXT    NOT NULL,
    validator     TEXT    NOT NULL,
    valid         INTEGER NOT NULL CHECK (valid IN (0, 1)),
    feedback      TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (entry_key, validator_org, validator)
) STRICT, WITHOUT ROWID;

CREATE INDEX verdicts_org ON verdicts (org, entry_key);
CREATE INDEX verdicts_shared ON verdicts (entry_key) WHERE shared;
