"""The rules of supersession chains, which lead from an entry to its newest successor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from commonplace.errors import AlreadySuperseded, SupersessionCycle
from commonplace.model.entry import Entry


@dataclass(frozen=True, slots=True)
class Supersession:
    """The result of a supersession; `updated` counts the entries whose head changed."""

    old_id: str
    new_id: str
    head: str
    updated: int


def superseded(old: Entry, new: Entry) -> Entry | None:
    """The old entry with its successor set; None if it had that successor already."""
    if old.key == new.key:
        raise SupersessionCycle("An entry cannot supersede itself.")
    if old.superseded_by == new.id:
        return None
    if old.superseded_by is not None:
        raise AlreadySuperseded(f"The entry was already superseded by {old.superseded_by}.")
    head = new.head or new.id
    if head == old.id:
        raise SupersessionCycle
    return replace(old, superseded_by=new.id, head=head)


def repointed(followers: Sequence[Entry], head: str) -> list[Entry]:
    """The entries that ended at a superseded one, with the new head."""
    return [replace(follower, head=head) for follower in followers]


def released(entry: Entry, chain: Sequence[Entry]) -> tuple[Entry, list[Entry]]:
    """The entry without its successor, and the entries of its chain that now end at it."""
    by_successor: dict[str, list[Entry]] = {}
    for member in chain:
        by_successor.setdefault(member.superseded_by or "", []).append(member)
    leading, found = [entry.id], []
    while leading:
        for member in by_successor.get(leading.pop(), []):
            found.append(member)
            leading.append(member.id)
    return replace(entry, superseded_by=None, head=None), repointed(found, entry.id)
