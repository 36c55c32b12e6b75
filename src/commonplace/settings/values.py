"""Shared by all settings: the prefix, lists, addresses."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, ConfigDict

ENV_PREFIX = "COMMONPLACE_"
# Only the complete Settings class is validated; the parts need not build a validator at start-up.
PART = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def names_of(listed: str) -> list[str]:
    """The names in a comma-separated setting."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def lowered_names_of(listed: str) -> frozenset[str]:
    return frozenset(name.lower() for name in names_of(listed))


def _only_http(value: str) -> str:
    if value and not (urlsplit(value).scheme in ("http", "https") and urlsplit(value).netloc):
        raise ValueError("must start with http:// or https://")
    return value


HttpAddress = Annotated[str, AfterValidator(_only_http)]
