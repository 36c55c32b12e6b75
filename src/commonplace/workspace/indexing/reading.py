"""The outcome of reading a folder, as a value and as a sentence."""

from __future__ import annotations

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

    @property
    def unread_note(self) -> str | None:
        """A sentence about the files that were not read; the first few are named."""
        if not self.unread:
            return None
        named = "; ".join(f"{each.path}: {each.reason}" for each in self.unread[:_NAMED])
        more = f" and {len(self.unread) - _NAMED} more" if len(self.unread) > _NAMED else ""
        return f"Not read: {named}{more}"


NOTHING_READ = Reading()
OVERTAKEN = Reading(overtaken=True)
