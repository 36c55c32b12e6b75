"""Everything canonical as lines of JSON: from any store into any other, once, or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.canonical import DERIVED, INITIAL_VALUES, SERVER_TABLES
from commonplace.model.entry import EntryContent, EntryKind, Place
from commonplace.model.query import ANYTHING
from commonplace.model.run import RunKind, Target
from commonplace.model.workspace import KnowledgeType, ResourceDraft, ResourceKind
from commonplace.operations.transfer.jsonl import header
from tests.generate import ALICE, EVE
from tests.stores import DIALECTS, MakeDatabase
from tests.transfer.places import Server, canonical_rows, fill

ATTACHED = ResourceDraft("res_1", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///src", "src")
NOTEBOOK = ResourceDraft("nb", ResourceKind.NOTEBOOK, KnowledgeType.NOTEBOOK, "notes:x", "x")
ACROSS = [("sqlite", "postgres"), ("postgres", "sqlite")]


@pytest.fixture
def source(dialect: str, make_database: MakeDatabase) -> Server:
    server = Server(make_database(dialect))
    fill(server)
    return server


@pytest.fixture
def empty(dialect: str, make_database: MakeDatabase) -> Server:
    """Of the other dialect."""
    other = next(name for name in DIALECTS if name != dialect)
    return Server(make_database(other))


def without_imports(lines: list[str]) -> list[str]:
    return [line for line in lines if '"entity":"import"' not in line]


def test_an_export_goes_through_the_other_store_and_comes_back_the_same(
    source: Server, empty: Server
) -> None:
    exported = source.lines()
    report = empty.transfer.take_lines(ALICE, exported, dry_run=False)
    assert report.added.total() == len(exported) - 1
    assert sorted(without_imports(empty.lines())) == sorted(exported)
    tables = {json.loads(line)["table"] for line in exported[1:]}
    assert {"verdicts", "contributions", "feedback", "reviews", "blobs", "attachments"} <= tables
    files = [json.loads(line)["row"] for line in exported if '"table":"documents"' in line]
    assert [file["path"] for file in files] == ["pushed.py"], "what was read can be read again"
    assert not tables & (DERIVED.keys() | SERVER_TABLES.keys())


def test_importing_twice_changes_nothing(source: Server, empty: Server) -> None:
    exported = source.lines()
    empty.transfer.take_lines(ALICE, exported, dry_run=False)
    before = empty.lines()
    again = empty.transfer.take_lines(ALICE, exported, dry_run=False)
    assert (again.writes, again.kept.total()) == (0, 0)
    assert again.unchanged.total() == len(exported) - 1
    assert empty.lines() == before
    assert source.transfer.take_lines(ALICE, exported, dry_run=False).writes == 0


def test_history_and_supersession_come_along(source: Server, empty: Server) -> None:
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    assert empty.knowledge.history(ALICE, "gone") == source.knowledge.history(ALICE, "gone")
    assert empty.knowledge.get(ALICE, "n-1").entry.head == "n-2"
    restored = empty.knowledge.restore(ALICE, "gone")
    assert restored.content.body == "gone"
    with empty.store.read(ALICE) as tx:
        brought = [change for change in tx.changes.since(0, 100) if change.entity == "import"]
        (unit,) = [e for e in tx.entries.page(ANYTHING, 100, 0) if e.id == "odd/../id"]
        assert tx.contributions.contributor_of(unit) == "alice"
        assert tx.verdicts.about([unit.key])[unit.key]
        resource = tx.sources.get("ks_1")
    assert [(c.agent, c.client) for c in brought] == [("alice", "test-client")]
    assert resource is not None
    assert resource.sync.status.value == "pending"


def test_what_was_taken_in_waits_to_be_indexed(source: Server, empty: Server) -> None:
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    assert {waiting.org for waiting in empty.store.due_work()} == {"acme", "umbrella"}


def test_tags_come_as_searches_ask_for_them(source: Server, empty: Server) -> None:
    tagged = EntryContent("Tagged", "tagged", tags=("API", "api", "web"))
    for kind in (EntryKind.NOTE, EntryKind.ITEM):
        source.knowledge.add(ALICE, kind, tagged, id=f"tagged-{kind.value}")
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    note, item = (empty.knowledge.get(ALICE, f"tagged-{kind}").entry for kind in ("note", "item"))
    assert (note.content.tags, item.content.tags) == (("api", "web"), ("api", "web"))


def test_bytes_of_a_skill_that_was_taken_in_are_its_own(source: Server, empty: Server) -> None:
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    with empty.store.write(ALICE) as tx:
        skill = tx.entries.get("n-0", EntryKind.SKILL)
        assert skill is not None
        assert tx.blobs.digests_of(skill) == [skill.content.attributes["files"][0]["digest"]]


def test_what_was_attached_is_read_again(source: Server, empty: Server) -> None:
    """Nobody has to ask for it: a folder from the disk, what was pushed from its bytes.

    Its commits are brought with it, and are no folder to read.
    """
    with source.store.write(ALICE) as tx:
        tx.resources.insert(ATTACHED)
        tx.resources.insert(replace(ATTACHED, id="res_2", knowledge_type=KnowledgeType.HISTORY))
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    targets: list[Target] = []
    with empty.store.write(ALICE) as tx:
        while target := tx.runs.claim(tx.now + timedelta(seconds=60)):
            targets.append(target)
    read = [target.subject for target in targets if target.kind is RunKind.INGEST]
    assert read == [{"resource": ATTACHED.id, "anew": False, "whole": True}]


def test_one_org_leaves_the_others_alone(source: Server, empty: Server) -> None:
    exported = source.lines("umbrella")
    assert all('"acme"' not in line for line in exported)
    empty.transfer.take_lines(EVE, exported, dry_run=False)
    assert empty.store.orgs() == ["umbrella"]
    with pytest.raises(NotFound):
        source.lines("nobody")


def test_a_dry_run_says_the_same_and_writes_nothing(source: Server, empty: Server) -> None:
    exported = source.lines()
    rehearsed = empty.transfer.take_lines(ALICE, exported, dry_run=True)
    assert empty.lines() == [exported[0]]
    assert rehearsed.added == empty.transfer.take_lines(ALICE, exported, dry_run=False).added


def test_what_is_there_is_kept(source: Server) -> None:
    exported = source.lines()
    source.knowledge.edit(EVE, "n-0", source.knowledge.get(EVE, "n-2").entry.content)
    report = source.transfer.take_lines(ALICE, exported, dry_run=False)
    assert (report.writes, dict(report.kept)) == (0, {"entries": 1})
    assert source.knowledge.get(EVE, "n-0").entry.revision == 2


ORG = '{"table":"orgs","row":{"org":"acme","created_at":1}}'
BAD = {
    "not json": "nonsense",
    "no object": "[1]",
    "no row": '{"table":"entries"}',
    "unknown table": '{"table":"secrets","row":{}}',
    "derived table": '{"table":"chunks","row":{}}',
    "unknown column": '{"table":"orgs","row":{"org":"x","created_at":1,"color":"red"}}',
    "nothing referred to": '{"table":"contributions","row":{"entry_key":7,"org":"acme"}}',
    "an entry that lacks things": '{"table":"entries","row":{"org":"acme","id":"x"}}',
    "not base64": '{"table":"blobs","row":{"org":"acme","digest":"d","data":"%%%"}}',
    "an impossible value": '{"table":"feedback","row":{"org":"acme","agent":"a","subject":"s",'
    '"verdict":"maybe","confidence":0.5,"factors":[],"teaches":true,"at":1}}',
    "a missing value": '{"table":"feedback","row":{"org":"acme"}}',
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_line_is_named_and_nothing_is_written(database_server: Server, bad: str) -> None:
    lines = [header(1), ORG, BAD[bad]]
    with pytest.raises(InvalidArgument, match="line 3: ") as refused:
        database_server.transfer.take_lines(ALICE, lines, dry_run=False)
    assert "SELECT" not in refused.value.message
    assert database_server.store.orgs() == []


@pytest.fixture
def database_server(dialect: str, make_database: MakeDatabase) -> Server:
    return Server(make_database(dialect))


def test_all_bad_lines_are_told_at_once(make_database: MakeDatabase) -> None:
    server = Server(make_database("sqlite"))
    with pytest.raises(InvalidArgument, match="3 problems") as refused:
        server.transfer.take_lines(ALICE, [header(1), "x", ORG, "y", "z"], dry_run=False)
    assert [issue.path[0] for issue in refused.value.issues] == ["line 2", "line 4", "line 5"]


@pytest.mark.parametrize("first", ["", "{}", '{"format":"other"}', header(999), "[" * 100_000])
def test_a_file_that_is_no_export_is_refused(make_database: MakeDatabase, first: str) -> None:
    server = Server(make_database("sqlite"))
    with pytest.raises(InvalidArgument, match="line 1: "):
        server.transfer.take_lines(ALICE, [first, ORG], dry_run=False)


def rows_of(lines: list[str], table: str) -> list[dict[str, Any]]:
    documents = [json.loads(line) for line in lines[1:]]
    return [document["row"] for document in documents if document["table"] == table]


def changed_in(lines: list[str], table: str, **values: object) -> list[str]:
    """The same file, with these values in the first row of a table."""
    documents = [json.loads(line) for line in lines]
    found = next(document for document in documents if document.get("table") == table)
    found["row"] |= values
    return [json.dumps(document, ensure_ascii=False) for document in documents]


def without(lines: list[str], table: str) -> list[str]:
    return [line for line in lines if f'"table":"{table}"' not in line]


def test_what_refers_to_the_wrong_row_is_refused(source: Server, empty: Server) -> None:
    """As in a file that counted wrong: what belongs to a skill stood at a note."""
    exported = source.lines()
    entries = rows_of(exported, "entries")
    note = next(row["key"] for row in entries if (row["kind"], row["org"]) == ("note", "acme"))
    strange = next(row["key"] for row in entries if row["org"] == "umbrella")
    wrong = {
        "kind note": changed_in(exported, "contributions", entry_key=note),
        "another org": changed_in(exported, "accesses", entry_key=strange),
        "refers to nothing": changed_in(exported, "verdicts", entry_key=999),
        "there twice": changed_in(exported, "entries", key=2),
        "something of blobs": without(exported, "blobs"),
        "something of projects": changed_in(exported, "attachments", project_id="p-9"),
    }
    for message, lines in wrong.items():
        with pytest.raises(InvalidArgument, match=message):
            empty.transfer.take_lines(ALICE, lines, dry_run=False)
        assert empty.lines() == exported[:1]


def test_a_note_of_a_notebook_stays_in_it(source: Server, empty: Server) -> None:
    """Its key is another one on the other server, in the note and in what was before it."""
    with source.store.write(ALICE) as tx:
        notebook = tx.resources.insert(NOTEBOOK)
    within = EntryContent("A", "first", place=Place(resource=notebook.key))
    for kind, id in ((EntryKind.NOTEBOOK_NOTE, "nb-1"), (EntryKind.RECORD, "nb-2")):
        source.knowledge.add(ALICE, kind, within, id=id)
    source.knowledge.edit(ALICE, "nb-1", replace(within, body="second"))
    with empty.store.write(ALICE) as tx:
        for number in range(3):
            tx.resources.insert(replace(NOTEBOOK, id=f"r{number}", locator=f"x:{number}"))
    empty.transfer.take_lines(ALICE, source.lines(), dry_run=False)
    with empty.store.read(ALICE) as tx:
        taken = tx.resources.at(NOTEBOOK.knowledge_type, NOTEBOOK.locator)
    assert taken is not None
    assert taken.key != notebook.key
    assert empty.knowledge.get(ALICE, "nb-2").entry.content.place.resource == taken.key
    assert empty.knowledge.restore(ALICE, "nb-1").content.place.resource == taken.key


def test_both_stores_know_the_same_tables_and_every_table_is_moved_or_named(
    make_database: MakeDatabase,
) -> None:
    """A table that somebody adds is moved, unless it is named as derived or the server's own."""
    shapes = []
    for dialect in DIALECTS:
        with canonical_rows(make_database(dialect)).reading() as reader:
            shapes.append({t.name: t for t in reader.tables()})
    sqlite, postgres = shapes
    assert sqlite.keys() == postgres.keys()
    for name, table in sqlite.items():
        other = postgres[name]
        assert set(table.columns) == set(other.columns), name
        assert table.key == other.key, name
        assert table.references == other.references, name
        assert sorted(table.unique) == sorted(other.unique), name
        assert table.binary == other.binary, name
        assert table.plain >= other.plain, f"{name}: JSON in SQLite needs CHECK (json_valid(...))"
        assert table.unique or table.key, f"{name}: rows need something to be known again by"
    assert INITIAL_VALUES.keys() <= sqlite.keys()
    for name, column in (("entries", "tags"), ("changes", "before"), ("reviews", "moment")):
        assert column not in sqlite[name].plain, "SQLite knows it as JSON"


UNHEARD_OF = (10**30, [1, 2], {"a": [1]}, "half \ud83d", "a\0b", float("inf"))


@pytest.mark.parametrize("value", UNHEARD_OF, ids=ascii)
@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("entries", "expires_at"),
        ("blobs", "digest"),
        ("resources", "digest"),
        ("reviews", "reason"),
    ],
)
def test_a_value_that_no_store_can_hold_is_reported_with_its_line(
    source: Server, empty: Server, table: str, column: str, value: object
) -> None:
    exported = source.lines()
    number = next(n for n, line in enumerate(exported) if f'"table":"{table}"' in line)
    document = json.loads(exported[number])
    document["row"][column] = value
    lines = [*exported[:number], json.dumps(document), *exported[number + 1 :]]
    with pytest.raises(InvalidArgument) as refused:
        empty.transfer.take_lines(ALICE, lines, dry_run=True)
    assert f"line {number + 1}: {column} " in refused.value.message


@pytest.mark.parametrize(("table", "column"), [("resources", "digest"), ("entries", "expires_at")])
def test_a_number_where_none_can_be_is_reported(
    source: Server, empty: Server, table: str, column: str
) -> None:
    exported = source.lines()
    number = next(n for n, line in enumerate(exported) if f'"table":"{table}"' in line)
    document = json.loads(exported[number])
    document["row"][column] = 2**62
    lines = [*exported[:number], json.dumps(document), *exported[number + 1 :]]
    with pytest.raises(InvalidArgument) as refused:
        empty.transfer.take_lines(ALICE, lines, dry_run=True)
    assert f"line {number + 1}: " in refused.value.message
