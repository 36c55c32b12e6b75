"""Reconstructs the revisions of an entry from its change record."""

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
    """All revisions, oldest first: a change's result is the next change's old state."""
    images = [after.before for _, after in pairwise(changes)] + [image_of(entry)]
    return [
        Revision(change.revision, change.operation, change.agent, change.client, change.at, image)
        for change, image in zip(changes, images, strict=True)
        if image is not None
    ]


def revision_to_restore(
    entry: Entry, known: Sequence[Revision], number: int | None
) -> Mapping[str, Any]:
    """The revision's image to go back to; by default, the one before the last change."""
    if number is None:
        number = entry.revision - 1
    for revision in known:
        if revision.number == number:
            return revision.image
    raise InvalidArgument(
        f"The entry has revisions {known[0].number} to {known[-1].number}.", field="revision"
    )
