"""What the page after an action says of it, and how it is taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from commonplace.console.words import plural

_MOST = 200
_LONGEST_COUNT = 4


@dataclass(frozen=True, slots=True)
class Deed:
    """`{}` stands for how many; `undoes` says that going back one revision takes it back."""

    text: str
    many: str = ""
    undoes: bool = False


DEEDS: Mapping[str, Deed] = {
    "saved": Deed("Saved as a new revision.", undoes=True),
    "added": Deed("Added."),
    "deleted": Deed("Deleted.", "{} deleted.", undoes=True),
    "tagged": Deed("Tagged.", "{} tagged.", undoes=True),
    "untagged": Deed("The tag was taken off.", "The tag was taken off {}.", undoes=True),
    "expired": Deed("It expires now.", "{} expire now.", undoes=True),
    "restored": Deed("Restored.", "{} restored."),
    "superseded": Deed("Superseded.", undoes=True),
    "accepted": Deed("Accepted.", "{} accepted."),
    "rejected": Deed("Rejected.", "{} rejected."),
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
    """`undo` are entries, each with the revision to go back to."""

    text: str
    undo: tuple[str, ...] = ()


def notice_of(query: Mapping[str, str]) -> Notice | None:
    deed = DEEDS.get(query.get("done", ""))
    if deed is None:
        return None
    steps = query.get("of", "").split()
    undo = tuple(one for one in steps if "@" in one)[:_MOST] if deed.undoes else ()
    count, left = _number(query.get("n", ""), 1), _number(query.get("left", ""), 0)
    counted = count != 1 and deed.many
    text = deed.many.format(plural(count, "entry", "entries")) if counted else deed.text
    if left:
        text += f" {plural(left, 'entry', 'entries')} left alone: not yours, or changed meanwhile."
    return Notice(text, undo)


def _number(given: str, otherwise: int) -> int:
    return int(given) if given.isdecimal() and len(given) <= _LONGEST_COUNT else otherwise
