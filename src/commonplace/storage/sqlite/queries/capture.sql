-- name: insert_feedback
-- Record what somebody said of a detection.
INSERT INTO feedback (org, agent, subject, verdict, confidence, factors, comment, teaches, at)
VALUES (:org, :agent, :subject, :verdict, :confidence, :factors, :comment, true, :now)
RETURNING key, at;

-- name: tally_feedback
-- How often detections were confirmed and rejected, by whether it still teaches.
SELECT verdict, teaches, count(*) AS said FROM feedback
WHERE org = :org
GROUP BY verdict, teaches;

-- name: tally_factors
-- How often detections were confirmed and rejected for which each factor was named.
SELECT factor.value AS factor, f.verdict, count(*) AS said
FROM feedback f, json_each(f.factors) factor
WHERE f.org = :org AND f.teaches
GROUP BY factor.value, f.verdict
ORDER BY factor.value, f.verdict;

-- name: recent_feedback
-- What was said last.
SELECT agent, subject, verdict, confidence, factors, comment, at FROM feedback
WHERE org = :org
ORDER BY key DESC
LIMIT :limit;

-- name: withdraw_feedback
-- Take back what an agent said last of a detection.
DELETE FROM feedback
WHERE org = :org AND key = (
  SELECT key FROM feedback WHERE org = :org AND subject = :subject AND agent = :said_by
  ORDER BY key DESC LIMIT 1
)
RETURNING key;

-- name: unlearn_feedback
-- Let nothing that was said so far teach any more.
UPDATE feedback SET teaches = false WHERE org = :org AND teaches;

-- name: insert_review
-- Put a moment up for review unless an equal one was put up before.
INSERT INTO reviews (org, id, fingerprint, agent, moment, confidence, level, reason, status,
                     created_at)
VALUES (:org, :id, :fingerprint, :agent, :moment, :confidence, :level, :reason, 'waiting', :now)
ON CONFLICT (org, fingerprint) DO NOTHING
RETURNING *;

-- name: get_review
-- One moment of the queue.
SELECT * FROM reviews WHERE org = :org AND id = :id;

-- name: review_like
-- The moment of the queue with the same text.
SELECT * FROM reviews WHERE org = :org AND fingerprint = :fingerprint;

-- name: page_of_reviews
-- Moments of one state, newest first.
SELECT * FROM reviews
WHERE org = :org AND status = :status
ORDER BY key DESC
LIMIT :limit OFFSET :offset;

-- name: count_reviews
-- How many moments are in a state.
SELECT count(*) AS reviews FROM reviews WHERE org = :org AND status = :status;

-- name: settle_review
-- Decide on a moment that still waits, or reject one that was confirmed; its text may go with that.
UPDATE reviews
SET status = :status, decided_at = :now, decided_by = :decided_by, entry_id = :entry_id,
    moment = CASE WHEN :forgotten THEN '{}' ELSE moment END
WHERE org = :org AND key = :key
  AND (status = 'waiting' OR (status = 'confirmed' AND :status = 'rejected'))
RETURNING *;

-- name: reopen_review
-- Let a moment wait again that was decided on, if its text was not forgotten meanwhile.
UPDATE reviews
SET status = 'waiting', decided_at = NULL, decided_by = NULL, entry_id = NULL
WHERE org = :org AND key = :key AND status = :status AND moment <> '{}'
RETURNING *;

-- name: forget_rejected
-- Empty the texts of moments that were rejected before a time.
UPDATE reviews SET moment = '{}'
WHERE +org = :org AND key IN (
  SELECT key FROM reviews
  WHERE org = :org AND status = 'rejected' AND moment <> '{}' AND decided_at < :before
  ORDER BY key LIMIT :limit
);
