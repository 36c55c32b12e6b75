"""Every write of what is canonical leaves a line in the record of changes, in the same method."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.model.canonical import DERIVED, SERVER_TABLES
from commonplace.storage import tables
from tests.sql.folders import bare, load

FOLDER = Path(next(iter(tables.__path__)))
WRITES = re.compile(r"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(\w+)")
RECORDING = ("record_change", "_record", "self._record")
UNRECORDED = {
    "ensure_org": "an org begins with its first recorded write",
    "insert_change": "is the record",
    "blank_changes": "a purge, which is recorded",
    "forget_rejected": "what nobody is shown any more since a decision, which is recorded",
    "count_access": "reading is not a change",
    "queue_source": "how far reading has come",
    "settle_source": "how far reading has come",
    "queue_resources": "how far reading has come",
    "settle_resource": "how far reading has come",
    "watch_resources": "how far reading has come",
    "put_document": "what was read of a source",
    "put_file": "what was read of a folder",
    "move_file": "what was read of a folder",
    "remove_files": "what was read of a folder",
    "put_verdict": "recorded in the org of who gives it",
    "revalue_entry": "what verdicts make of a unit; each of them is recorded",
    "insert_contribution": "recorded with its entry",
    "insert_workspace_resource": "recorded with the attachment that it is made for",
    "renew_blobs": "how long bytes are kept, not what they are",
    "remove_resource": "recorded with its last attachment",
}


def writing_statements() -> dict[str, str]:
    """Statements that write a canonical table, and which."""
    beside = DERIVED.keys() | SERVER_TABLES.keys()
    beside |= {"passages_fts", "vector_removals", "leases", "models", "plans", "server_keys"}
    return {
        name: written[1]
        for name, statement in load("sqlite").items()
        if (written := WRITES.search(bare(statement))) and written[1] not in beside
    }


def methods() -> Iterator[tuple[str, str, set[str]]]:
    """Each method of a gateway: where it is, its text, the statements that it names."""
    for file in sorted([*FOLDER.glob("*.py"), FOLDER.parent / "transaction.py"]):
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                strings = {
                    one.value
                    for one in ast.walk(node)
                    if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
                yield f"{file.name}:{node.name}", ast.unparse(node), strings


METHODS = list(methods())


@pytest.mark.parametrize("statement", sorted(writing_statements()))
def test_a_canonical_write_is_recorded(statement: str) -> None:
    using = [(place, text) for place, text, strings in METHODS if statement in strings]
    assert using, "nobody uses it"
    if statement in UNRECORDED:
        return
    for place, text in using:
        assert any(word in text for word in RECORDING), f"{place} does not record {statement}"


def test_every_exception_is_needed() -> None:
    assert UNRECORDED.keys() <= writing_statements().keys()
