"""Yards (folders that are indexed and watched), each on its own store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.folders.yard import Yard
from tests.processes import wall_clock
from tests.stores import open_store

NewYard = Callable[[str], Yard]


@pytest.fixture
def new_yard(tmp_path: Path) -> Iterator[NewYard]:
    """A function that makes a yard on a named SQLite file; several yards may share one."""
    with ExitStack() as opened:

        def make(name: str) -> Yard:
            store = open_store(str(tmp_path / f"{name}.db"), wall_clock)
            opened.callback(store.close)
            yard = Yard(store)
            opened.callback(yard.close)
            return yard

        yield make
