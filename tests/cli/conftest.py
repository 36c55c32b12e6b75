"""Settings of a new home or PostgreSQL database; logging is restored after each test."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stores import MakeDatabase


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The settings of an empty home."""
    return {"COMMONPLACE_HOME": str(tmp_path / "home")}


@pytest.fixture
def place(dialect: str, home: dict[str, str], make_database: MakeDatabase) -> dict[str, str]:
    """The settings of an empty store of either kind."""
    if dialect == "sqlite":
        return home
    return home | {"COMMONPLACE_DATABASE_URL": make_database(dialect).address}


@pytest.fixture(scope="module", autouse=True)
def _keeps_children(kept_children: None) -> None:
    """Reuse child processes for commands that run in this process."""


@pytest.fixture(autouse=True)
def light(one_bundled_model: None) -> None:
    """Share one loaded model."""


@pytest.fixture(autouse=True)
def untouched_logging() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("commonplace", "uvicorn")]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, state in zip(loggers, before, strict=True):
        logger.handlers, logger.level, logger.propagate = state
