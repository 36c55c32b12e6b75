"""How often a server looks for circles among its objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from commonplace.server.lifecycle.garbage import collect_seldom, freeze_objects


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


def _looks() -> int:
    return sum(generation["collections"] for generation in gc.get_stats())


def test_what_one_call_makes_is_looked_through_once_at_most() -> None:
    collect_seldom()
    before = _looks()
    made = [[number] for number in range(20_000)]
    assert _looks() - before <= 1, f"{len(made)} objects"


def test_circles_are_still_found() -> None:
    collect_seldom()
    before = _looks()
    for _ in range(100_000):
        circle: list[object] = []
        circle.append(circle)
    assert _looks() > before


def test_what_is_kept_for_good_is_not_looked_through() -> None:
    freeze_objects()
    assert gc.get_freeze_count() > len(gc.get_objects())
