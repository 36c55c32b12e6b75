-- name: insert_question
-- Record what an agent asked and what it was given.
INSERT INTO questions (org, agent, client, at, tool, question, outcome, given)
VALUES (:org, :asker, :client, :at, :tool, :question, :outcome, :given);

-- name: questions_before
-- The newest questions before a key.
SELECT key, agent, client, at, tool, question, outcome, given FROM questions
WHERE org = :org AND key < :before
ORDER BY key DESC LIMIT :limit;

-- name: questions_ended_so
-- The newest questions with an outcome, before a key.
SELECT key, agent, client, at, tool, question, outcome, given FROM questions
WHERE org = :org AND outcome = :outcome AND key < :before
ORDER BY key DESC LIMIT :limit;

-- name: get_question
-- One question.
SELECT key, agent, client, at, tool, question, outcome, given FROM questions
WHERE org = :org AND key = :key;

-- name: tally_questions
-- The number of questions since a time, per outcome.
SELECT outcome, count(*) AS times FROM questions
WHERE org = :org AND at >= :since
GROUP BY outcome;

-- name: forget_questions
-- Delete old questions.
DELETE FROM questions WHERE org = :org AND at < :before;

-- name: add_calls
-- Add to the call counts of an hour.
INSERT INTO call_counts (org, hour, tool, status, step, count)
VALUES (:org, :hour, :tool, :status, :step, :count)
ON CONFLICT (org, hour, tool, status, step)
DO UPDATE SET count = call_counts.count + excluded.count;

-- name: calls_since
-- Call counts since an hour.
SELECT hour, tool, status, step, count FROM call_counts
WHERE org = :org AND hour >= :since
ORDER BY hour;

-- name: forget_calls
-- Delete old call counts.
DELETE FROM call_counts WHERE org = :org AND hour < :before;
