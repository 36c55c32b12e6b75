-- The authoritative SQLite schema; migrations/ must reproduce it (a test compares them).
-- Times are microseconds since 1970 in UTC; lists and attributes are JSON text.

-- Tenants.
CREATE TABLE orgs (
    org        TEXT    NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What people and agents wrote. A category is a dialect's own subtype of a kind.
CREATE TABLE entries (
    key           INTEGER PRIMARY KEY AUTOINCREMENT,
    org           TEXT    NOT NULL REFERENCES orgs (org),
    id            TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    body          TEXT    NOT NULL,
    tags          TEXT    NOT NULL CHECK (json_valid(tags)),
    visibility    TEXT    NOT NULL CHECK (visibility IN ('private', 'org', 'network')),
    workspace     TEXT,
    space         TEXT,
    project       TEXT,
    confidence    REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    expires_at    INTEGER,
    attributes    TEXT    NOT NULL CHECK (json_valid(attributes)),
    source        TEXT    NOT NULL,
    agent         TEXT    NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision > 0),
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    deleted_at    INTEGER,
    superseded_by TEXT,
    head          TEXT,
    category      TEXT,
    domain        TEXT,
    resource_key  INTEGER
) STRICT;

CREATE UNIQUE INDEX entries_id ON entries (org, id, kind);
CREATE INDEX entries_shared_id ON entries (id) WHERE visibility = 'network' OR org = 'system';
CREATE INDEX entries_newest ON entries (org, created_at DESC, key DESC) WHERE deleted_at IS NULL;
CREATE INDEX entries_shared_newest ON entries (created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND (visibility = 'network' OR org = 'system');
CREATE INDEX entries_written ON entries (org, updated_at, key);
CREATE INDEX entries_head ON entries (org, kind, head) WHERE head IS NOT NULL;
CREATE INDEX entries_walk ON entries (org, key) WHERE deleted_at IS NULL;
CREATE INDEX entries_resource ON entries (org, resource_key)
    WHERE deleted_at IS NULL AND resource_key IS NOT NULL;

-- Covers what lists and counts of one kind need, so that they read no text.
CREATE INDEX entries_of_kind ON entries (
    org, kind, created_at DESC, key DESC, deleted_at, visibility, agent, head, expires_at,
    category, workspace, space, project, tags
) WHERE deleted_at IS NULL;

-- What search finds. Narrow rows, because filters read many of them.
CREATE TABLE chunks (
    key                INTEGER PRIMARY KEY AUTOINCREMENT,
    org                TEXT    NOT NULL REFERENCES orgs (org),
    owner_type         TEXT    NOT NULL CHECK (owner_type IN ('entry', 'document')),
    owner_key          INTEGER NOT NULL,
    ordinal            INTEGER NOT NULL,
    kind               TEXT    NOT NULL,
    agent              TEXT    NOT NULL,
    visibility         TEXT    NOT NULL CHECK (visibility IN ('private', 'org', 'network')),
    workspace          TEXT,
    space              TEXT,
    project            TEXT,
    tags               TEXT    NOT NULL CHECK (json_valid(tags)),
    superseded         INTEGER NOT NULL CHECK (superseded IN (0, 1)),
    expires_at         INTEGER,
    trust              TEXT    NOT NULL,
    language           TEXT,
    path               TEXT,
    symbol_kind        TEXT,
    symbol_path        TEXT,
    char_start         INTEGER NOT NULL,
    char_end           INTEGER NOT NULL,
    line_start         INTEGER,
    line_end           INTEGER,
    page               INTEGER,
    token_count        INTEGER NOT NULL,
    text_hash          TEXT    NOT NULL,
    -- Waiting for an embedding while embedding_due is set: with a model named, it has a preview of
    -- that model meanwhile. Given up when only the error is set; with urgency 9 never embedded.
    embedding_model    TEXT,
    embedding_due      INTEGER,
    embedding_urgency  INTEGER NOT NULL,
    embedding_attempts INTEGER NOT NULL DEFAULT 0,
    embedding_error    TEXT,
    category           TEXT,
    domain             TEXT,
    confidence         REAL,
    resource_key       INTEGER
) STRICT;

CREATE INDEX chunks_owner ON chunks (org, owner_type, owner_key, ordinal);
CREATE INDEX chunks_sample ON chunks (org, text_hash, key);
CREATE INDEX chunks_shared ON chunks (key) WHERE visibility = 'network' OR org = 'system';
CREATE INDEX chunks_waiting ON chunks (org, embedding_urgency, embedding_due, key)
    WHERE embedding_due IS NOT NULL;
CREATE INDEX chunks_model ON chunks (org, embedding_model, key) WHERE embedding_model IS NOT NULL;
CREATE INDEX chunks_resource ON chunks (org, resource_key) WHERE resource_key IS NOT NULL;
CREATE INDEX chunks_failed ON chunks (org, key) WHERE embedding_error IS NOT NULL;
CREATE INDEX chunks_pending ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NULL;
CREATE INDEX chunks_previewed ON chunks (org, embedding_due, embedding_model)
    WHERE embedding_due IS NOT NULL AND embedding_model IS NOT NULL;
CREATE INDEX chunks_left_out ON chunks (org, key) WHERE embedding_urgency = 9;

-- The texts of chunks, separate from the rows that filters read. `tokens` has the tokens that
-- searches do not read, packed.
CREATE TABLE passages (
    chunk_key     INTEGER NOT NULL PRIMARY KEY REFERENCES chunks (key) ON DELETE CASCADE,
    org           TEXT    NOT NULL,
    text          TEXT    NOT NULL,
    context       TEXT    NOT NULL,
    terms         TEXT    NOT NULL,
    context_terms TEXT    NOT NULL,
    tokens        BLOB    NOT NULL,
    headings      TEXT    NOT NULL DEFAULT '[]'
) STRICT;

CREATE VIEW passage_tokens AS
SELECT chunk_key, org, terms, context_terms, unpacked(tokens, text, 0) AS words,
       unpacked(tokens, text, 1) AS title_grams, unpacked(tokens, text, 2) AS scope
FROM passages;

-- The analyser makes the tokens; the `ascii` tokenizer leaves them unchanged.
CREATE VIRTUAL TABLE passages_fts USING fts5 (
    scope, context_terms, terms, words, title_grams,
    content = 'passage_tokens', content_rowid = 'chunk_key', tokenize = 'ascii'
);

CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
    INSERT INTO passages_fts (rowid, scope, context_terms, terms, words, title_grams)
    VALUES (new.chunk_key, unpacked(new.tokens, new.text, 2), new.context_terms, new.terms,
            unpacked(new.tokens, new.text, 0), unpacked(new.tokens, new.text, 1));
END;

CREATE TRIGGER passages_removed AFTER DELETE ON passages BEGIN
    INSERT INTO passages_fts (passages_fts, rowid, scope, context_terms, terms, words, title_grams)
    VALUES ('delete', old.chunk_key, unpacked(old.tokens, old.text, 2), old.context_terms,
            old.terms, unpacked(old.tokens, old.text, 0), unpacked(old.tokens, old.text, 1));
END;

CREATE TRIGGER passages_changed
AFTER UPDATE OF text, context_terms, terms, tokens ON passages BEGIN
    INSERT INTO passages_fts (passages_fts, rowid, scope, context_terms, terms, words, title_grams)
    VALUES ('delete', old.chunk_key, unpacked(old.tokens, old.text, 2), old.context_terms,
            old.terms, unpacked(old.tokens, old.text, 0), unpacked(old.tokens, old.text, 1));
    INSERT INTO passages_fts (rowid, scope, context_terms, terms, words, title_grams)
    VALUES (new.chunk_key, unpacked(new.tokens, new.text, 2), new.context_terms, new.terms,
            unpacked(new.tokens, new.text, 0), unpacked(new.tokens, new.text, 1));
END;

-- Embeddings, 16-bit floats; a chunk has one per window and model.
CREATE TABLE vectors (
    key       INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL,
    chunk_key INTEGER NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
    model     TEXT    NOT NULL,
    window    INTEGER NOT NULL,
    vector    BLOB    NOT NULL
) STRICT;

CREATE UNIQUE INDEX vectors_chunk ON vectors (chunk_key, model, window);

-- Deleted vectors, for in-memory indexes to follow.
CREATE TABLE vector_removals (
    sequence   INTEGER PRIMARY KEY AUTOINCREMENT,
    vector_key INTEGER NOT NULL
) STRICT;

CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
    INSERT INTO vector_removals (vector_key) VALUES (old.key);
    -- Whoever is further behind than this reads everything anew.
    DELETE FROM vector_removals
    WHERE sequence <= (SELECT max(sequence) FROM vector_removals) - 100000;
END;

-- Every canonical write: audit, history and feed.
CREATE TABLE changes (
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL REFERENCES orgs (org),
    agent     TEXT    NOT NULL,
    client    TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    operation TEXT    NOT NULL,
    entity    TEXT    NOT NULL,
    entity_id TEXT    NOT NULL,
    revision  INTEGER NOT NULL,
    before    TEXT    CHECK (before IS NULL OR json_valid(before))
) STRICT;

CREATE INDEX changes_entity ON changes (org, entity, entity_id, sequence);
CREATE INDEX changes_feed ON changes (org, sequence);
CREATE INDEX changes_author ON changes (org, agent, sequence);

-- Uploaded bytes; `created_at` is when they were last uploaded or asked for.
CREATE TABLE blobs (
    org        TEXT    NOT NULL REFERENCES orgs (org),
    digest     TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    data       BLOB    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (org, digest)
) STRICT;

CREATE INDEX blobs_given ON blobs (org, created_at, digest);

-- Background work: both the queue and its report.
CREATE TABLE runs (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    org        TEXT    NOT NULL REFERENCES orgs (org),
    id         TEXT    NOT NULL,
    kind       TEXT    NOT NULL,
    agent      TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX runs_id ON runs (org, id);
CREATE INDEX runs_newest ON runs (org, key);

CREATE TABLE targets (
    key      INTEGER PRIMARY KEY AUTOINCREMENT,
    org      TEXT    NOT NULL,
    run_key  INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    subject  TEXT    NOT NULL CHECK (json_valid(subject)),
    status   TEXT    NOT NULL CHECK (status IN ('queued', 'done', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    due      INTEGER,
    error    TEXT
) STRICT;

CREATE INDEX targets_run ON targets (org, run_key, key);
CREATE INDEX targets_waiting ON targets (org, due, key) WHERE due IS NOT NULL;

-- Term frequencies of an org, counted on a sample.
CREATE TABLE statistics (
    org            TEXT    NOT NULL PRIMARY KEY REFERENCES orgs (org),
    chunks         INTEGER NOT NULL,
    sampled        INTEGER NOT NULL,
    average_length REAL    NOT NULL,
    frequencies    TEXT    NOT NULL CHECK (json_valid(frequencies)),
    counted_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Leases: work that one process at a time may do.
CREATE TABLE leases (
    name   TEXT    NOT NULL PRIMARY KEY,
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Idempotent calls: repetitions get the answer of the first call with the same token.
CREATE TABLE replays (
    org       TEXT    NOT NULL REFERENCES orgs (org),
    agent     TEXT    NOT NULL,
    operation TEXT    NOT NULL,
    token     TEXT    NOT NULL,
    answer    TEXT    CHECK (answer IS NULL OR json_valid(answer)),
    until     INTEGER NOT NULL,
    PRIMARY KEY (org, agent, operation, token)
) STRICT, WITHOUT ROWID;

CREATE INDEX replays_until ON replays (org, until);

-- Usage of an org's quotas, per calendar month.
CREATE TABLE usage (
    org    TEXT    NOT NULL REFERENCES orgs (org),
    period TEXT    NOT NULL,
    metric TEXT    NOT NULL,
    used   INTEGER NOT NULL,
    PRIMARY KEY (org, period, metric)
) STRICT, WITHOUT ROWID;

-- Access counts of entries; separate from them, because reading is not a change.
CREATE TABLE accesses (
    entry_key INTEGER NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org       TEXT    NOT NULL,
    count     INTEGER NOT NULL,
    first_at  INTEGER NOT NULL,
    last_at   INTEGER NOT NULL
) STRICT;

-- Feedback on detections; it affects later detections while `teaches` is set.
CREATE TABLE feedback (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    org        TEXT    NOT NULL REFERENCES orgs (org),
    agent      TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    verdict    TEXT    NOT NULL CHECK (verdict IN ('confirm', 'reject')),
    confidence REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    factors    TEXT    NOT NULL CHECK (json_valid(factors)),
    comment    TEXT,
    teaches    INTEGER NOT NULL CHECK (teaches IN (0, 1)),
    at         INTEGER NOT NULL
) STRICT;

CREATE INDEX feedback_newest ON feedback (org, key);

-- The review queue: detected moments that wait for a decision.
CREATE TABLE reviews (
    key         INTEGER PRIMARY KEY AUTOINCREMENT,
    org         TEXT    NOT NULL REFERENCES orgs (org),
    id          TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    agent       TEXT    NOT NULL,
    moment      TEXT    NOT NULL CHECK (json_valid(moment)),
    confidence  REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    level       TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('waiting', 'confirmed', 'rejected')),
    created_at  INTEGER NOT NULL,
    decided_at  INTEGER,
    decided_by  TEXT,
    entry_id    TEXT
) STRICT;

CREATE UNIQUE INDEX reviews_id ON reviews (org, id);
CREATE UNIQUE INDEX reviews_fingerprint ON reviews (org, fingerprint);
CREATE INDEX reviews_status ON reviews (org, status, key);

-- Who is credited with a skill or a unit; `lineage` is equal for versions of one skill.
CREATE TABLE contributions (
    entry_key   INTEGER NOT NULL PRIMARY KEY REFERENCES entries (key) ON DELETE CASCADE,
    org         TEXT    NOT NULL,
    contributor TEXT    NOT NULL,
    lineage     TEXT
) STRICT;

CREATE INDEX contributions_of ON contributions (contributor);
CREATE INDEX contributions_lineage ON contributions (org, lineage) WHERE lineage IS NOT NULL;

-- Verdicts on units: one per validator. They belong to the unit's org.
CREATE TABLE verdicts (
    entry_key     INTEGER NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    org           TEXT    NOT NULL,
    shared        INTEGER NOT NULL CHECK (shared IN (0, 1)),
    validator_org TEXT    NOT NULL,
    validator     TEXT    NOT NULL,
    valid         INTEGER NOT NULL CHECK (valid IN (0, 1)),
    feedback      TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (entry_key, validator_org, validator)
) STRICT, WITHOUT ROWID;

CREATE INDEX verdicts_org ON verdicts (org, entry_key);
CREATE INDEX verdicts_shared ON verdicts (entry_key) WHERE shared;

-- What text is read from: an address, bytes in `blobs`, a folder of files, or the entries that refer
-- to it. `generation` counts requests to read it, so that an outdated reading cannot overwrite a
-- newer one.
CREATE TABLE resources (
    key            INTEGER PRIMARY KEY AUTOINCREMENT,
    org            TEXT    NOT NULL REFERENCES orgs (org),
    id             TEXT    NOT NULL,
    type           TEXT    NOT NULL
        CHECK (type IN ('url', 'file', 'page', 'folder', 'pushed', 'notebook', 'record')),
    locator        TEXT    NOT NULL,
    digest         TEXT,
    media_type     TEXT    NOT NULL,
    agent          TEXT    NOT NULL,
    revision       INTEGER NOT NULL CHECK (revision > 0),
    created_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    status         TEXT    NOT NULL
        CHECK (status IN ('pending', 'processing', 'ready', 'error')),
    error          TEXT,
    generation     INTEGER NOT NULL,
    etag           TEXT    NOT NULL,
    last_modified  TEXT    NOT NULL,
    synced_at      INTEGER,
    -- Of what a workspace attaches; NULL for the sources of documents.
    knowledge_type TEXT,
    name           TEXT,
    run_id         TEXT,
    watched_until  INTEGER
) STRICT;

CREATE UNIQUE INDEX resources_id ON resources (org, id);
CREATE INDEX resources_newest ON resources (org, created_at DESC, key DESC)
    WHERE deleted_at IS NULL AND knowledge_type IS NULL;
CREATE INDEX resources_digest ON resources (org, digest) WHERE digest IS NOT NULL;
CREATE UNIQUE INDEX resources_locator ON resources (org, knowledge_type, locator)
    WHERE deleted_at IS NULL AND knowledge_type IS NOT NULL;

-- The presence of a resource in one scope, under a name.
CREATE TABLE attachments (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    scope        TEXT    NOT NULL
        CHECK (scope IN ('system', 'workspace', 'space', 'project', 'global')),
    workspace    TEXT,
    space        TEXT,
    label        TEXT    NOT NULL,
    -- Of what a workspace attaches; NULL for the sources of documents.
    id           TEXT,
    project_id   TEXT,
    trust        TEXT,
    weight       REAL,
    enabled      INTEGER CHECK (enabled IN (0, 1))
) STRICT;

CREATE INDEX attachments_resource ON attachments (resource_key);
CREATE UNIQUE INDEX attachments_id ON attachments (org, id) WHERE id IS NOT NULL;
CREATE UNIQUE INDEX attachments_once ON attachments (resource_key, coalesce(project_id, ''))
    WHERE id IS NOT NULL;

-- The files of a resource, each at one content hash. The key owns the chunks. A source has one
-- document, with the path ''.
CREATE TABLE documents (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL REFERENCES resources (key) ON DELETE CASCADE,
    content_hash TEXT    NOT NULL,
    chunk_count  INTEGER NOT NULL,
    path         TEXT    NOT NULL DEFAULT '',
    size         INTEGER NOT NULL DEFAULT 0,
    modified_ns  INTEGER NOT NULL DEFAULT 0,
    language     TEXT,
    digest       TEXT
) STRICT;

CREATE UNIQUE INDEX documents_path ON documents (resource_key, path);
CREATE INDEX documents_digest ON documents (org, digest) WHERE digest IS NOT NULL;

-- Projects: a repository with its root folders. `repository` is equal for all clones.
CREATE TABLE projects (
    key        INTEGER PRIMARY KEY AUTOINCREMENT,
    org        TEXT    NOT NULL REFERENCES orgs (org),
    id         TEXT    NOT NULL,
    handle     TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    roots      TEXT    NOT NULL CHECK (json_valid(roots)),
    repository TEXT,
    agent      TEXT    NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision > 0),
    created_at INTEGER NOT NULL,
    deleted_at INTEGER
) STRICT;

CREATE UNIQUE INDEX projects_id ON projects (org, id);
CREATE UNIQUE INDEX projects_handle ON projects (org, handle) WHERE deleted_at IS NULL;
CREATE INDEX projects_repository ON projects (org, repository) WHERE deleted_at IS NULL;

-- The facts of a code file: enough to link it without parsing it again. `interface` is equal for
-- versions that other files cannot tell apart; its links depend on `reads` and `packages`, and
-- `tally` has a digest of the names that were looked up there.
CREATE TABLE code_files (
    document_key INTEGER NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL,
    path         TEXT    NOT NULL,
    language     TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    package      TEXT    NOT NULL,
    interface    TEXT    NOT NULL,
    problem      TEXT    NOT NULL,
    specifiers   TEXT    NOT NULL,
    facts        BLOB    NOT NULL,
    linked       INTEGER NOT NULL DEFAULT 0 CHECK (linked IN (0, 1)),
    reads        TEXT    NOT NULL DEFAULT '[]',
    packages     TEXT    NOT NULL DEFAULT '[]',
    tally        TEXT    NOT NULL DEFAULT '{}'
) STRICT;

CREATE INDEX code_files_resource ON code_files (resource_key, path);

-- Definitions. The key consists of the document's key and a slot, which a symbol keeps.
CREATE TABLE symbols (
    key          INTEGER NOT NULL PRIMARY KEY,
    org          TEXT    NOT NULL,
    document_key INTEGER NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    resource_key INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    folded       TEXT    NOT NULL,
    path         TEXT    NOT NULL,
    kind         TEXT    NOT NULL,
    exported     INTEGER NOT NULL CHECK (exported IN (0, 1)),
    line         INTEGER NOT NULL,
    column_at    INTEGER NOT NULL,
    first_line   INTEGER NOT NULL,
    last_line    INTEGER NOT NULL,
    signature    TEXT    NOT NULL,
    doc          TEXT    NOT NULL
) STRICT;

CREATE INDEX symbols_name ON symbols (folded, resource_key);
CREATE INDEX symbols_document ON symbols (document_key, number);

-- Uses of a name by a symbol or by the file itself; unresolved without a target.
CREATE TABLE edges (
    document_key INTEGER NOT NULL REFERENCES code_files (document_key) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    org          TEXT    NOT NULL,
    resource_key INTEGER NOT NULL,
    source_key   INTEGER,
    name         TEXT    NOT NULL,
    "use"        TEXT    NOT NULL,
    target_key   INTEGER,
    "rank"       INTEGER NOT NULL,
    resolution   TEXT    NOT NULL,
    confidence   REAL    NOT NULL,
    lines        TEXT    NOT NULL,
    PRIMARY KEY (document_key, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX edges_target ON edges (target_key) WHERE target_key IS NOT NULL;
CREATE INDEX edges_name ON edges (name, resource_key);

-- What an imported compiler index says about one version of a file.
CREATE TABLE compiled_files (
    document_key INTEGER NOT NULL PRIMARY KEY REFERENCES documents (key) ON DELETE CASCADE,
    org          TEXT    NOT NULL,
    content_hash TEXT    NOT NULL,
    data         BLOB    NOT NULL
) STRICT;

-- The files that a commit touched; the commit itself is a document.
CREATE TABLE touched_files (
    document_key INTEGER NOT NULL REFERENCES documents (key) ON DELETE CASCADE,
    path         TEXT    NOT NULL,
    org          TEXT    NOT NULL,
    PRIMARY KEY (document_key, path)
) STRICT, WITHOUT ROWID;

-- Tokens are identified by a keyed digest. They are revoked but never deleted: whether one was ever
-- created decides whether callers need one.
CREATE TABLE tokens (
    id           TEXT    NOT NULL PRIMARY KEY,
    org          TEXT    NOT NULL REFERENCES orgs (org),
    agent        TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    scopes       TEXT    NOT NULL CHECK (json_valid(scopes)),
    digest       TEXT    NOT NULL,
    created_by   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX tokens_digest ON tokens (digest);
CREATE INDEX tokens_of_org ON tokens (org, created_at, id);

-- The monthly limits of a plan; a metric without a number is unlimited.
CREATE TABLE plans (
    plan    TEXT    NOT NULL,
    metric  TEXT    NOT NULL,
    monthly INTEGER CHECK (monthly >= 0),
    PRIMARY KEY (plan, metric)
) STRICT, WITHOUT ROWID;

-- The plan of an org.
CREATE TABLE org_plans (
    org  TEXT NOT NULL PRIMARY KEY REFERENCES orgs (org),
    plan TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Exceptions of an org from its plan.
CREATE TABLE quota_overrides (
    org     TEXT    NOT NULL REFERENCES orgs (org),
    metric  TEXT    NOT NULL,
    monthly INTEGER CHECK (monthly >= 0),
    PRIMARY KEY (org, metric)
) STRICT, WITHOUT ROWID;

-- Embedding models: the one that serves, one being prepared, and retired ones.
CREATE TABLE models (
    model TEXT    NOT NULL PRIMARY KEY,
    state TEXT    NOT NULL CHECK (state IN ('serving', 'preparing', 'retired')),
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX models_in_use ON models (state) WHERE state <> 'retired';

-- The blobs of skills' files, so that they are not deleted. Triggers on entries maintain it; blobs
-- of earlier revisions stay, because these may be restored.
CREATE TABLE skill_files (
    org       TEXT    NOT NULL,
    digest    TEXT    NOT NULL,
    entry_key INTEGER NOT NULL REFERENCES entries (key) ON DELETE CASCADE,
    PRIMARY KEY (org, digest, entry_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX skill_files_entry ON skill_files (entry_key);

CREATE TRIGGER skill_added AFTER INSERT ON entries WHEN new.kind = 'skill' BEGIN
    INSERT OR IGNORE INTO skill_files (org, digest, entry_key)
    SELECT new.org, atom, new.key FROM json_tree(new.attributes, '$.files')
    WHERE key = 'digest' AND type = 'text';
END;

CREATE TRIGGER skill_changed AFTER UPDATE OF attributes ON entries WHEN new.kind = 'skill' BEGIN
    INSERT OR IGNORE INTO skill_files (org, digest, entry_key)
    SELECT new.org, atom, new.key FROM json_tree(new.attributes, '$.files')
    WHERE key = 'digest' AND type = 'text';
END;

-- Attempts to embed chunks with a model being prepared: inserted when they start, deleted when they
-- end. Those that stay have crashed the worker.
CREATE TABLE reembedding_attempts (
    org       TEXT    NOT NULL,
    chunk_key INTEGER NOT NULL REFERENCES chunks (key) ON DELETE CASCADE,
    model     TEXT    NOT NULL,
    attempts  INTEGER NOT NULL,
    PRIMARY KEY (org, model, chunk_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX reembedding_attempts_chunk ON reembedding_attempts (chunk_key);

-- What agents asked recently. Answers are stored as references, resolved with the reader's rights.
CREATE TABLE questions (
    key      INTEGER PRIMARY KEY AUTOINCREMENT,
    org      TEXT    NOT NULL REFERENCES orgs (org),
    agent    TEXT    NOT NULL,
    client   TEXT    NOT NULL,
    at       INTEGER NOT NULL,
    tool     TEXT    NOT NULL,
    question TEXT    NOT NULL,
    outcome  TEXT    NOT NULL CHECK (outcome IN ('answered', 'related', 'found', 'nothing')),
    given    TEXT    NOT NULL CHECK (json_valid(given))
) STRICT;

CREATE INDEX questions_newest ON questions (org, key);
CREATE INDEX questions_outcome ON questions (org, outcome, key);
CREATE INDEX questions_at ON questions (org, at, outcome);

-- Calls per hour, by status and by duration in logarithmic steps.
CREATE TABLE call_counts (
    org    TEXT    NOT NULL REFERENCES orgs (org),
    hour   INTEGER NOT NULL,
    tool   TEXT    NOT NULL,
    status TEXT    NOT NULL,
    step   INTEGER NOT NULL,
    count  INTEGER NOT NULL,
    PRIMARY KEY (org, hour, tool, status, step)
) STRICT, WITHOUT ROWID;

-- Posting lists: which chunks have a token, for orgs with many chunks. Derived from passages.

CREATE TABLE posting_indexes (
    org        TEXT    NOT NULL PRIMARY KEY,
    filled_to  INTEGER NOT NULL,
    fill_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE posting_segments (
    segment   INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL,
    ready     INTEGER NOT NULL CHECK (ready IN (0, 1)),
    first_key INTEGER NOT NULL,
    last_key  INTEGER NOT NULL,
    chunks    INTEGER NOT NULL,
    tokens    INTEGER NOT NULL,
    blocks    INTEGER NOT NULL,
    gone      BLOB    NOT NULL
) STRICT;

CREATE INDEX posting_segments_org ON posting_segments (org, segment);

CREATE TABLE postings (
    place INTEGER PRIMARY KEY,
    org   TEXT    NOT NULL,
    data  BLOB    NOT NULL
) STRICT;

CREATE INDEX postings_org ON postings (org, place);

CREATE TABLE unposted (
    sequence  INTEGER PRIMARY KEY AUTOINCREMENT,
    org       TEXT    NOT NULL,
    chunk_key INTEGER NOT NULL
) STRICT;

CREATE INDEX unposted_chunk ON unposted (org, chunk_key);

CREATE TRIGGER passages_to_post AFTER INSERT ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_post_anew
AFTER UPDATE OF text, context_terms, terms, tokens ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (new.org, new.chunk_key);
END;

CREATE TRIGGER passages_to_forget AFTER DELETE ON passages BEGIN
    INSERT INTO unposted (org, chunk_key) VALUES (old.org, old.chunk_key);
END;
