"""One insert for a hundred retries at once, on PostgreSQL, also while Redis dies and comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import pytest
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.knowledge.values import Stored
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind, Visibility
from commonplace.model.query import Filter
from commonplace.model.quota import KNOWLEDGE_STORED
from commonplace.settings import Settings
from tests.redis_servers import RedisServer
from tests.stores import MakeDatabase

ADA = Actor("acme", "ada")
RETRIES = 100
CONTENT = EntryContent(title="Title", body="A body.", visibility=Visibility.ORG)


@pytest.fixture
def nodes(
    make_database: MakeDatabase, tmp_path: Path, redis_server: RedisServer
) -> Iterator[list[Application]]:
    """Two server processes' worth of the product on one database and one Redis."""
    settings = Settings(
        home=tmp_path,
        database_url=SecretStr(make_database("postgres").address),
        redis_url=SecretStr(redis_server.url),
        worker=False,
    )
    nodes = [build(settings) for _ in range(2)]
    yield nodes
    for node in nodes:
        node.close()


def store(node: Application, token: str) -> Stored:
    return node.knowledge.add_once(ADA, EntryKind.NOTE, CONTENT, token=token)


def at_once(nodes: list[Application], token: str, release: threading.Event) -> list[Stored]:
    def retry(number: int) -> Stored:
        release.wait(60)
        return store(nodes[number % len(nodes)], token)

    with ThreadPoolExecutor(max_workers=32) as pool:
        return list(pool.map(retry, range(RETRIES)))


def used(node: Application) -> int:
    _, quotas = node.quotas.of(ADA)
    return next(quota.used for quota in quotas if quota.metric == KNOWLEDGE_STORED)


def entries(node: Application) -> int:
    return node.knowledge.page(ADA, Filter(), 1)[1]


def released() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def test_a_hundred_retries_store_once(nodes: list[Application], redis_server: RedisServer) -> None:
    token = str(uuid4())
    answers = at_once(nodes, token, released())
    assert len(set(map(repr, answers))) == 1
    assert (entries(nodes[0]), used(nodes[0])) == (1, 1)
    with redis_server.client() as client:
        assert list(client.scan_iter()) == [], "a purge could not erase it there"


def test_also_while_redis_restarts(nodes: list[Application], redis_server: RedisServer) -> None:
    for _ in range(3):
        token, before = str(uuid4()), entries(nodes[0])
        release = threading.Event()
        restarting = threading.Thread(target=_restart, args=(redis_server, release))
        restarting.start()
        answers = at_once(nodes, token, release)
        restarting.join()
        assert len({answer.id for answer in answers}) == 1
        assert entries(nodes[0]) == before + 1
        assert store(nodes[0], token).id == answers[0].id, "the row is the authority"
    assert used(nodes[0]) == 3


def _restart(server: RedisServer, release: threading.Event) -> None:
    release.set()
    server.kill()
    server.start()


def test_another_token_agent_or_org_is_another_call(nodes: list[Application]) -> None:
    token = str(uuid4())
    store(nodes[0], token)
    store(nodes[0], str(uuid4()))
    for actor in (Actor("acme", "bob"), Actor("zoo", "ada")):
        nodes[0].knowledge.add_once(actor, EntryKind.NOTE, CONTENT, token=token)
    assert entries(nodes[0]) == 3
    assert used(nodes[0]) == 3
