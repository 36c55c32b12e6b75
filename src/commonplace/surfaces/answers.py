"""What answers of all dialects have in common: frozen shapes, and times as clients read them."""

from __future__ import annotations

from datetime import UTC, datetime

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Shown(BaseModel):
    """A part of an answer, in snake_case."""

    model_config = ConfigDict(frozen=True, populate_by_name=True, defer_build=True)


class CamelShown(Shown):
    """A part of an answer, in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel)


def iso(moment: datetime) -> str:
    """A time to the millisecond, in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
