-- name: count_access
-- Count that entries were handed out; entries of other orgs are not counted.
INSERT INTO accesses (entry_key, org, count, first_at, last_at)
SELECT e.key, e.org, 1, :now, :now
FROM entries e
WHERE e.org = :org AND e.key = ANY (:keys::bigint[])
  AND /* readable(e) */
ORDER BY e.key
ON CONFLICT (entry_key) DO UPDATE
SET count = accesses.count + 1, last_at = greatest(accesses.last_at, excluded.last_at);

-- name: accesses_of
-- The access counts of the org's entries.
SELECT entry_key, count, first_at, last_at FROM accesses
WHERE org = :org AND entry_key = ANY (:keys::bigint[]);
