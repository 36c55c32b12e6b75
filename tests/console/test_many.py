"""Pages of many entries cost what pages of few do: nothing is read whole to show a part of it.

Counted are the steps of SQLite's machine; `tests/sql/test_postgres_plans.py` has the other store.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from commonplace.application import Application, LazyApplication
from commonplace.bootstrap import build
from commonplace.model.activity import Outcome, QuestionDraft
from commonplace.model.entry import EntryKind, Place
from commonplace.settings import Settings
from commonplace.storage.sqlite import connections
from tests.console.library import PERSON
from tests.generate import entry_draft, source_draft
from tests.server.rest_client import rest_client
from tests.stores import START, SteppingClock, open_store

FEW = 200
TIMES = 10
# Trees of more rows are a level deeper, and no more.
DEEPER = 1.25
PAGES = (
    "/",
    "/knowledge",
    "/knowledge?kind=note",
    "/knowledge?tag=red",
    "/knowledge?project=shop",
    "/knowledge?agent=tests",
    "/knowledge?state=all",
    "/knowledge/e-7",
    "/knowledge/e-7/history",
    "/skills",
    "/skills?kind=unit",
    "/sources",
    "/review",
    "/activity/audit",
    "/activity/questions",
)
NEXT = re.compile(r'rel="next" href="([^"]+)"')


class Steps:
    """How much SQLite's machine did, in tens of steps."""

    def __init__(self) -> None:
        self.taken = 0

    def count(self) -> int:
        self.taken += 1
        return 0


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    counted, opened = Steps(), connections.open_connection

    def watched(file: Path) -> connections.SqliteConnection:
        connection = opened(file)
        connection.set_progress_handler(counted.count, 10)
        return connection

    monkeypatch.setattr(connections, "open_connection", watched)
    return counted


@pytest.fixture
def application(tmp_path: Path, steps: Steps) -> Iterator[Application]:
    settings = Settings(home=tmp_path / "home", worker=False, rate_limit=1000, rate_limit_read=1000)
    with closing(build(settings)) as built:
        yield built


def fill(application: Application, first: int, last: int) -> None:
    file = str(application.settings.database_file)
    with closing(open_store(file, SteppingClock())) as store, store.write(PERSON) as tx:
        for n in range(first, last):
            place = Place(project="shop")
            tx.entries.insert(entry_draft(f"e-{n}", tags=("red",), place=place))
            tx.entries.insert(entry_draft(f"s-{n}", EntryKind.SKILL))
            tx.entries.insert(entry_draft(f"u-{n}", EntryKind.UNIT))
            tx.sources.insert(source_draft(f"ks_{n}"))
            tx.questions.add([question(n)])


def question(n: int) -> QuestionDraft:
    return QuestionDraft("ada", "", START, "recall", f"What is {n}?", Outcome.FOUND, ())


def costs(client: TestClient, steps: Steps) -> dict[str, int]:
    """Steps of each page, and of the page after it, when it is opened the second time."""
    taken: dict[str, int] = {}
    for page in PAGES:
        shown = client.get(page)
        assert shown.status_code == 200, (page, shown.text)
        following = NEXT.search(shown.text)
        for name, address in ((page, page), (f"{page} next", following and following[1])):
            if address:
                before = steps.taken
                assert client.get(unescape(address)).status_code == 200
                taken[name] = steps.taken - before
    return taken


def test_a_page_costs_the_same_among_many(application: Application, steps: Steps) -> None:
    client = rest_client(LazyApplication(lambda: application), application.settings)
    fill(application, 0, FEW)
    few = costs(client, steps)
    fill(application, FEW, FEW * TIMES)
    many = costs(client, steps)
    assert {"/knowledge next", "/skills?kind=unit next", "/sources next"} <= few.keys()
    grown = {page: (few[page], many[page]) for page in few if many[page] > DEEPER * few[page] + 20}
    assert grown == {}
