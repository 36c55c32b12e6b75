"""Commits of a repository, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

# What the chunks of kept commits are called.
COMMIT_KIND = "commit"


@dataclass(frozen=True, slots=True)
class Commit:
    """`lines` are how many of those asked about it wrote last; `files` those that it touched.

    Of what is not committed yet there is no `id`; `message` is whole where it was asked for.
    """

    id: str
    author: str = ""
    at: datetime | None = None
    subject: str = ""
    lines: int = 0
    files: tuple[str, ...] = ()
    message: str = ""
