"""The outcome of reading a folder, as a value and as a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model.folder import Unread

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """How many files were written, moved and removed, and which could not be read.

    `error` is the reason if the reading failed; `overtaken` means that another run replaced it.
    """

    written: int = 0
    moved: int = 0
    removed: int = 0
    unread: tuple[Unread, ...] = ()
    error: str | None = None
    overtaken: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.written or self.moved or self.removed)


NOTHING_READ = Reading()
OVERTAKEN = Reading(overtaken=True)


def unread_note(unread: Sequence[Unread]) -> str | None:
    """A sentence about the files that were not read; the first few are named."""
    if not unread:
        return None
    named = "; ".join(f"{each.path}: {each.reason}" for each in unread[:_NAMED])
    more = f" and {len(unread) - _NAMED} more" if len(unread) > _NAMED else ""
    return f"Not read: {named}{more}"
