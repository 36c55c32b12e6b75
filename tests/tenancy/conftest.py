"""Worlds for the tenancy tests: each has a new store; all share one model."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import SecretStr

from commonplace.retrieval.service import statistics
from commonplace.settings import EVERY_SURFACE, Settings
from tests.tenancy.world import OpenWorld, World
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

_DIMENSION = 16
_WORD = re.compile(r"\w+")


def by_words(asked: Asked) -> Answered:
    """Embeddings in which texts with the same words are near each other."""
    return vectors([_vector(text) for text in asked.inputs])


def _vector(text: str) -> list[float]:
    places = [0.1] * _DIMENSION
    for word in _WORD.findall(text.lower()):
        places[zlib.crc32(word.encode()) % _DIMENSION] += 1.0
    return places


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_children: None, kept_connections: None) -> None:
    """Reuse stateless child processes and connections from one world to the next."""


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with local_endpoint(by_words) as running:
        yield running.url


@pytest.fixture
def network() -> bool:
    """Whether the orgs of the worlds form a network; tests may override it."""
    return True


@pytest.fixture
def open_world(
    dialect: str,
    network: bool,
    tmp_path: Path,
    portal: BlockingPortal,
    endpoint: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> OpenWorld:
    """A function that opens worlds, with term statistics uncached: a cache could hide a leak."""
    monkeypatch.setattr(statistics, "_STATISTICS_SECONDS", 0.0)
    numbers = count()

    def settings(url: str | None) -> Settings:
        return Settings(
            home=tmp_path / f"home-{next(numbers)}",
            database_url=SecretStr(url) if url else None,
            embedding_url=endpoint,
            embedding_model="words",
            embedding_dimension=_DIMENSION,
            network=network,
            surfaces=",".join(EVERY_SURFACE),
        )

    def open_one() -> World:
        if dialect == "sqlite":
            return World(settings(None), portal)
        databases = request.getfixturevalue("postgres_databases")
        address = databases.lend()
        return World(settings(address), portal, lambda: databases.take_back(address))

    return open_one
