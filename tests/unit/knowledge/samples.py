"""Entries and changes for tests of the pure rules."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

from commonplace.model.change import Change, Operation
from commonplace.model.entry import Entry, EntryContent, EntryKind

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def entry(key: int, **given: Any) -> Entry:
    """An entry whose id is `e<key>`; content fields and entry fields may both be given."""
    of_content = {field.name for field in fields(EntryContent)}
    content = {name: given.pop(name) for name in of_content & given.keys()}
    return Entry(
        **{
            "key": key,
            "org": "acme",
            "id": f"e{key}",
            "kind": EntryKind.NOTE,
            "content": EntryContent(**{"title": "A title", "body": "A body", **content}),
            "source": "agent",
            "agent": "alice",
            "revision": 1,
            "created_at": NOW,
            "updated_at": NOW,
            **given,
        }
    )


def change(revision: int, operation: Operation, before: dict[str, Any] | None) -> Change:
    return Change(
        sequence=revision,
        org="acme",
        agent="alice",
        client="test",
        at=NOW + timedelta(minutes=revision),
        operation=operation,
        entity="entry",
        entity_id="note/e1",
        revision=revision,
        before=before,
    )
