"""A server with something in it, on either database, and a browser that people would use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from pydantic import SecretStr

from commonplace.bootstrap import build
from commonplace.settings import Settings
from tests.chromium import executable
from tests.console.library import Library, Reader
from tests.stores import DIALECTS, PostgresDatabases
from tests.transports.serving import PRODUCT, served

_PATIENCE = 60_000


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Not kept for the session: its event loop would be in the way of every test with one."""
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
    """Seeded through the services of this process, served by another one."""
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


@pytest.fixture
def read(library: Library, chromium: Browser) -> Iterator[Callable[..., Reader]]:
    """Readers with a browser session each; none of their pages may complain in its console."""
    opened: list[Reader] = []

    def open_reader(scheme: str = "light", *, signed_in: bool = True) -> Reader:
        context = chromium.new_context(
            base_url=library.origin,
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": 1280, "height": 860},
        )
        context.set_default_timeout(_PATIENCE)
        reader = Reader(context.new_page())
        opened.append(reader)
        if signed_in:
            reader.page.goto(library.way_in())
            library.enter(reader.page)
        return reader

    yield open_reader
    for reader in opened:
        reader.page.context.close()
        assert reader.complaints == []
