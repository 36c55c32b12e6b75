-- name: forget_replays
-- Drop answers that are not replayed any more.
DELETE FROM replays WHERE org = :org AND until <= :now;

-- name: claim_replay
-- Be the first with a token; whoever is second waits for the first to commit.
INSERT INTO replays (org, agent, operation, token, until)
VALUES (:org, :agent, :operation, :token, :until)
ON CONFLICT (org, agent, operation, token) DO NOTHING;

-- name: get_replay
-- The answer that the first call with a token got.
SELECT answer FROM replays
WHERE org = :org AND agent = :agent AND operation = :operation AND token = :token;

-- name: settle_replay
-- Keep the answer for repetitions.
UPDATE replays SET answer = :answer
WHERE org = :org AND agent = :agent AND operation = :operation AND token = :token;

-- name: spend_usage
-- Use more of a quota, unless that would exceed it.
INSERT INTO usage (org, period, metric, used) VALUES (:org, :period, :metric, :amount)
ON CONFLICT (org, period, metric) DO UPDATE SET used = usage.used + excluded.used
WHERE :limit::bigint IS NULL OR usage.used + excluded.used <= :limit::bigint;

-- name: get_usage
-- How much of a quota is used.
SELECT used FROM usage WHERE org = :org AND period = :period AND metric = :metric;
