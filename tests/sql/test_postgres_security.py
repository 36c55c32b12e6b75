"""Row security, the second lock: what the application's role can do without the first one."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import errors

from commonplace.model.access import TokenDraft
from commonplace.model.activity import CallCount, Outcome, QuestionDraft
from commonplace.model.actor import ALL_SCOPES
from commonplace.model.capture import Feedback, FeedbackVerdict, ReviewDraft
from commonplace.model.entry import EntryKind
from commonplace.model.graph import CodeFile, Compiled, Edge, Symbol, symbol_key
from commonplace.model.run import RunKind
from commonplace.model.verdict import Peer
from commonplace.storage.port import CorpusStatistics, Transaction
from commonplace.storage.postings.lists import PostingLists
from tests.generate import ALICE, EVE, axis, embed_all, entry_draft, put_chunk, source_draft
from tests.postings.library import AT_ONCE, post_all
from tests.stores import PostgresDatabases, SteppingClock, open_store

# Functions that see across tenants, and why they may.
ACROSS_TENANTS = {
    "waiting_orgs": "names and urgency for workers, no content",
    "orgs_with_unposted": "names for background work",
    "number_of_orgs": "a number",
    "all_orgs": "names for background work",
    "work_waiting": "numbers for monitors",
    "ensure_vector_index": "makes an index, reads no row",
    "token_by_digest": "a caller is known by a token before the tenant is",
    "token_by_id": "an administrator revokes a token by its id",
    "any_token": "a yes or no",
    "plan_in_use": "a yes or no",
    "partitions_of": "numbers of partitions, asked before a tenant is bound",
}


# Tables that are nobody's, and why.
TENANTLESS = {
    "migrations": "the schema's own record",
    "leases": "which process does what; no content",
    "plans": "what plans allow is the same for every org",
    "server_keys": "the installation's own secrets, of no org",
    "models": "which model serves, the same for every org",
    "org_moves": "orgs that come and go: names and states",
    "org_partitions": "where an org's rows lie; the application may not read it",
}


def put_graph(tx: Transaction, document: int) -> None:
    tx.code_files.put(CodeFile(document, 1, "a.ts", "ts", "hash", 1), (), b"facts")
    symbol = Symbol(symbol_key(document, 0), document, 1, 0, "f", "f", "function", True, 1, 0, 1, 1)
    tx.graph.put_symbols([symbol])
    tx.graph.put_edges(document, [Edge(document, 1, None, "f", "call", None, 0, "", 0.0, (1,))])
    tx.code_files.put_compiled([Compiled(document, "hash", b"data")])


@pytest.fixture(scope="module")
def address(postgres_databases: PostgresDatabases) -> str:
    """Every table has rows of two orgs: without rows, nobody asks for the tenant."""
    address = postgres_databases.migrated()
    store = open_store(address, SteppingClock(), postings=PostingLists(AT_ONCE))
    for actor in (ALICE, EVE):
        with store.write(actor) as tx:
            entry = tx.entries.insert(entry_draft("n-1"))
            tx.accesses.count([entry.key])
            tx.questions.add([QuestionDraft("a", "c", tx.now, "t", "q", Outcome.FOUND, ())])
            tx.call_counts.add([CallCount(tx.now, "t", "ok", 1, 1)])
            tx.feedback.add(Feedback("d-1", FeedbackVerdict.CONFIRM, 0.5))
            tx.contributions.add(entry, "x")
            tx.verdicts.put(entry, Peer("y", "z"), valid=True, feedback="")
            tx.reviews.add(ReviewDraft("r-1", "print", {}, 0.5, "low", "near"))
            put_chunk(tx, 1, "text")
            files = [{"path": "a", "digest": tx.blobs.put(b"data", "text/plain"), "size": 4}]
            tx.entries.insert(entry_draft("s-1", EntryKind.SKILL, attributes={"files": files}))
            document = tx.sources.put_document(tx.sources.insert(source_draft("ks_1")), "hash", 1)
            put_graph(tx, document)
            tx.files.touch(document, ["a.ts"])
            tx.runs.start(RunKind.REBUILD, [{}])
            tx.statistics.save(CorpusStatistics(1, 1, 1.0, {}, tx.now), None)
            tx.tokens.add(TokenDraft(f"tok-{actor.org}", "a", "n", ALL_SCOPES, actor.org, None))
            tx.allowances.assign("free")
            tx.allowances.override("knowledge_stored", 5)
        embed_all(store, actor, lambda _: [axis(1)])
    post_all(store)
    for actor in (ALICE, EVE):
        with store.write(actor) as tx:
            put_chunk(tx, 2, "queued")
    store.close()
    return address


@pytest.fixture
def application(address: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address) as connection:
        connection.execute("SET LOCAL ROLE commonplace_app")
        connection.execute("SET LOCAL search_path = commonplace, public")
        yield connection
        connection.rollback()


def _bind(connection: psycopg.Connection, org: str) -> None:
    connection.execute("SELECT set_config('commonplace.org', %s, true)", (org,))
    connection.execute("SELECT set_config('commonplace.network', 'on', true)")


def _tables_with_tenants(connection: psycopg.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT table_name FROM information_schema.columns "
        "WHERE table_schema = 'commonplace' AND column_name = 'org' ORDER BY 1"
    ).fetchall()
    return [row[0] for row in rows]


def test_every_table_has_a_tenant_or_a_reason_to_have_none(
    application: psycopg.Connection,
) -> None:
    """A table added without a tenant has to be named, and with one it needs a policy."""
    rows = application.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace "
        "AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1"
    ).fetchall()
    assert {row[0] for row in rows} - set(_tables_with_tenants(application)) <= TENANTLESS.keys()


def test_every_policy_asks_for_the_tenant(application: psycopg.Connection) -> None:
    """Every table has one for its own rows; others may only let rows be read."""
    rows = application.execute(
        "SELECT tablename, policyname, cmd, qual FROM pg_policies WHERE schemaname = 'commonplace'"
    ).fetchall()
    own = {table for table, name, command, _ in rows if (name, command) == ("own", "ALL")}
    assert own == set(_tables_with_tenants(application))
    for table, name, command, condition in rows:
        assert command == "SELECT" or "current_org()" in condition, (table, name)


def test_every_table_with_a_tenant_has_row_security(application: psycopg.Connection) -> None:
    rows = application.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'commonplace'::regnamespace "
        "AND relkind IN ('r', 'p') AND NOT relispartition AND relrowsecurity ORDER BY 1"
    ).fetchall()
    assert [row[0] for row in rows] == _tables_with_tenants(application)
    assert {"entries", "chunks", "passages", "vectors"} <= set(_tables_with_tenants(application))


def test_partitions_are_reached_through_the_whole_only(application: psycopg.Connection) -> None:
    """Row security without a policy shows nothing, and nothing is granted either."""
    rows = application.execute(
        "SELECT c.relname, c.relrowsecurity, EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid) "
        "FROM pg_class c WHERE relnamespace = 'commonplace'::regnamespace "
        "AND relkind = 'r' AND relispartition"
    ).fetchall()
    assert {row[0] for row in rows} >= {"chunks_0", "passages_0", "vectors_0"}
    _bind(application, "acme")
    for name, secured, has_policy in rows:
        assert (secured, has_policy) == (True, False), name
        with pytest.raises(errors.InsufficientPrivilege), application.transaction():
            application.execute(f"SELECT FROM {name}".encode())


@pytest.mark.parametrize("bound", [None, ""])
def test_without_a_tenant_every_table_raises(
    application: psycopg.Connection, bound: str | None
) -> None:
    if bound is not None:
        _bind(application, bound)
    for table in _tables_with_tenants(application):
        with pytest.raises(psycopg.DatabaseError, match="no tenant"), application.transaction():
            application.execute(f"SELECT count(*) FROM {table}".encode())


def test_statements_that_forget_the_tenant_see_only_its_rows(
    application: psycopg.Connection,
) -> None:
    _bind(application, "acme")
    for table in _tables_with_tenants(application):
        rows = application.execute(f"SELECT DISTINCT org FROM {table}".encode()).fetchall()
        assert {row[0] for row in rows} <= {"acme"}, table


def test_rows_of_others_can_be_neither_written_nor_changed(
    application: psycopg.Connection,
) -> None:
    _bind(application, "acme")
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("INSERT INTO orgs (org, created_at) VALUES ('stolen', 1)")
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("UPDATE entries SET org = 'umbrella'")
    for table in ("entries", "chunks", "blobs"):
        deleted = application.execute(f"DELETE FROM {table} WHERE org = 'umbrella'".encode())
        assert deleted.rowcount == 0


def test_the_record_of_changes_can_only_be_blanked(application: psycopg.Connection) -> None:
    _bind(application, "acme")
    for command in ("DELETE FROM changes", "UPDATE changes SET agent = 'somebody else'"):
        with pytest.raises(errors.InsufficientPrivilege), application.transaction():
            application.execute(command.encode())
    assert application.execute("UPDATE changes SET before = NULL").rowcount > 0


def test_a_token_cannot_be_given_other_rights_or_another_owner(
    application: psycopg.Connection,
) -> None:
    _bind(application, "acme")
    for column in ("org", "agent", "scopes", "digest", "expires_at"):
        with pytest.raises(errors.InsufficientPrivilege), application.transaction():
            application.execute(f"UPDATE tokens SET {column} = {column}".encode())
    with pytest.raises(errors.InsufficientPrivilege), application.transaction():
        application.execute("DELETE FROM tokens")
    assert application.execute("UPDATE tokens SET revoked_at = 1").rowcount == 1


def test_the_application_is_bound_by_row_security(application: psycopg.Connection) -> None:
    rows = application.execute(
        "SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname LIKE 'commonplace%'"
    ).fetchall()
    assert {row[0] for row in rows} == {"commonplace_app", "commonplace_owner"}
    assert not any(row[1] or row[2] for row in rows)


def test_functions_of_the_owner_check_the_tenant(application: psycopg.Connection) -> None:
    rows = application.execute(
        "SELECT proname, prosrc, proconfig FROM pg_proc "
        "WHERE pronamespace = 'commonplace'::regnamespace AND prosecdef"
    ).fetchall()
    assert rows
    for name, source, settings in rows:
        assert any(setting.startswith("search_path=") for setting in settings or ()), name
        assert "current_org()" in source or name in ACROSS_TENANTS, name
