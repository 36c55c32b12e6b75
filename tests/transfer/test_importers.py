"""Files of other memory servers, in the shapes that those servers write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commonplace.errors import InvalidArgument
from commonplace.model.query import ANYTHING
from commonplace.operations.transfer.basic_memory import read_note
from tests.generate import ALICE
from tests.stores import MakeDatabase
from tests.transfer.places import Server

GRAPH: list[dict[str, Any]] = [
    {"type": "entity", "name": "Harbour", "entityType": "Service", "observations": ["runs on Go"]},
    {"type": "relation", "from": "Harbour", "to": "Ledger", "relationType": "writes_to"},
    {"type": "relation", "from": "Beacon", "to": "Harbour", "relationType": "watches"},
    {"type": "entity", "name": "Ledger", "entityType": "database", "observations": []},
]
NOTE = """---
title: Coffee
type: guide
tags: [coffee, brewing]
permalink: drinks/coffee
status: draft
when: 2024-01-15
---

# Coffee

- [method] Pour over keeps the flavour clear #brewing #slow (from a tasting)
- [ ] a task, not an observation
- [x] a task that is done
- [a link](https://example.org) is none either
- requires [[Grinding]] (always)
- [[Water]]
- see also [[Tea|the tea page]]

```
- [code] is not an observation
```
"""


@pytest.fixture
def server(make_database: MakeDatabase) -> Server:
    return Server(make_database("sqlite"))


def entries(server: Server) -> dict[str, Any]:
    with server.store.read(ALICE) as tx:
        return {e.content.title: e for e in tx.entries.page(ANYTHING, 100, 0)}


def lines(documents: list[dict[str, Any]]) -> list[str]:
    return [json.dumps(document) for document in documents]


def test_a_graph_becomes_notes(server: Server) -> None:
    report = server.transfer.take_graph(ALICE, [*lines(GRAPH), "", "  "], dry_run=False)
    assert report.added["entries"] == 3
    found = entries(server)
    harbour = found["Harbour"].content
    assert harbour.body == "- runs on Go\n- writes_to [[Ledger]]"
    assert harbour.tags == ("service",)
    assert harbour.attributes["relations"] == [{"type": "writes_to", "to": "Ledger"}]
    assert found["Beacon"].content.body == "- watches [[Harbour]]", "related, but never described"
    assert found["Ledger"].content.body == "Ledger"


def test_a_graph_that_grew_is_a_revision(server: Server) -> None:
    server.transfer.take_graph(ALICE, lines(GRAPH), dry_run=False)
    again = server.transfer.take_graph(ALICE, lines(GRAPH), dry_run=False)
    assert (again.writes, again.unchanged.total()) == (0, 3)
    more = {**GRAPH[0], "observations": ["runs on Go", "has two replicas"]}
    grown = server.transfer.take_graph(ALICE, lines([more, *GRAPH[1:]]), dry_run=False)
    assert (grown.added.total(), grown.changed.total()) == (0, 1)
    assert entries(server)["Harbour"].revision == 2


BAD_LINES = [
    "nonsense",
    "[]",
    '{"type":"thing"}',
    '{"type":"entity"}',
    '{"type":"entity","name":5}',
    '{"type":"entity","name":"x","observations":"one"}',
    '{"type":"entity","name":"x","observations":[1]}',
    '{"type":"relation","from":"a","to":"b"}',
    r'{"type":"entity","name":"half \ud83d"}',
    r'{"type":"entity","name":"x","observations":["a\u0000"]}',
]


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_bad_line_of_a_graph_is_named(server: Server, bad: str) -> None:
    with pytest.raises(InvalidArgument, match="line 5: "):
        server.transfer.take_graph(ALICE, [*lines(GRAPH), bad], dry_run=False)
    assert entries(server) == {}


def test_a_note_keeps_its_text_and_what_it_says() -> None:
    row = read_note("drinks/Coffee.md", NOTE)
    assert row["title"] == "Coffee"
    assert row["tags"] == ["coffee", "brewing", "slow"]
    assert row["body"].startswith("# Coffee\n")
    attributes = row["attributes"]
    assert attributes["observations"] == [
        {
            "category": "method",
            "content": "Pour over keeps the flavour clear #brewing #slow",
            "tags": ["brewing", "slow"],
            "context": "from a tasting",
        }
    ]
    assert [(r["type"], r["to"], r["context"]) for r in attributes["relations"]] == [
        ("requires", "Grinding", "always"),
        ("links_to", "Water", ""),
        ("see also", "Tea", ""),
    ]
    assert attributes["metadata"] == {"status": "draft", "when": "2024-01-15"}
    assert (attributes["permalink"], attributes["type"]) == ("drinks/coffee", "guide")


def test_a_bare_note_is_called_by_its_file() -> None:
    row = read_note("a/b.md", "words\n")
    assert (row["title"], row["body"]) == ("b", "words")
    assert row["attributes"] == {"permalink": "a/b", "type": "note"}
    assert read_note("a/b.md", "---\ntags: 'x, #y'\n---\nwords")["tags"] == ["x", "y"]


def test_a_folder_of_notes_is_taken_once(server: Server) -> None:
    files = [("drinks/Coffee.md", NOTE), ("Tea.md", "leaves")]
    report = server.transfer.take_files(ALICE, files, read_note, dry_run=False)
    assert report.added["entries"] == 2
    again = server.transfer.take_files(ALICE, files, read_note, dry_run=False)
    assert again.writes == 0
    changed = [("drinks/Coffee.md", NOTE + "\nmore")]
    assert server.transfer.take_files(ALICE, changed, read_note, dry_run=False).changed.total() == 1
