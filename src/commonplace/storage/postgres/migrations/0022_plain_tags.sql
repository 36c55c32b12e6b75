-- 22: tags of items are found in lower case like those of all entries; what was written is kept
-- beside them, because the dialect of items promises it back. Workers index those items anew.

INSERT INTO runs (org, id, kind, agent, created_at)
SELECT DISTINCT org, 'rebuild_tags_of_items', 'rebuild', 'upkeep',
       (extract(epoch FROM now()) * 1000000)::bigint
FROM entries WHERE kind = 'item' AND tags <> lower(tags::text)::text[];

INSERT INTO targets (org, run_key, subject, status, due)
SELECT e.org, r.key, json_build_object('keys', json_agg(e.key)), 'queued', r.created_at
FROM entries e JOIN runs r ON r.org = e.org AND r.id = 'rebuild_tags_of_items'
WHERE e.kind = 'item' AND e.tags <> lower(e.tags::text)::text[]
GROUP BY e.org, r.key, r.created_at, e.key / 50;

UPDATE entries
SET attributes = (attributes::jsonb || jsonb_build_object('tags', tags))::json,
    tags = lower(tags::text)::text[]
WHERE kind = 'item' AND tags <> lower(tags::text)::text[];
