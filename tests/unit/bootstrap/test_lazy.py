"""What is put together is made when it is asked for, once, and ends with the rest."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from commonplace.bootstrap.adapters import Adapters
from commonplace.bootstrap.lazy import lazy_property
from commonplace.errors import StorageUnavailable
from commonplace.settings import Settings
from tests.stores import SteppingClock


class Maker:
    """Whatever is asked of it is made only when both threads have asked."""

    def __init__(self) -> None:
        self.asking = threading.Barrier(2)
        self.made: list[object] = []

    @lazy_property
    def thing(self) -> object:
        """Made so slowly that another thread would begin, if it were let."""
        threading.Event().wait(0.05)
        self.made.append(object())
        return self.made[-1]

    def asked(self) -> object:
        self.asking.wait()
        return self.thing


def test_two_threads_make_one() -> None:
    maker = Maker()
    with ThreadPoolExecutor(2) as threads:
        first, second = [thread.result() for thread in [threads.submit(maker.asked) for _ in "ab"]]
    assert first is second is maker.thing
    assert len(maker.made) == 1


class Closing:
    def __init__(self, name: str, closed: list[str]) -> None:
        self._name = name
        self._closed = closed

    def close(self) -> None:
        self._closed.append(self._name)


def test_what_was_made_later_is_closed_first_and_nothing_is_made_to_be_closed(
    tmp_path: Path,
) -> None:
    closed: list[str] = []
    adapters = Adapters(Settings(home=tmp_path), SteppingClock())
    adapters.closing(Closing("first", closed))
    adapters.closing(Closing("second", closed))
    adapters.close()
    assert closed == ["second", "first"]
    assert not {"reader", "cutters", "model", "memory"} & vars(adapters).keys()


def test_a_closed_application_closes_what_is_made_too_late(tmp_path: Path) -> None:
    closed: list[str] = []
    adapters = Adapters(Settings(home=tmp_path), SteppingClock())
    adapters.close()
    adapters.close()
    with pytest.raises(StorageUnavailable, match="closed"):
        adapters.closing(Closing("late", closed))
    assert closed == ["late"]
    for name in ("reader", "cutters", "model", "shared_cache", "stored_texts"):
        with pytest.raises(StorageUnavailable, match="closed"):
            getattr(adapters, name)
