"""The notice shown after an action, and how to undo it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from commonplace.text.plural import plural

_MOST = 200
_LONGEST_COUNT = 4


@dataclass(frozen=True, slots=True)
class ActionNotice:
    """The notice of one kind of action; `many` is for several entries, `undo_at` undoes it."""

    text: str
    many: str = ""
    undo_at: str = ""


_REVISION = "/knowledge/undo"
_DECISION = "/review/undo"
_SOURCE = "/sources/undo"


ACTION_NOTICES: Mapping[str, ActionNotice] = {
    "saved": ActionNotice("Saved as a new revision.", undo_at=_REVISION),
    "added": ActionNotice("Added."),
    "deleted": ActionNotice("Deleted.", "{} deleted.", undo_at=_REVISION),
    "tagged": ActionNotice("Tagged.", "{} tagged.", undo_at=_REVISION),
    "untagged": ActionNotice("Tag removed.", "Tag removed from {}.", undo_at=_REVISION),
    "expired": ActionNotice("Expired.", "{} expired.", undo_at=_REVISION),
    "restored": ActionNotice("Restored.", "{} restored."),
    "superseded": ActionNotice("Superseded.", undo_at=_REVISION),
    "accepted": ActionNotice("Accepted.", "{} accepted.", undo_at=_DECISION),
    "rejected": ActionNotice("Rejected.", "{} rejected.", undo_at=_DECISION),
    "reopened": ActionNotice("Back in review.", "{} back in review."),
    "source-added": ActionNotice("Added; it is being read.", "{} added; they are being read."),
    "source-removed": ActionNotice("Removed.", undo_at=_SOURCE),
    "source-restored": ActionNotice("Back again; it is being read."),
    "read-again": ActionNotice("Reading it again."),
    "folder-added": ActionNotice("Attached; it is being indexed."),
    "folder-changed": ActionNotice("Saved."),
    "detached": ActionNotice("Detached. The files are not changed."),
    "project-removed": ActionNotice("Project removed. The files are not changed."),
    "retried": ActionNotice("Failed work is being retried."),
    "revoked": ActionNotice("Revoked. Servers refuse it within seconds."),
    "org-made": ActionNotice("Org created."),
    "org-erased": ActionNotice("Org erased with everything it stored."),
    "purged": ActionNotice("Purged permanently."),
    "signed-out": ActionNotice("You are signed out."),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice, and what to send to `undo_at` to undo: ids, of entries with a revision."""

    text: str
    undo: tuple[str, ...] = ()
    undo_at: str = ""


def notice_of(query: Mapping[str, str]) -> Notice | None:
    action = ACTION_NOTICES.get(query.get("done", ""))
    if action is None:
        return None
    steps = query.get("of", "").split() if action.undo_at else []
    undo = tuple(one for one in steps if ("@" in one) is (action.undo_at == _REVISION))[:_MOST]
    count, left = _number(query.get("n", ""), 1), _number(query.get("left", ""), 0)
    counted = count != 1 and action.many
    text = action.many.format(plural(count, "entry", "entries")) if counted else action.text
    if left:
        skipped = plural(left, "entry", "entries")
        text += f" {skipped} skipped: not yours, or changed in the meantime."
    return Notice(text, undo, action.undo_at)


def _number(given: str, default: int) -> int:
    return int(given) if given.isdecimal() and len(given) <= _LONGEST_COUNT else default
