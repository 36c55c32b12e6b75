"""Hot statements on a filled database, run as the application's role: none scans a large table.

Counts the scans that really happened, so that the owner's functions and row security count too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from commonplace.model.actor import Actor
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postgres.connections import APPLICATION, connect, loaded_statements
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.postgres.store import PostgresStore
from commonplace.storage.postgres.tokens import matches_of, scope_of
from commonplace.storage.session import filter_values
from tests.generate import DIMENSION, MODEL, unit_vector
from tests.stores import PostgresDatabases, SteppingClock

ACTOR = Actor(org="org-7", agent="agent")
LARGEST = Actor(org="org-0", agent="agent")
LARGE = (
    "blobs",
    "skill_files",
    "code_files",
    "symbols",
    "edges",
    "touched_files",
    "entries",
    "chunks_0",
    "passages_0",
    "vectors_0",
    "changes",
    "runs",
    "targets",
)
# The driver prepares a statement that comes again, and the server then looks at five plans first.
UNTIL_A_PLAN_IS_KEPT = 12
SCANS = b"""
SELECT relname, seq_scan FROM pg_stat_xact_user_tables
WHERE schemaname = 'commonplace' AND relname = ANY (%s)
"""

# 20,000 rows in every table: half of them of one org, the others of 20 orgs, one in a hundred
# shared with everybody.
FILL = """
SET search_path = commonplace, public;
INSERT INTO orgs SELECT 'org-' || n, 0 FROM generate_series(0, 39) n;
INSERT INTO entries (org, id, kind, title, body, tags, visibility, confidence, attributes, source,
                     agent, revision, created_at, updated_at, head)
SELECT 'org-' || CASE WHEN n % 2 = 0 THEN 0 ELSE n % 40 END, 'n-' || n, 'note', 'title', 'body',
       ARRAY['tag-' || n % 500], CASE WHEN n % 100 = 0 THEN 'network' ELSE 'org' END, 0.5, '{}',
       'agent', 'agent', 1, n, n, CASE WHEN n % 50 = 0 THEN 'n-' || n + 1 END
FROM generate_series(1, 20000) n;
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, agent, visibility, tags, superseded,
                    trust, char_start, char_end, token_count, text_hash, embedding_model,
                    embedding_urgency, embedding_due, resource_key, path, language)
SELECT org, 'entry', key, 0, kind, agent, visibility, tags, false, 'operational', 0, 4, 1,
       md5(key::text), 'test-model-32-r1', key % 2, CASE WHEN key % 10 = 0 THEN 5 END,
       CASE WHEN key % 3 > 0 THEN key % 200 END, 'src/part' || key || '.py', 'python'
FROM entries;
INSERT INTO passages (chunk_key, org, shared, text, context, terms, context_terms, words,
                      search)
SELECT key, org, visibility = 'network', 'text', 'context', 'text', 'context', 'text',
       format('''@ox%s'' ''word%s'':1A ''common'':2D ''=word%s''',
              encode(convert_to(org, 'UTF8'), 'hex'), key % 300, key % 300)::tsvector
FROM chunks;
INSERT INTO vectors (org, shared, chunk_key, model, "window", vector)
SELECT c.org, c.visibility = 'network', c.key, c.embedding_model, 0,
       ARRAY(SELECT random() - 0.5 FROM generate_series(1, 32 + 0 * c.key))::halfvec
FROM chunks c;
INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision)
SELECT org, agent, 'client', 0, 'create', 'entry', 'note/' || id, 1 FROM entries;
INSERT INTO blobs (org, digest, media_type, data, created_at)
SELECT org, md5(key::text), '', '', key FROM entries;
INSERT INTO skill_files (org, digest, entry_key) SELECT org, md5(key::text), key FROM entries;
INSERT INTO runs (org, id, kind, agent, created_at)
SELECT org, 'run-' || key, 'rebuild', agent, 0 FROM entries;
INSERT INTO targets (org, run_key, subject, status, due)
SELECT org, key, '{}', 'queued', CASE WHEN key % 10 = 0 THEN 5 END FROM runs;
INSERT INTO resources (org, id, type, locator, media_type, agent, revision, created_at, status,
                       generation, etag, last_modified, knowledge_type, name)
SELECT 'org-' || n, 'res-' || n, 'folder', 'file:///' || n, '', 'agent', 1, 0, 'ready', 1, '', '',
       'code_intelligence', 'folder'
FROM generate_series(0, 39) n;
INSERT INTO documents (org, resource_key, content_hash, chunk_count, path)
SELECT r.org, r.key, 'hash', 0, 'src/' || n || '.ts'
FROM resources r, generate_series(1, 100) n WHERE r.knowledge_type IS NOT NULL;
INSERT INTO touched_files (document_key, org, path)
SELECT key, org, 'src/' || n || '.ts' FROM documents, generate_series(1, 5) n;
INSERT INTO code_files (document_key, org, resource_key, path, language, content_hash, version,
                        package, interface, problem, specifiers, facts)
SELECT key, org, resource_key, path, 'ts', 'hash', 1, '', '', '', '{}', '' FROM documents;
INSERT INTO symbols (key, org, document_key, resource_key, number, name, folded, path, kind,
                     exported, line, column_at, first_line, last_line, signature, doc)
SELECT document_key * 1048576 + n, org, document_key, resource_key, n, 'Name' || n % 50,
       'name' || n % 50, 'Name' || n, 'class', true, n, 0, n, n, '', ''
FROM code_files, generate_series(0, 9) n;
INSERT INTO edges (document_key, ordinal, org, resource_key, name, "use", target_key, "rank",
                   resolution, confidence, lines)
SELECT document_key, n, org, resource_key, 'Name' || n % 50, 'call',
       document_key * 1048576 + n % 10, 0, 'import', 1, '{1}'
FROM code_files, generate_series(0, 19) n;
"""


@pytest.fixture(scope="module")
def store(postgres_databases: PostgresDatabases) -> Iterator[PostgresStore]:
    address = postgres_databases.migrated()
    with connect(address) as connection:
        connection.execute(FILL.encode())
        connection.execute("SELECT ensure_vector_index(%s, %s)", (MODEL, DIMENSION))
        connection.execute("VACUUM ANALYZE")
    store = PostgresStore(address, SteppingClock(), 2)
    yield store
    store.close()


def _any(**wanted: Any) -> dict[str, object]:
    return filter_values(Filter(**wanted), PostgresSession.codec)


def _matching(**query: Any) -> dict[str, object]:
    return {
        "matches": matches_of(LexicalQuery(**query)),
        "scope": scope_of(Filter(), ACTOR.org, network=True),
    }


VECTOR = PostgresSession.codec.vector(unit_vector(1))
SOME_KEYS = list(range(1, 400))
OPENED = {"model": MODEL, "width": 64, "widest": 1000, "one_in": 625, "most": 5001}
TOP = {"before_at": 2**63 - 1, "before_key": 2**63 - 1}
HOT: tuple[tuple[str, dict[str, object]], ...] = (
    ("get_entry", {"id": "n-47", "kind": None}),
    ("entries_by_keys", {"keys": SOME_KEYS}),
    ("lock_entries", {"keys": [7, 47]}),
    ("entries_with_head", {"kind": "note", "head": "n-51"}),
    ("entry_keys_after", {"key": 100, "limit": 100, "kind": None}),
    ("page_of_entries", {"limit": 20, "offset": 0, **TOP, **_any()}),
    ("page_of_entries", {"limit": 20, "offset": 40, **TOP, **_any(tags=("tag-7",))}),
    ("tally_entries", _any()),
    ("tally_entries", _any(tags=("tag-7",))),
    ("tally_of_kind", {"kind": "note", **_any(categories=("win",))}),
    ("page_of_entries", {"limit": 20, "offset": 0, "before_at": 47, "before_key": 47, **_any()}),
    ("page_of_kind", {"kind": "note", "limit": 20, "offset": 0, **TOP, **_any()}),
    ("tally_entries", _any(any_tags=("tag-7", "tag-8"), categories=("win",))),
    ("page_of_entries", {"limit": 20, "offset": 0, **TOP, **_any(any_tags=("tag-7",))}),
    ("history_of", {"entity": "entry", "entity_id": "note/n-47"}),
    ("changes_since", {"sequence": 0, "limit": 100}),
    ("chunks_of_owner", {"owner_type": "entry", "owner_key": 47}),
    ("fetch_chunks", {"keys": SOME_KEYS, **_any()}),
    ("passing_keys", {"keys": SOME_KEYS, **_any(tags=("tag-7",))}),
    ("any_unembedded", {}),
    ("count_unembedded", {"limit": 100, **_any(any_tags=("tag-7",))}),
    ("texts_of_owner", {"owner_type": "entry", "owner_key": 47}),
    ("lexical_best", {"limit": 400, **_matching(terms=("word7", "word8"))}),
    ("lexical_best", {"limit": 400, **_matching(words=("word7",))}),
    ("lexical_filtered", {"limit": 100, **_matching(terms=("word7",)), **_any()}),
    ("lexical_filtered", {"limit": 9, **_matching(terms=("word7",)), **_any(any_tags=("tag-7",))}),
    ("open_nearest", {**OPENED, "tags": None}),
    ("open_nearest", {**OPENED, "tags": ["rare"]}),
    ("nearest_among", {"model": MODEL, "vector": VECTOR, "limit": 10, "keys": SOME_KEYS}),
    ("nearest_exactly", {"model": MODEL, "vector": VECTOR, "limit": 10, **_any()}),
    (
        "nearest_exactly",
        {"model": MODEL, "vector": VECTOR, "limit": 10, **_any(tags=("tag-7",))},
    ),
    ("nearest_exactly", {"model": MODEL, "vector": VECTOR, "limit": 10, **_any(resources=(7, 47))}),
    ("lexical_filtered", {"limit": 9, **_matching(terms=("word7",)), **_any(resources=(7,))}),
    ("count_unembedded", {"limit": 1000, **_any(resources=(7, 47))}),
    ("vectors_of_chunks", {"model": MODEL, "keys": SOME_KEYS}),
    ("spread_vectors", {"model": MODEL, "documents": [7, 47], "most": 8}),
    ("vectors_of_chunk", {"chunk_key": 47}),
    ("claim_embeddings", {"first": 1, "last": 4, "tried": 0, "lease_until": 9, "limit": 16}),
    ("claim_embeddings", {"first": 1, "last": 4, "tried": 1, "lease_until": 9, "limit": 16}),
    ("pending_texts", {"keys": SOME_KEYS}),
    ("claim_target", {"lease_until": 9}),
    ("targets_of_run", {"run_key": 7}),
    ("recent_runs", {"limit": 10}),
    ("waiting_work", {}),
    ("owner_states", {"owner_type": "entry", "owner_key": 47}),
    ("chunk_counts", {}),
    ("sample_terms", {"limit": 100}),
    ("code_files_of", {"resource_keys": [8]}),
    ("facts_of", {"keys": SOME_KEYS}),
    ("graph_coverage", {"resource_keys": [8]}),
    ("symbols_named", {"names": ["name7"], "resource_keys": [8], "limit": 20}),
    ("symbols_by_keys", {"keys": [8 * 1048576 + 1]}),
    ("symbols_of_documents", {"keys": [8, 9]}),
    ("edges_to", {"keys": [8 * 1048576 + 1], "resource_keys": [8], "limit": 20}),
    ("edges_of_documents", {"keys": [8, 9]}),
    ("documents_using", {"names": ["Name7"], "resource_keys": [8]}),
    ("count_unlinked", {"name": "Name7", "resource_keys": [8]}),
    ("hold_unused_blobs", {"before": 1, "limit": 500}),
    ("remove_unused_blobs", {"digests": ["no such digest", "nor this"]}),
    ("digests_of_entry", {"entry_key": 8}),
    ("embedded_twins", {"text_hashes": ["no such text", "nor this"]}),
)


def _scans(session: PostgresSession) -> dict[str, int]:
    rows = session._connection.execute(SCANS, (list(LARGE),)).fetchall()
    return {row["relname"]: row["seq_scan"] for row in rows}


@pytest.mark.parametrize(("name", "values"), HOT)
def test_a_hot_statement_scans_no_large_table(
    store: PostgresStore, name: str, values: dict[str, object]
) -> None:
    with store._session(ACTOR, write=True) as session:
        before = _scans(session)
        session.rows(name, **values)
        after = _scans(session)
        scanned = [table for table in after if after[table] > before.get(table, 0)]
        assert not scanned, "\n".join(_plan(session, name, values))


SEARCHED = {
    "lexical_best",
    "lexical_filtered",
    "passing_keys",
    "fetch_chunks",
    "vectors_of_chunks",
    "nearest_exactly",
    "nearest_among",
    "open_nearest",
    "entries_by_keys",
    "any_unembedded",
    "count_unembedded",
}


@pytest.mark.parametrize(("name", "values"), [one for one in HOT if one[0] in SEARCHED])
def test_a_search_keeps_plans_that_scan_no_large_table(
    store: PostgresStore, name: str, values: dict[str, object]
) -> None:
    with store._session(ACTOR, write=False, searches=store._connections) as session:
        for _ in range(UNTIL_A_PLAN_IS_KEPT):
            session.rows(name, **values)
        before = _scans(session)
        session.rows(name, **values)
        after = _scans(session)
    assert [table for table in after if after[table] > before.get(table, 0)] == []


def test_a_search_keeps_no_plan_that_leaves_the_index_of_a_model(store: PostgresStore) -> None:
    """A plan for any model could not use it."""
    asked = {"model": MODEL, "vector": VECTOR, "limit": 64, **_any()}
    with store._session(LARGEST, write=False, searches=store._connections) as session:
        for _ in range(UNTIL_A_PLAN_IS_KEPT):
            session._indexed("nearest_vectors", DIMENSION, asked)
        before = _index_scans(session)
        session._indexed("nearest_vectors", DIMENSION, asked)
        assert _index_scans(session) == before + 1


def _index_scans(session: PostgresSession) -> int:
    row = session._connection.execute(
        b"SELECT pg_stat_get_xact_numscans(c.oid) AS scans FROM pg_class c"
        b" WHERE c.relname = 'vectors_0_vector_idx'"
    ).fetchone()
    assert row is not None
    return int(row["scans"])


IN_SOURCE = _any(resources=(7,), paths=((7, "src"),), languages=("python",))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("nearest_exactly", {"model": MODEL, "vector": VECTOR, "limit": 10, **IN_SOURCE}),
        ("count_unembedded", {"limit": 1000, **IN_SOURCE}),
    ],
)
def test_what_a_source_has_is_found_by_its_index_in_a_large_org(
    store: PostgresStore, name: str, values: dict[str, object]
) -> None:
    with store._session(LARGEST, write=False) as session:
        plan = "\n".join(_plan(session, name, values))
    assert "chunks_0_org_resource_key_idx" in plan, plan
    assert "Seq Scan" not in plan, plan


@pytest.mark.parametrize("actor", [ACTOR, LARGEST])
def test_vectors_are_counted_without_a_scan_in_any_org(store: PostgresStore, actor: Actor) -> None:
    asked = {**OPENED, "tags": None}
    with store._session(actor, write=False) as session:
        before = _scans(session)
        counted = session.row("open_nearest", **asked)
        assert _scans(session) == before
        readable = session._connection.execute(b"SELECT count(*) FROM vectors").fetchone()
    assert counted is not None
    assert readable is not None
    assert counted["vectors"] == min(readable["count"], 5001)


@pytest.mark.parametrize("name", ["nearest_vectors", "nearest_passing"])
def test_the_index_of_a_model_finds_its_nearest(store: PostgresStore, name: str) -> None:
    statement = loaded_statements()[name]
    sized = statement.sql.replace("halfvec(384)", f"halfvec({DIMENSION})")
    values = {"model": MODEL, "vector": VECTOR, "limit": 64, **_any()}
    with store._session(LARGEST, write=False) as session:
        plan = "\n".join(_plan(session, name, values, sized))
    assert "using vectors_0_vector_idx" in plan, plan
    assert "Seq Scan" not in plan, plan


def _plan(
    session: PostgresSession, name: str, values: dict[str, object], sql: str | None = None
) -> list[str]:
    explained = f"EXPLAIN {sql or loaded_statements()[name].sql}"
    return [row["QUERY PLAN"] for row in session._execute(name, values, explained)]


def test_a_scan_would_be_seen_as_the_role_that_is_bound_by_row_security(
    store: PostgresStore,
) -> None:
    with store._session(LARGEST, write=False) as session:
        before = _scans(session).get("changes", 0)
        for path in ("indexscan", "indexonlyscan", "bitmapscan"):
            session._connection.execute(f"SET LOCAL enable_{path} = off".encode())
        found = session._connection.execute(
            b"SELECT DISTINCT org, current_user AS role FROM changes"
        ).fetchall()
        assert _scans(session)["changes"] == before + 1
    assert found == [{"org": LARGEST.org, "role": APPLICATION}]
