-- 10: bytes that nothing needs any more are found by their age.

CREATE INDEX blobs_given ON blobs (org, created_at);
