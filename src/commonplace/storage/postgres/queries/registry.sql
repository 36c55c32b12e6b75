-- name: insert_contribution
-- Credit an agent with an entry.
INSERT INTO contributions (entry_key, org, contributor, lineage)
VALUES (:entry_key, :org, :contributor, :lineage);

-- name: versions_of
-- The entries of a lineage that nothing supersedes.
SELECT e.key
FROM contributions c
JOIN entries e ON e.key = c.entry_key
WHERE c.org = :org AND c.lineage = :lineage AND e.head IS NULL AND e.deleted_at IS NULL
ORDER BY e.key;

-- name: contributions_of
-- The readable entries that agents of one name are credited with.
SELECT e.key, c.org, c.contributor, e.kind, e.confidence, e.head IS NOT NULL AS superseded
FROM contributions c
JOIN entries e ON e.key = c.entry_key
WHERE c.contributor = :contributor AND e.deleted_at IS NULL
  AND /* readable(e) */
ORDER BY e.key;

-- name: contribution_of
-- The agent credited with an entry.
SELECT contributor FROM contributions WHERE org = :org AND entry_key = :entry_key;

-- name: put_verdict
-- Insert or replace a verdict.
INSERT INTO verdicts (entry_key, org, shared, validator_org, validator, valid, feedback, at)
VALUES (:entry_key, :org, :shared, :validator_org, :validator, :valid, :feedback, :now)
ON CONFLICT (entry_key, validator_org, validator)
DO UPDATE SET shared = excluded.shared, valid = excluded.valid, feedback = excluded.feedback,
              at = excluded.at;

-- name: verdicts_about
-- The readable live verdicts on some entries; without a network, only the org's own.
SELECT v.entry_key, v.validator_org, v.validator, v.valid, v.feedback, v.at
FROM verdicts v
WHERE v.entry_key = ANY (:keys::bigint[])
  AND (v.org = :org OR (:network::boolean AND v.shared))
  AND (:network::boolean OR v.validator_org = :org)
ORDER BY v.entry_key, v.validator_org, v.validator;

-- name: readable_verdicts
-- All live verdicts on readable entries, with their contributors.
SELECT v.entry_key AS entry_key, c.org AS org, c.contributor AS contributor,
       v.validator_org AS validator_org, v.validator AS validator, v.valid AS valid
FROM verdicts v
JOIN contributions c ON c.entry_key = v.entry_key
JOIN entries e ON e.key = v.entry_key
WHERE v.org = :org AND (:network::boolean OR v.validator_org = :org) AND e.deleted_at IS NULL
  AND /* readable(e) */
UNION ALL
SELECT v.entry_key AS entry_key, c.org AS org, c.contributor AS contributor,
       v.validator_org AS validator_org, v.validator AS validator, v.valid AS valid
FROM verdicts v
JOIN contributions c ON c.entry_key = v.entry_key
JOIN entries e ON e.key = v.entry_key
WHERE v.shared AND :network::boolean AND v.org <> :org AND e.deleted_at IS NULL
  AND /* readable(e) */
ORDER BY entry_key, validator_org, validator;
