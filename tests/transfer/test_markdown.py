"""Entries as Markdown files: there and back the same, edited by hand, or refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.errors import InvalidArgument
from commonplace.model.change import Operation
from commonplace.model.entry import EntryContent, EntryKind, Place
from commonplace.operations.transfer.markdown import file_name, file_text, read_file
from tests.generate import ALICE
from tests.stores import DIALECTS, MakeDatabase
from tests.transfer.places import Server, fill

FILE = "---\nid: {id}\nkind: note\ntitle: A title\n{more}---\n\n{body}\n"


@pytest.fixture
def server(dialect: str, make_database: MakeDatabase) -> Server:
    return Server(make_database(dialect))


def take(server: Server, files: dict[str, str], *, dry_run: bool = False) -> dict[str, int]:
    report = server.transfer.take_files(ALICE, files.items(), read_file, dry_run=dry_run)
    counts = {"added": report.added, "changed": report.changed, "unchanged": report.unchanged}
    return {name: count.total() for name, count in counts.items() if count}


def test_files_go_through_the_other_store_and_come_back_the_same(
    server: Server, make_database: MakeDatabase
) -> None:
    fill(server)
    files = server.files()
    other = Server(make_database(next(d for d in DIALECTS if d != server.database.dialect)))
    assert take(other, files) == {"added": len(files)}
    assert other.files() == files
    assert take(other, files) == {"unchanged": len(files)}
    assert len(files) == len(set(files)) == 8, "the deleted one is left out"
    assert all(".." not in name for name in files)


def test_an_edited_file_is_a_revision(server: Server) -> None:
    fill(server)
    name, text = next((n, t) for n, t in server.files("umbrella").items() if "zebra number 1" in t)
    assert take(server, {name: text.replace("number 1", "number one")}) == {"changed": 1}
    entry = server.knowledge.get(ALICE, "n-1").entry
    assert entry.content.body == "zebra number 1", "another org's note of the same id"
    with pytest.raises(InvalidArgument, match="revision"):
        take(server, {name: text.replace("number 1", "number 1.5")})


def test_the_revision_is_recorded_with_what_was_before(server: Server) -> None:
    server.transfer.take_files(
        ALICE, [("a.md", FILE.format(id="x", more="", body="first"))], read_file, dry_run=False
    )
    take(server, {"a.md": FILE.format(id="x", more="tags: [t]\n", body="second")})
    first, second = server.knowledge.history(ALICE, "x")
    assert (first.operation, second.operation) == (Operation.CREATE, Operation.EDIT)
    assert (first.image["body"], second.image["body"]) == ("first", "second")
    assert (second.agent, second.client) == ("alice", "test-client")
    assert server.knowledge.restore(ALICE, "x").content.body == "first"


def test_a_note_of_a_notebook_that_was_edited_as_a_file_stays_in_it(server: Server) -> None:
    notebook = EntryContent("A", "first", place=Place(resource=7))
    server.knowledge.add(ALICE, EntryKind.NOTEBOOK_NOTE, notebook, id="nb-1")
    ((name, text),) = server.files().items()
    assert take(server, {name: text.replace("first", "second")}) == {"changed": 1}
    assert server.knowledge.restore(ALICE, "nb-1").content == notebook


def test_a_deleted_entry_stays_deleted(server: Server) -> None:
    file = {"a.md": FILE.format(id="x", more="", body="first")}
    take(server, file)
    server.knowledge.delete(ALICE, "x")
    again = take(server, {"a.md": FILE.format(id="x", more="", body="second")})
    assert (again, server.files()) == ({}, {})
    assert server.knowledge.restore(ALICE, "x").content.body == "first"


def test_a_file_without_front_matter_is_a_note_by_its_name(server: Server) -> None:
    assert take(server, {"folder/my idea.md": "Just text.\n"}) == {"added": 1}
    assert take(server, {"folder/my idea.md": "Just text.\n"}) == {"unchanged": 1}
    (text,) = server.files().values()
    assert "title: my idea\n" in text
    assert text.endswith("\n\nJust text.\n")


BAD = {
    "not yaml": ("---\na: [\n---\n\nx\n", "YAML"),
    "not a mapping": ("---\n- a\n---\n\nx\n", "mapping"),
    "an alias": ("---\ntags: &a [x]\nattributes: {b: *a}\n---\n\nx\n", "aliases"),
    "an unknown field": ("---\ncolour: red\n---\n\nx\n", "colour"),
    "an unknown kind": ("---\nkind: secret\n---\n\nx\n", "kind must be one of"),
    "a wrong visibility": ("---\nvisibility: all\n---\n\nx\n", "visibility"),
    "a wrong confidence": ("---\nconfidence: high\n---\n\nx\n", "confidence"),
    "too much confidence": ("---\nconfidence: 2\n---\n\nx\n", "confidence"),
    "a wrong time": ("---\nexpires_at: soon\n---\n\nx\n", "expires_at"),
    "tags that are no list": ("---\ntags: x\n---\n\nx\n", "tags"),
    "a number for a title": ("---\ntitle: 5\n---\n\nx\n", "title"),
    "an empty body": ("---\ntitle: x\n---\n\n\n", "body"),
    "a date in attributes": ("---\nattributes: {d: 2001-01-01}\n---\n\nx\n", "attributes"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_file_is_named_and_nothing_is_written(make_database: MakeDatabase, bad: str) -> None:
    server = Server(make_database("sqlite"))
    text, message = BAD[bad]
    good = FILE.format(id="good", more="", body="x")
    with pytest.raises(InvalidArgument, match=f"b.md: .*{message}"):
        take(server, {"a.md": good, "b.md": text})
    assert server.files() == {}
    assert take(server, {"a.md": good}, dry_run=True) == {"added": 1}
    assert server.files() == {}


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@example(title="a\x85b", body="\x85", tags=["\u2028"], attributes={"\x85": "\u2029x"})
@given(
    title=TEXT.filter(str.strip),
    body=TEXT,
    tags=st.lists(TEXT, max_size=3),
    attributes=st.dictionaries(TEXT, VALUES, max_size=3),
)
def test_whatever_an_entry_says_is_read_back(
    title: str, body: str, tags: list[str], attributes: dict[str, object]
) -> None:
    row = {
        "id": "x",
        "kind": "note",
        "org": "acme",
        "title": title,
        "body": body,
        "tags": tags,
        "visibility": "org",
        "workspace": None,
        "space": None,
        "project": "yes",
        "category": None,
        "domain": None,
        "confidence": 0.5,
        "expires_at": 1,
        "source": "agent",
        "agent": "a",
        "created_at": 1,
        "updated_at": 2,
        "revision": 3,
        "superseded_by": None,
        "head": None,
        "attributes": attributes,
    }
    read = read_file("x.md", file_text(row))
    assert {name: read.get(name) for name in row} == row
    assert file_name(row).startswith("acme/note/")
