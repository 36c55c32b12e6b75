"""Which names one slip of the fingers makes of another."""

from __future__ import annotations

import pytest

from commonplace.codegraph.answering.places import near_spellings


@pytest.mark.parametrize("written", ["load", "lod", "laod", "losd", "loaad", "loa", "LOAD"])
def test_a_slip_leads_back_to_the_name(written: str) -> None:
    assert "load" in near_spellings(written)


def test_two_slips_and_long_names_stay_few() -> None:
    assert "load" not in near_spellings("ladd_")
    assert len(near_spellings("x" * 5_000)) < 4_000
