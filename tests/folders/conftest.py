"""Yards on stores of their own."""

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
    """A yard on the SQLite file of that name; several may share one."""
    with ExitStack() as opened:

        def make(name: str) -> Yard:
            store = open_store(str(tmp_path / f"{name}.db"), wall_clock)
            opened.callback(store.close)
            yard = Yard(store)
            opened.callback(yard.close)
            return yard

        yield make
