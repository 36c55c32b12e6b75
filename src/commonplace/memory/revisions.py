"""Actions on remembered entries and their results, as values."""

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


# The arguments that actions require.
NEEDS = {
    ReviseAction.RETAG: ("tags",),
    ReviseAction.SUPERSEDE: ("by",),
    ReviseAction.MERGE: ("by",),
    ReviseAction.KEEP: ("by",),
}
# The attribute with the ids of similar entries that somebody decided to keep apart.
KEPT_APART = "kept_apart"


@dataclass(frozen=True, slots=True)
class RevisionRequest:
    """An action with its arguments; `by` is the replacement, or the entry to keep apart from."""

    action: ReviseAction
    text: str | None = None
    title: str | None = None
    tags: tuple[str, ...] | None = None
    by: ShortReference | None = None
    expires: str = ""
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class Revised:
    """The result of an action: `summary` describes what was done, `undo` how to revert it."""

    reference: ShortReference
    summary: str
    undo: str = ""
