"""The two folders of statements: described, congruent, complete, and bound to a tenant."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from commonplace.storage.sqlite.connections import open_connection
from commonplace.storage.sqlite.migrate import migrate
from commonplace.storage.statements import Statement, parameters_of
from tests.sql.folders import PACKAGES, bare, load, shared

# Which partitions a statement reads and adds to, where there are any.
PARTITIONS = {"part", "parts"}
USED = re.compile(r"(?<![:\w]):([a-z]\w*)")

TENANT_TABLES = (
    "entries",
    "chunks",
    "passages",
    "passage_tokens",
    "passages_fts",
    "vectors",
    "changes",
    "blobs",
    "runs",
    "targets",
    "statistics",
    "touched_files",
    "code_files",
    "symbols",
    "edges",
    "compiled_files",
    "tokens",
    "quota_overrides",
)
ON_TENANT_TABLE = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:{'|'.join(TENANT_TABLES)})\b")
# What reads tenant tables without binding a tenant, and why that is right.
UNBOUND = {
    "waiting_work": "workers look across tenants: names and urgency, no content",
    "orgs_to_post": "workers look across tenants: names, no content",
    "work_waiting": "monitors look across tenants: numbers, no content",
    "partition_work": "an operator's upkeep, by size: names of orgs, no content",
    "vector_models": "a restore makes indexes anew: names of models, no content",
    "token_by_digest": "a caller is known by a token before the tenant is",
    "token_by_id": "an administrator revokes a token by its id",
    "any_token": "whether callers need a token at all",
}


@pytest.mark.parametrize("dialect", PACKAGES)
def test_every_name_line_is_read_and_used_once(dialect: str) -> None:
    folder = files(PACKAGES[dialect]) / "queries"
    text = "\n".join(file.read_text("utf-8") for file in folder.iterdir())
    named = re.findall(r"^-- name: (\w+)", text, re.MULTILINE)
    assert sorted(named) == sorted(load(dialect))


@pytest.mark.parametrize("dialect", PACKAGES)
def test_a_statement_is_one_and_described(dialect: str) -> None:
    for name, statement in load(dialect).items():
        assert re.fullmatch(r"[A-Z].*\.", statement.description), name
        assert set(statement.parameters) == set(USED.findall(bare(statement))), name
        assert bare(statement).count(";") == 1, name
        assert "/*" not in statement.sql, name


def test_parameters_are_read_from_the_sql_and_not_from_what_is_said_or_quoted() -> None:
    sql = "SELECT ':no', a::text FROM t -- or :this\nWHERE a = :b AND c = :a AND d = :b;"
    assert parameters_of(sql) == ("b", "a")


def test_both_folders_have_the_same_statements() -> None:
    sqlite, postgres = load("sqlite"), load("postgres")
    for name in shared():
        assert name in sqlite, f"{name} is missing in sqlite or lacks `only here` in postgres"
        assert name in postgres, f"{name} is missing in postgres or lacks `only here` in sqlite"


def test_a_shared_statement_has_one_signature() -> None:
    for name in shared():
        sqlite, postgres = (load(dialect)[name] for dialect in PACKAGES)
        assert set(sqlite.parameters) == set(postgres.parameters) - PARTITIONS, name
        assert sqlite.description == postgres.description, name


@pytest.mark.parametrize("dialect", PACKAGES)
def test_a_statement_on_tenant_data_binds_the_tenant(dialect: str) -> None:
    for name, statement in load(dialect).items():
        if name in UNBOUND or not ON_TENANT_TABLE.search(bare(statement)):
            assert ":org" not in bare(statement) or "org" in statement.parameters, name
        else:
            assert ":org" in bare(statement), name


def test_every_exception_is_needed() -> None:
    known = [load(dialect) for dialect in PACKAGES]
    assert all(any(name in found for found in known) for name in UNBOUND)
    assert all(":org" not in bare(s[name]) for name in UNBOUND for s in known if name in s)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    file: Path = tmp_path_factory.mktemp("sql") / "plans.db"
    migrate(file)
    connection = open_connection(file)
    yield connection
    connection.close()


def test_every_statement_prepares_on_sqlite(connection: sqlite3.Connection) -> None:
    refused = {}
    for name, statement in load("sqlite").items():
        try:
            connection.execute(f"EXPLAIN {statement.sql}", dict.fromkeys(statement.parameters))
        except sqlite3.Error as error:
            refused[name] = str(error)
    assert refused == {}


LARGE_TABLES = (
    "entries",
    "chunks",
    "passages",
    "vectors",
    "changes",
    "blobs",
    "vector_removals",
    "code_files",
    "symbols",
    "edges",
)
PARTIAL_INDEXES = (
    "entries_shared_newest",
    "chunks_shared",
    "verdicts_shared",
    "chunks_waiting",
    "chunks_pending",
    "chunks_previewed",
    "chunks_failed",
)
WALKS_THROUGH_AN_ORG = {
    "chunk_counts": "counts an org's chunks",
    "embedded_otherwise": "the chunks of another model, in an index that covers it, up to a limit",
    "count_embedded_by": "counts an org's chunks",
    "tally_entries": "counts an org's entries",
    "tally_feedback": "counts an org's feedback",
    "tally_factors": "counts an org's feedback",
    "unlearn_feedback": "changes an org's feedback",
    "wanted_keys": "the chunks of an org that pass a filter, when the nearest do not",
    "sample_terms": "in the order of its index, up to a limit",
    "recent_runs": "in the order of its index, up to a limit",
    "readable_verdicts": "trust is computed from all of them",
    "forget_comments": "when something is purged",
    "recent_feedback": "in the order of its index, up to a limit",
    "withdraw_feedback": "from the newest on, until it is found",
    "source_of_origin": "from the newest on, until it is found",
    "sources_in_reach": "in the order of its index: what is asked for are all of them",
    "tokens_of_org": "what is asked for are all of them",
    "all_projects": "in the order of its index: what is asked for are all of them",
    "failed_chunks": "an index of failures only",
    "retry_failed_embeddings": "an index of failures only",
    "retry_failed_targets": "when a person asks for it, of all targets that an org ever had",
    "any_unembedded": "indexes of waiting and failed chunks only, up to the first",
    "count_unembedded": "indexes of waiting and failed chunks only, up to a limit",
    "bring_chunks_forward": "an index of waiting chunks only, once per worker",
    "waiting_work": "the first waiting chunk of each org",
    "ready_segments": "a handful of segments",
    "posting_segments": "a handful of segments",
    "unfinished_segments": "a handful of segments",
    "remove_unfinished_segments": "a handful of segments",
    "newest_unposted": "a queue, when something is purged",
    "lost_segments": "an index of places, once per worker",
    "unposted_keys": "a queue, up to a limit",
    "unposted_batch": "a queue, up to a limit",
    "forget_unposted": "a queue, when it has become long",
    "count_chunks": "an index, up to a limit",
    "orgs_to_post": "the queue of each org, up to a limit",
}


def test_statements_use_an_index_on_sqlite(connection: sqlite3.Connection) -> None:
    """No statement reads a large table from end to end, or an org's share of it unawares."""
    for name, statement in load("sqlite").items():
        for step in plan_of(connection, statement):
            if step.startswith("SCAN"):
                assert not scans_a_table(step), f"{name}: {step}"
            elif name not in WALKS_THROUGH_AN_ORG:
                assert not reads_all_of_an_org(step) or "PRIMARY KEY" in step, f"{name}: {step}"


def test_walks_through_an_org_are_only_those_that_are_known(connection: sqlite3.Connection) -> None:
    walking = {
        name
        for name, statement in load("sqlite").items()
        if any(reads_all_of_an_org(step) for step in plan_of(connection, statement))
    }
    assert set(WALKS_THROUGH_AN_ORG) <= walking


def plan_of(connection: sqlite3.Connection, statement: Statement) -> list[str]:
    values = dict.fromkeys(statement.parameters)
    rows = connection.execute(f"EXPLAIN QUERY PLAN {statement.sql}", values).fetchall()
    return [row[3] for row in rows]


def reads_all_of_an_org(step: str) -> bool:
    """A bound on the model means only that there is one."""
    return step.endswith(("(org=?)", "(org=? AND embedding_model>?)"))


def scans_a_table(step: str) -> bool:
    """Virtual tables look things up by themselves; aliases are the first letters of tables."""
    if "VIRTUAL TABLE" in step or any(index in step for index in PARTIAL_INDEXES):
        return False
    scanned = step.split()[1]
    return any(scanned in (table, table[0]) for table in LARGE_TABLES)
