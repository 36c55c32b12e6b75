"""A server with content, on either store, and a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from pydantic import SecretStr

from commonplace.bootstrap import build
from commonplace.settings import Settings
from tests.chromium import executable
from tests.console.library import Library, Reader
from tests.stores import DIALECTS, PostgresDatabases
from tests.transports.serving import PRODUCT, served

Scheme: TypeAlias = Literal["light", "dark"]
_PATIENCE = 60_000
_SCREEN: ViewportSize = {"width": 1280, "height": 860}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser per module: its event loop would conflict with other tests' event loops."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=DIALECTS)
def library(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    postgres_databases: PostgresDatabases,
) -> Iterator[Library]:
    """Content written by the services of this process and served by another process."""
    folder: Path = tmp_path_factory.mktemp("library")
    address = postgres_databases.lend() if request.param == "postgres" else None
    given = {"COMMONPLACE_DATABASE_URL": address} if address else {}
    with served(PRODUCT, folder, COMMONPLACE_WORKER="true", **given) as running:
        application = build(
            Settings(
                home=running.home,
                database_url=SecretStr(address) if address else None,
                worker=False,
            )
        )
        try:
            yield Library(application, running, given)
        finally:
            application.close()
    if address:
        postgres_databases.take_back(address)


class Sessions:
    """Browser sessions on one library, with a tab each: to begin one takes longer than most pages,
    so they are lent to one test after the other. Only what the browser has cached is left."""

    def __init__(self, chromium: Browser, origin: str) -> None:
        self._chromium = chromium
        self._origin = origin
        self._idle: dict[Scheme, list[Page]] = {"light": [], "dark": []}

    @contextmanager
    def page(self, scheme: Scheme) -> Iterator[Page]:
        page = self._idle[scheme].pop() if self._idle[scheme] else self._begun(scheme)
        yield page
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.goto("about:blank")
        page.set_viewport_size(_SCREEN)
        page.emulate_media(color_scheme=scheme, reduced_motion="null")
        page.context.clear_cookies()
        self._idle[scheme].append(page)

    def _begun(self, scheme: Scheme) -> Page:
        context = self._chromium.new_context(
            base_url=self._origin, color_scheme=scheme, viewport=_SCREEN
        )
        context.set_default_timeout(_PATIENCE)
        return context.new_page()

    def end(self) -> None:
        for page in chain.from_iterable(self._idle.values()):
            page.context.close()


@pytest.fixture(scope="module")
def sessions(library: Library, chromium: Browser) -> Iterator[Sessions]:
    sessions = Sessions(chromium, library.origin)
    yield sessions
    sessions.end()


@pytest.fixture
def read(library: Library, sessions: Sessions) -> Iterator[Callable[..., Reader]]:
    """Readers with a browser session each; none of their pages may complain in its console."""
    opened: list[Reader] = []
    with ExitStack() as stack:

        def open_reader(scheme: Scheme = "light", *, signed_in: bool = True) -> Reader:
            reader = Reader(stack.enter_context(sessions.page(scheme)))
            stack.callback(reader.leave)
            opened.append(reader)
            if signed_in:
                reader.page.goto(library.way_in())
                library.enter(reader.page)
            return reader

        yield open_reader
    assert [reader.complaints for reader in opened if reader.complaints] == []
