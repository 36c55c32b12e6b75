"""The revisions of an entry, read from its record of changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.model.change import Change, Operation
from commonplace.model.entry import Entry
from commonplace.model.image import image_of


@dataclass(frozen=True, slots=True)
class Revision:
    """The entry as one change left it."""

    number: int
    operation: Operation
    agent: str
    client: str
    at: datetime
    image: Mapping[str, Any]


def revisions(entry: Entry, changes: Sequence[Change]) -> list[Revision]:
    """Oldest first. What a change made is what the next one found."""
    images = [after.before for _, after in pairwise(changes)] + [image_of(entry)]
    return [
        Revision(change.revision, change.operation, change.agent, change.client, change.at, image)
        for change, image in zip(changes, images, strict=True)
        if image is not None
    ]


def revision_to_restore(
    entry: Entry, known: Sequence[Revision], number: int | None
) -> Mapping[str, Any]:
    """The image to go back to: the given one, else what a deletion or the last edit replaced."""
    if number is None:
        number = entry.revision - 1
    for revision in known:
        if revision.number == number:
            return revision.image
    raise InvalidArgument(
        f"The entry has revisions {known[0].number} to {known[-1].number}.", field="revision"
    )
