"""An entry as a row: the common target of all import formats, validated like any other entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid5

from commonplace.errors import InvalidArgument
from commonplace.knowledge.rules import LONG_AGO, checked
from commonplace.model.entry import EntryContent, EntryKind, Place, Visibility
from commonplace.model.times import from_micros, to_micros
from commonplace.text.gate import clean

CONTENT = (
    "title",
    "body",
    "tags",
    "visibility",
    "workspace",
    "space",
    "project",
    "confidence",
    "expires_at",
    "attributes",
    "category",
    "domain",
)
_IMPORTED = UUID("6f9f0d4e-3c1b-5a53-9d0c-2b7e6a1f4c88")
_LONGEST_NAME = 1000


def same_id(*parts: str) -> str:
    """A deterministic id, so that importing the same thing again finds it."""
    return str(uuid5(_IMPORTED, "\x1f".join(parts)))


def new_row(id: str, title: str, body: str, **fields: Any) -> dict[str, Any]:
    """The row of a new note; times and author are filled in later."""
    return {
        "id": id,
        "kind": EntryKind.NOTE.value,
        "title": title,
        "body": body,
        "tags": [],
        "visibility": Visibility.ORG.value,
        "workspace": None,
        "space": None,
        "project": None,
        "confidence": 0.8,
        "expires_at": None,
        "attributes": {},
        "category": None,
        "domain": None,
        "source": "import",
        **fields,
    }


def checked_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as it will be stored; InvalidArgument says what is wrong with it."""
    kind = _one_of(EntryKind, row["kind"], "kind")
    content = checked(_content(row), LONG_AGO)
    return {
        **row,
        "id": _name(row["id"], "id"),
        "kind": kind.value,
        "title": content.title,
        "body": content.body,
        "tags": list(content.tags),
    }


def _content(row: Mapping[str, Any]) -> EntryContent:
    tags, attributes = row["tags"], row["attributes"]
    if not isinstance(tags, Sequence) or isinstance(tags, str):
        raise InvalidArgument("tags must be a list.", field="tags")
    if not isinstance(attributes, Mapping):
        raise InvalidArgument("attributes must be a mapping.", field="attributes")
    confidence = row["confidence"]
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        raise InvalidArgument("confidence must be a number from 0 to 1.", field="confidence")
    return EntryContent(
        title=_text(row["title"], "title"),
        body=_text(row["body"], "body"),
        tags=tuple(_text(tag, "tags") for tag in tags),
        visibility=_one_of(Visibility, row["visibility"], "visibility"),
        place=Place(row["workspace"], row["space"], row["project"]),
        confidence=float(confidence),
        expires_at=_moment(row["expires_at"], "expires_at"),
        attributes=attributes,
    )


def _moment(value: object, field: str) -> datetime | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        try:
            return from_micros(value)
        except OverflowError:
            pass
    raise InvalidArgument(f"{field} must be a number of microseconds since 1970.", field=field)


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise InvalidArgument(f"{field} must be text.", field=field)
    return value


def _name(value: object, field: str) -> str:
    name = clean(_text(value, field), field=field, max_chars=_LONGEST_NAME)
    if not name.strip():
        raise InvalidArgument(f"{field} must not be empty.", field=field)
    return name


def _one_of(choices: type[Any], value: object, field: str) -> Any:
    try:
        return choices(value)
    except ValueError:
        allowed = ", ".join(choice.value for choice in choices)
        raise InvalidArgument(f"{field} must be one of {allowed}.", field=field) from None


def micros_of(value: object, field: str) -> int | None:
    """Parse a time (ISO 8601, or a YAML value); without a zone it is UTC."""
    if value is None:
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return to_micros(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise InvalidArgument(
            f"{field} must be a time such as 2030-01-31T12:00:00Z.", field=field
        ) from None
