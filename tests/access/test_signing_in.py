"""Signing in with a real browser: the form, the link, a fresh link, and refusals as pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from tests.chromium import Browser, browser
from tests.cli.commands import run_process
from tests.loopback import send
from tests.transports.serving import PRODUCT, Served, log_lines, served

FORM = "document.querySelector('input[name=token]')"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(PRODUCT, tmp_path_factory.mktemp("pages")) as running:
        yield running


@pytest.fixture(scope="module")
def shown() -> Iterator[Browser]:
    with browser() as running:
        yield running


def told(server: Served) -> dict[str, str]:
    return {"COMMONPLACE_HOME": str(server.home)}


def make_token(server: Served) -> str:
    made = run_process(
        told(server),
        *("token", "create", "--org", "local", "--agent", "ada"),
        *("--scopes", "knowledge:read", "--json"),
    )
    token: str = made.document["token"]
    return token


def sign_in(shown: Browser, origin: str, token: str) -> None:
    shown.forget_cookies()
    shown.open(f"{origin}/")
    shown.wait_for("Sign in")
    shown.run(f"{FORM}.value = {token!r}; {FORM}.form.requestSubmit()")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_token_signs_in(server: Served, shown: Browser, host: str) -> None:
    origin = f"http://{host}:{server.port}"
    sign_in(shown, origin, "nonsense")
    assert "expired" in shown.wait_for("token is unknown")
    sign_in(shown, origin, make_token(server))
    text = shown.wait_for("The book is empty")
    beside = Path(sys.executable).with_name("commonplace")
    command = "commonplace" if which("commonplace") else str(beside)
    assert f"\n{command} connect\n" in text, "a shell finds what the page names"


def test_a_lost_cookie_needs_no_restart(server: Served, shown: Browser) -> None:
    for _ in range(2):
        shown.forget_cookies()
        fresh = run_process(told(server), "login", "--port", str(server.port), "--json")
        link = fresh.document["link"]
        shown.open(link)
        shown.wait_for("The book is empty")
        shown.forget_cookies()
        shown.open(link)
        assert "commonplace login" in shown.wait_for("has been used")


def test_links_are_offered_where_there_are_any(tmp_path: Path) -> None:
    for name, value, offered in (
        ("COMMONPLACE_LOCAL_ACCESS", "never", True),
        ("COMMONPLACE_PUBLIC_URL", "https://knowledge.example.com", False),
    ):
        (folder := tmp_path / name).mkdir()
        with served(PRODUCT, folder, **{name: value}) as running:
            page = send("GET", f"{running.origin}/", headers={"accept": "text/html"}).text
            assert ("commonplace login" in page) is offered


def test_refusals_are_pages_for_people(server: Served, shown: Browser) -> None:
    shown.open(f"{server.origin}/nothing-here")
    assert "404" in shown.wait_for("Nothing is at this address")
    headers = {"accept": "text/html", "origin": "https://evil.example"}
    answer = send("GET", f"{server.origin}/", headers=headers)
    assert (answer.status_code, "from that origin are refused" in answer.text) == (403, True)
    assert answer.headers["content-type"].startswith("text/html")


def test_failed_log_ins_are_in_the_log_without_what_was_tried(server: Served) -> None:
    guess = "a-guess-of-a-token"
    headers = {"authorization": f"Bearer {guess}"}
    assert send("GET", f"{server.origin}/api/sources", headers=headers).status_code == 401
    refused = [line for line in log_lines(server.log) if line["message"] == "refused"]
    expected = {"code": "auth.invalid_token", "path": "/api/sources", "from": "127.0.0.1"}
    assert expected.items() <= refused[-1].items()
    assert guess not in server.log.read_text()
