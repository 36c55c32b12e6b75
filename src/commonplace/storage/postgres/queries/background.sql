-- name: put_blob
-- Store bytes, once per org.
INSERT INTO blobs (org, digest, media_type, data, created_at)
VALUES (:org, :digest, :media_type, :data, :now)
ON CONFLICT (org, digest) DO NOTHING;

-- name: get_blob
-- Bytes by their digest.
SELECT data FROM blobs WHERE org = :org AND digest = :digest;

-- name: renew_blobs
-- Which of these blobs exist; they are locked and count as just uploaded.
WITH held AS (
    SELECT digest FROM blobs WHERE org = :org AND digest = ANY(:digests::text[])
    ORDER BY digest FOR UPDATE
)
UPDATE blobs SET created_at = :now
FROM held WHERE blobs.org = :org AND blobs.digest = held.digest
RETURNING blobs.digest;

-- name: hold_blobs
-- Lock blobs before checking who uses them, so that nobody starts using them meanwhile.
SELECT digest FROM blobs WHERE org = :org AND digest = ANY(:digests::text[])
ORDER BY digest FOR UPDATE;

-- name: hold_unused_blobs
-- Lock blobs that nothing seems to use and that nobody uploaded or asked for since a time.
SELECT digest FROM blobs
WHERE org = :org AND created_at < :before
  AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.org = :org AND r.digest = blobs.digest)
  AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.org = :org AND d.digest = blobs.digest)
  AND NOT EXISTS (SELECT 1 FROM skill_files s WHERE s.org = :org AND s.digest = blobs.digest)
LIMIT :limit
FOR UPDATE SKIP LOCKED;

-- name: remove_unused_blobs
-- Delete those of these blobs that no source, file or skill uses.
DELETE FROM blobs
WHERE org = :org AND digest = ANY(:digests::text[])
  AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.org = :org AND r.digest = blobs.digest)
  AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.org = :org AND d.digest = blobs.digest)
  AND NOT EXISTS (SELECT 1 FROM skill_files s WHERE s.org = :org AND s.digest = blobs.digest)
RETURNING digest;

-- name: digests_of_entry
-- The blobs that an entry uses, or used before it was edited.
SELECT digest FROM skill_files WHERE org = :org AND entry_key = :entry_key ORDER BY digest;

-- name: insert_run
-- Insert a run.
INSERT INTO runs (org, id, kind, agent, created_at)
VALUES (:org, :id, :kind, :agent, :now)
RETURNING key;

-- name: insert_target
-- Queue a target of a run.
INSERT INTO targets (org, run_key, subject, status, due)
VALUES (:org, :run_key, :subject, 'queued', :now);

-- name: get_run
-- A run by its id.
SELECT key, id, kind, agent, created_at FROM runs WHERE org = :org AND id = :id;

-- name: recent_runs
-- The newest runs that queued targets; a run that did its work at once has none.
SELECT key, id, kind, agent, created_at FROM runs r
WHERE org = :org AND EXISTS (SELECT 1 FROM targets t WHERE t.org = :org AND t.run_key = r.key)
ORDER BY key DESC
LIMIT :limit;

-- name: targets_of_run
-- The targets of a run.
SELECT t.key, r.id AS run_id, r.kind, t.subject, t.status, t.attempts, t.due, t.error
FROM targets t
JOIN runs r ON r.key = t.run_key
WHERE t.org = :org AND t.run_key = :run_key
ORDER BY t.key;

-- name: claim_target
-- Lease a due target to a worker; the attempt is counted now, because it may never end.
UPDATE targets
SET due = :lease_until, attempts = attempts + 1
WHERE org = :org AND key = ANY (ARRAY(
    SELECT key FROM targets
    WHERE org = :org AND due <= :now
    ORDER BY due, key
    LIMIT 1
    FOR UPDATE SKIP LOCKED))
RETURNING key;

-- name: hold_target
-- Extend the lease on a target, without counting an attempt.
UPDATE targets SET due = :due WHERE org = :org AND key = :key AND due IS NOT NULL;

-- name: give_back_target
-- Return a claimed target to the queue until a time, as if it had never been claimed.
UPDATE targets SET due = :due, attempts = attempts - 1
WHERE org = :org AND key = :key AND due IS NOT NULL;

-- name: retry_failed_targets
-- Queue again the targets that were given up.
UPDATE targets SET status = 'queued', due = :now, error = NULL, attempts = 0
WHERE org = :org AND status = 'failed';

-- name: get_target
-- A target with its run.
SELECT t.key, r.id AS run_id, r.kind, t.subject, t.status, t.attempts, t.due, t.error
FROM targets t
JOIN runs r ON r.key = t.run_key
WHERE t.org = :org AND t.key = :key;

-- name: settle_target
-- Record the outcome of an attempt at a target.
UPDATE targets
SET status = :status, due = :due, error = :error
WHERE org = :org AND key = :key;

-- name: bring_targets_forward
-- Make targets due that wait for a time beyond all plans, because the clock was set back since.
UPDATE targets SET due = :now WHERE org = :org AND due > :latest;

-- name: load_statistics
-- The term statistics of the org.
SELECT chunks, sampled, average_length, frequencies, counted_at FROM statistics
WHERE org = :org;

-- name: save_statistics
-- Replace the term statistics of the org, unless others were saved since a time.
INSERT INTO statistics (org, chunks, sampled, average_length, frequencies, counted_at)
VALUES (:org, :chunks, :sampled, :average_length, :frequencies, :now)
ON CONFLICT (org) DO UPDATE
SET chunks = excluded.chunks, sampled = excluded.sampled,
    average_length = excluded.average_length, frequencies = excluded.frequencies,
    counted_at = excluded.counted_at
WHERE statistics.counted_at = :known::bigint;

-- name: forget_statistics
-- Empty the term statistics of the org.
INSERT INTO statistics (org, chunks, sampled, average_length, frequencies, counted_at)
VALUES (:org, 0, 0, 1.0, '{}', :now)
ON CONFLICT (org) DO UPDATE
SET chunks = 0, sampled = 0, average_length = 1.0, frequencies = '{}', counted_at = :now;

-- name: waiting_work
-- Orgs with due background work, across tenants: for workers only.
SELECT org, urgency, has_targets FROM waiting_orgs(:now)
ORDER BY org COLLATE "C";

-- name: take_lease
-- Take a lease that is free, expired, already ours, or from before the clock was set back.
INSERT INTO leases (name, holder, until) VALUES (:name, :holder, :until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE leases.holder = excluded.holder OR leases.until <= :now
   OR leases.until > excluded.until + 60000000
RETURNING holder;

-- name: renew_lease
-- Renew a lease, even an expired one, if nobody else has taken it since.
UPDATE leases SET until = :until WHERE name = :name AND holder = :holder
RETURNING holder;

-- name: drop_lease
-- Release a lease.
DELETE FROM leases WHERE name = :name AND holder = :holder;

-- name: list_orgs
-- All tenants; for background work only.
SELECT org FROM all_orgs() ORDER BY org COLLATE "C";

-- name: count_orgs
-- The number of tenants.
SELECT count(*) AS orgs FROM all_orgs();

-- name: work_waiting
-- The background work that waits across tenants, and since when: numbers only.
SELECT chunks, previewed, oldest_chunk, failed, targets, oldest_target FROM work_waiting(:now);
