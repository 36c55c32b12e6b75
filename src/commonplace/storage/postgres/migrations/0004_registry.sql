-- 4: domains, filters by confidence, credited contributions, and verdicts on them.

-- The field that an entry is about, and how much it is to be relied on.
ALTER TABLE entries ADD COLUMN domain text COLLATE "C";
ALTER TABLE chunks ADD COLUMN domain text COLLATE "C";
ALTER TABLE chunks ADD COLUMN confidence double precision;
UPDATE chunks SET confidence = (SELECT e.confidence FROM entries e WHERE e.key = owner_key)
WHERE owner_type = 'entry';

-- Who is credited with a skill or a unit; `lineage` is equal for versions of one skill.
CREATE TABLE contributions (
    entry_key   bigint NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org         text COLLATE "C" NOT NULL,
    contributor text COLLATE "C" NOT NULL,
    lineage     text COLLATE "C"
);

CREATE INDEX contributions_of ON contributions (contributor);
CREATE INDEX contributions_lineage ON contributions (org, lineage) WHERE lineage IS NOT NULL;

-- What agents found of each other's units: one live verdict each. They belong to the unit's org.
CREATE TABLE verdicts (
    entry_key     bigint  NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    org           text COLLATE "C" NOT NULL,
    shared        boolean NOT NULL,
    validator_org text COLLATE "C" NOT NULL,
    validator     text COLLATE "C" NOT NULL,
    valid         boolean NOT NULL,
    feedback      text    NOT NULL,
    at            bigint  NOT NULL,
    PRIMARY KEY (entry_key, validator_org, validator)
);

CREATE INDEX verdicts_org ON verdicts (org, entry_key);
CREATE INDEX verdicts_shared ON verdicts (entry_key) WHERE shared;

-- Whoever may read an entry may know who is credited with it and what others found of it.
ALTER TABLE contributions ENABLE ROW LEVEL SECURITY;
ALTER TABLE verdicts ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON contributions USING (org = (SELECT current_org()));
CREATE POLICY own ON verdicts USING (org = (SELECT current_org()));
CREATE POLICY shared ON contributions FOR SELECT USING (EXISTS (
    SELECT 1 FROM entries e WHERE e.key = entry_key AND e.visibility = 'network'));
CREATE POLICY shared ON verdicts FOR SELECT USING (shared);
GRANT SELECT, INSERT, UPDATE, DELETE ON contributions, verdicts TO commonplace_app;
