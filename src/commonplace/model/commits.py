"""Commits of a repository."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

# The chunk kind of stored commits.
COMMIT_KIND = "commit"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit. `files` are those it touched; `lines` is how many of the examined lines it wrote.

    Uncommitted work has an empty `id`. `message` is only filled where it was requested.
    """

    id: str
    author: str = ""
    at: datetime | None = None
    subject: str = ""
    lines: int = 0
    files: tuple[str, ...] = ()
    message: str = ""
