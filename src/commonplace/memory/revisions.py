"""What can be done to something that is remembered, and what came of it; as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.model.references import ShortReference


class ReviseAction(StrEnum):
    CORRECT = "correct"
    RETAG = "retag"
    SUPERSEDE = "supersede"
    MERGE = "merge"
    EXPIRE = "expire"
    FORGET = "forget"
    RESTORE = "restore"
    HELPED = "helped"
    MISLED = "misled"
    KEEP = "keep"


# What an action cannot do without.
NEEDS = {
    ReviseAction.RETAG: ("tags",),
    ReviseAction.SUPERSEDE: ("by",),
    ReviseAction.MERGE: ("by",),
    ReviseAction.KEEP: ("by",),
}
# Pairs that somebody looked at and decided to keep apart.
KEPT_APART = "kept_apart"


@dataclass(frozen=True, slots=True)
class RevisionRequest:
    """`by` is the entry that takes its place, or the one that it is kept apart from."""

    action: ReviseAction
    text: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    by: ShortReference | None = None
    expires: str = ""
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Revised:
    """`said` is what was done, `undo` how to take it back."""

    reference: ShortReference
    said: str
    undo: str = ""
