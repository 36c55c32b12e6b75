"""Cursors of the record of changes: a permutation that belongs to one org."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import InvalidArgument
from commonplace.operations.audit.cursors import Cursors

OURS, THEIRS = Cursors(b"k" * 32, "acme"), Cursors(b"k" * 32, "umbrella")


@given(st.integers(0, 2**63 - 1))
def test_a_cursor_leads_back_to_its_number(number: int) -> None:
    assert OURS.opened(OURS.sealed(number)) == number


def test_cursors_of_neighbours_have_nothing_in_common() -> None:
    shown = [OURS.sealed(number) for number in range(1, 2001)]
    assert len(set(shown)) == 2000
    steps = {int(b[:16], 16) - int(a[:16], 16) for a, b in pairwise(shown)}
    assert len(steps) == 1999
    assert shown != sorted(shown)


def test_the_beginning_and_what_is_refused() -> None:
    assert OURS.opened("") == 0
    right = OURS.sealed(7)
    for wrong in ("7", "zz", right[:-2], right + "00", "00" * 12, THEIRS.sealed(7)):
        with pytest.raises(InvalidArgument, match="after"):
            OURS.opened(wrong)
