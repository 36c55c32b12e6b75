"""Revisions read from the record of changes, and which one a restore goes back to."""

from __future__ import annotations

import pytest

from commonplace.errors import InvalidArgument
from commonplace.knowledge.history import revision_to_restore, revisions
from commonplace.model.change import Operation
from commonplace.model.image import image_of
from tests.unit.knowledge.samples import NOW, change, entry

FIRST = entry(1, body="first", revision=1)
SECOND = entry(1, body="second", revision=2)
DELETED = entry(1, body="second", revision=3, deleted_at=NOW)
CHANGES = [
    change(1, Operation.CREATE, None),
    change(2, Operation.EDIT, image_of(FIRST)),
    change(3, Operation.DELETE, image_of(SECOND)),
]


def test_each_revision_is_the_entry_as_its_change_left_it() -> None:
    known = revisions(DELETED, CHANGES)
    assert [(r.number, r.operation, r.image["body"]) for r in known] == [
        (1, Operation.CREATE, "first"),
        (2, Operation.EDIT, "second"),
        (3, Operation.DELETE, "second"),
    ]
    assert [r.image["deleted_at"] is None for r in known] == [True, True, False]
    assert [r.at for r in known] == [c.at for c in CHANGES]


def test_what_a_purge_blanked_is_no_revision() -> None:
    """The same id was used, purged, and used again."""
    changes = [
        change(1, Operation.CREATE, None),
        change(2, Operation.PURGE, None),
        change(1, Operation.CREATE, None),
    ]
    (only,) = revisions(FIRST, changes)
    assert (only.number, only.image["body"]) == (1, "first")


def test_without_a_number_the_last_change_is_undone() -> None:
    known = revisions(DELETED, CHANGES)
    assert revision_to_restore(DELETED, known, None)["body"] == "second"
    assert revision_to_restore(SECOND, known[:2], None)["body"] == "first"


def test_a_number_chooses_the_revision() -> None:
    known = revisions(DELETED, CHANGES)
    assert revision_to_restore(DELETED, known, 1)["body"] == "first"


@pytest.mark.parametrize("number", [-1, 0, 4, 99])
def test_an_unknown_revision_is_refused_with_the_known_ones(number: int) -> None:
    known = revisions(DELETED, CHANGES)
    with pytest.raises(InvalidArgument, match="1 to 3") as caught:
        revision_to_restore(DELETED, known, number)
    assert caught.value.field == "revision"
