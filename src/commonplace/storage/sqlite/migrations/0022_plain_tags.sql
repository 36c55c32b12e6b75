-- 22: tags of items are found in lower case like those of all entries; what was written is kept
-- beside them, because the dialect of items promises it back. Workers index those items anew.

INSERT INTO runs (org, id, kind, agent, created_at)
SELECT DISTINCT org, 'rebuild_tags_of_items', 'rebuild', 'upkeep',
       CAST(strftime('%s', 'now') AS INTEGER) * 1000000
FROM entries WHERE kind = 'item' AND tags <> lower(tags);

INSERT INTO targets (org, run_key, subject, status, due)
SELECT e.org, r.key, json_object('keys', json_group_array(e.key)), 'queued', r.created_at
FROM entries e JOIN runs r ON r.org = e.org AND r.id = 'rebuild_tags_of_items'
WHERE e.kind = 'item' AND e.tags <> lower(e.tags)
GROUP BY e.org, r.key, r.created_at, e.key / 50;

UPDATE entries SET attributes = json_set(attributes, '$.tags', json(tags)), tags = lower(tags)
WHERE kind = 'item' AND tags <> lower(tags);
