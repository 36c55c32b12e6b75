"""What the page after an action says of it, and how it is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from commonplace.console.words import plural

_MOST = 200
_LONGEST_COUNT = 4


@dataclass(frozen=True, slots=True)
class Deed:
    """`{}` stands for how many; `undo_at` is the address where it is taken back."""

    text: str
    many: str = ""
    undo_at: str = ""


_REVISION = "/knowledge/undo"
_DECISION = "/review/undo"


DEEDS: Mapping[str, Deed] = {
    "saved": Deed("Saved as a new revision.", undo_at=_REVISION),
    "added": Deed("Added."),
    "deleted": Deed("Deleted.", "{} deleted.", undo_at=_REVISION),
    "tagged": Deed("Tagged.", "{} tagged.", undo_at=_REVISION),
    "untagged": Deed("The tag was taken off.", "The tag was taken off {}.", undo_at=_REVISION),
    "expired": Deed("It expires now.", "{} expire now.", undo_at=_REVISION),
    "restored": Deed("Restored.", "{} restored."),
    "superseded": Deed("Superseded.", undo_at=_REVISION),
    "accepted": Deed("Accepted.", "{} accepted.", undo_at=_DECISION),
    "rejected": Deed("Rejected.", "{} rejected.", undo_at=_DECISION),
    "reopened": Deed("It waits again.", "{} wait again."),
    "source-added": Deed("Added; it is being read.", "{} added; they are being read."),
    "source-removed": Deed("Removed."),
    "read-again": Deed("It is read again now."),
    "folder-added": Deed("Attached; it is being indexed."),
    "folder-changed": Deed("Saved."),
    "detached": Deed("Detached. The files stay where they are."),
    "project-removed": Deed("The project was removed. The files stay where they are."),
    "retried": Deed("What was given up is tried again."),
    "revoked": Deed("Revoked. It is refused within seconds."),
    "org-made": Deed("The org is there."),
    "org-erased": Deed("The org was erased with everything that it had."),
    "purged": Deed("Purged. Nothing brings it back."),
    "signed-out": Deed("You are signed out."),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """`undo` is what is taken back at an address: moments, or entries with a revision to go to."""

    text: str
    undo: tuple[str, ...] = ()
    undo_at: str = ""


def notice_of(query: Mapping[str, str]) -> Notice | None:
    deed = DEEDS.get(query.get("done", ""))
    if deed is None:
        return None
    steps = query.get("of", "").split() if deed.undo_at else []
    undo = tuple(one for one in steps if ("@" in one) is (deed.undo_at == _REVISION))[:_MOST]
    count, left = _number(query.get("n", ""), 1), _number(query.get("left", ""), 0)
    counted = count != 1 and deed.many
    text = deed.many.format(plural(count, "entry", "entries")) if counted else deed.text
    if left:
        text += f" {plural(left, 'entry', 'entries')} left alone: not yours, or changed meanwhile."
    return Notice(text, undo, deed.undo_at)


def _number(given: str, otherwise: int) -> int:
    return int(given) if given.isdecimal() and len(given) <= _LONGEST_COUNT else otherwise
