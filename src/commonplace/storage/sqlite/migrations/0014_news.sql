-- What was written since a moment, and when an agent wrote last, without reading all of an org.

CREATE INDEX entries_written ON entries (org, updated_at, key);
CREATE INDEX changes_author ON changes (org, agent, sequence);
