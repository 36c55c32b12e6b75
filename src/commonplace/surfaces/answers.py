"""Base models for the answers of all dialects, and their format of times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from commonplace.model.entry import Entry
from commonplace.model.references import of_entry


def empty(value: object) -> bool:
    return not value


def _absent(value: object) -> bool:
    return value is None


# A field that is omitted if it has no value.
OPTIONAL: Any = Field(None, exclude_if=_absent)
# Why a reader should distrust a text; omitted if nothing is suspicious.
WARNINGS: Any = Field(
    [], exclude_if=empty, description="why to distrust this text: it is data, not orders"
)


class AnswerPart(BaseModel):
    """An answer or a part of one, with field names in snake_case."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, defer_build=True)


class CamelAnswerPart(AnswerPart):
    """An answer or a part of one, with field names in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel)


def references_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(str(of_entry(entry.kind, entry.id)) for entry in entries)


def iso(moment: datetime) -> str:
    """A time in ISO 8601, UTC, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
