"""Fixtures of multi-process tests: processes that end with the test, and a shared database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.multiprocess.spawn import Members
from tests.stores import MakeDatabase


@pytest.fixture
def members(tmp_path: Path) -> Iterator[Members]:
    started = Members(tmp_path)
    yield started
    started.kill_all()


@pytest.fixture
def home(tmp_path: Path) -> str:
    """The home folder of embedded servers."""
    return str(tmp_path / "home")


@pytest.fixture
def address(dialect: str, home: str, make_database: MakeDatabase) -> str:
    """The address of a database; the first process creates the embedded one."""
    return home if dialect == "sqlite" else make_database(dialect).address
