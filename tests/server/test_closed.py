"""After its end an application is never built again: nobody would close the second one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from commonplace.application import Application, LazyApplication
from commonplace.bootstrap import build
from commonplace.errors import StorageUnavailable
from commonplace.safety.remembered import remembered
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.lifecycle.background_threads import BackgroundThreads
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.access.house import ORIGIN, PORT
from tests.waiting import eventually

_PATIENCE = 60.0
CLOSED = "The application is closed."


class Builds:
    """Builds applications when allowed to, and counts them and those that are open."""

    def __init__(self, home: Path) -> None:
        self.settings = Settings(home=home, watch=False)
        self.made: list[Application] = []
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()

    def __call__(self) -> Application:
        self.begun.set()
        assert self.goes_on.wait(_PATIENCE)
        self.made.append(build(self.settings))
        return self.made[-1]


@pytest.fixture
def builds(tmp_path: Path) -> Iterator[Builds]:
    builds = Builds(tmp_path)
    yield builds
    for application in builds.made:
        application.close()


@pytest.fixture
def lazy(builds: Builds) -> LazyApplication:
    return LazyApplication(builds)


def test_a_closed_application_is_not_built_again(lazy: LazyApplication, builds: Builds) -> None:
    assert lazy.get() is lazy.get() is lazy.built()
    lazy.close()
    lazy.close()
    with pytest.raises(StorageUnavailable, match=CLOSED):
        lazy.get()
    assert lazy.built() is None
    assert len(builds.made) == 1


def test_one_that_was_closed_before_its_first_use_is_never_built(
    lazy: LazyApplication, builds: Builds
) -> None:
    lazy.close()
    with pytest.raises(StorageUnavailable, match=CLOSED):
        lazy.get()
    assert builds.made == []


def test_one_that_is_closed_while_it_is_built_is_closed_in_the_end(
    lazy: LazyApplication, builds: Builds
) -> None:
    builds.goes_on.clear()
    with ThreadPoolExecutor(3) as pool:
        building = pool.submit(lazy.get)
        assert builds.begun.wait(_PATIENCE)
        closing, later = pool.submit(lazy.close), pool.submit(lazy.get)
        builds.goes_on.set()
        application = building.result(_PATIENCE)
        closing.result(_PATIENCE)
        # The third thread came before or after the second.
        assert later.exception(_PATIENCE) or later.result() is application
    assert builds.made == [application]
    assert remembered() is None
    with pytest.raises(StorageUnavailable, match="closed"):
        application.status.health()


def test_a_thread_that_gets_no_application_of_a_stopping_server_ends_quietly(
    tmp_path: Path,
) -> None:
    """Pytest reports an exception that ends a thread."""
    begun, goes_on = threading.Event(), threading.Event()

    def refused() -> Application:
        begun.set()
        assert goes_on.wait(_PATIENCE)
        raise StorageUnavailable(CLOSED)

    threads = BackgroundThreads(LazyApplication(refused), Settings(home=tmp_path), lambda: None)
    threads.start()
    assert begun.wait(_PATIENCE)
    with ThreadPoolExecutor(1) as pool:
        stopping = pool.submit(threads.stop)
        eventually(threads._stop.is_set)
        goes_on.set()
        stopping.result(_PATIENCE)
    assert threads.worker is not None
    assert not threads.worker.is_alive()


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/login?code=anything"),
        ("POST", "/login"),
        ("GET", "/api/sources?workspaceId=w"),
        ("GET", "/sources"),
        ("POST", "/rpc"),
        ("POST", "/mcp"),
        ("GET", "/readyz"),
    ],
)
def test_a_request_that_comes_too_late_is_told_so(
    lazy: LazyApplication, builds: Builds, method: str, path: str
) -> None:
    policy = access_policy(builds.settings, "127.0.0.1", PORT)
    client = TestClient(make_app(lazy, builds.settings, CallMeter(), policy), base_url=ORIGIN)
    lazy.close()
    bearer = {"Authorization": f"Bearer cp_{'a' * 43}", "Origin": ORIGIN}
    answer = client.request(method, path, headers=bearer, json={})
    assert answer.status_code == 503, answer.text
    assert "Traceback" not in answer.text
    assert builds.made == []
