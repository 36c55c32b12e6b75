"""Browsers: the link that works once, the cookie, and pages of others that would use it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.server.gate.browser_sessions import SESSION_SECONDS, LinkSessions
from commonplace.settings import Settings
from tests.access.house import ORIGIN, House, house

SOURCES = "/api/sources"
PAGE = {"type": "page", "title": "T", "content": "t", "workspaceId": "w"}


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[House]:
    with house(Settings(home=tmp_path, worker=False)) as opened:
        yield opened


def test_the_link_works_once_and_leaves_a_cookie(opened: House) -> None:
    assert opened.policy.links
    link = opened.policy.links.path
    assert link
    assert opened.get("/login?code=wrong").status_code == 403
    assert opened.get("/login").status_code == 200
    answer = opened.get(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    parts = answer.headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=strict", "path=/"} <= set(parts)
    assert answer.headers["cache-control"] == "no-store"
    assert opened.get(link).status_code == 403, "whoever comes second gets nothing"
    assert opened.policy.links.path is None


def test_the_cookie_opens_pages_and_rest(opened: House) -> None:
    cookie = opened.enter()
    assert "Search everything" in opened.get("/", headers=cookie).text
    assert opened.get(SOURCES, headers=cookie).status_code == 200
    own = cookie | {"Origin": ORIGIN}
    assert opened.send("POST", SOURCES, json=PAGE, headers=own).status_code == 201
    assert opened.get("/", headers={"Cookie": "commonplace-8765=made-up"}).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost:3000"},
        {"Origin": "http://127.0.0.1:8765"},
        {"Origin": "https://localhost:8765"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_other_pages_of_this_machine_cannot_write_with_it(
    opened: House, headers: dict[str, str]
) -> None:
    """Another server on this machine is the same site to a browser, and gets the cookie too."""
    cookie = opened.enter()
    assert opened.send("POST", SOURCES, json=PAGE, headers=cookie | headers).status_code == 401
    assert opened.send("DELETE", f"{SOURCES}/x", headers=cookie | headers).status_code == 401
    assert opened.get(SOURCES, headers=cookie).json()["count"] == 0


def test_other_pages_cannot_read_with_it(opened: House) -> None:
    cookie = opened.enter()
    for site in ("same-site", "cross-site"):
        sent = cookie | {"Sec-Fetch-Site": site}
        assert opened.get(SOURCES, headers=sent).status_code == 401


def test_the_cookie_is_no_token_for_agents(opened: House) -> None:
    opened.token()
    cookie = opened.enter() | {"Origin": ORIGIN}
    assert opened.rpc(headers=cookie).status_code == 401
    assert opened.mcp("tools/list", headers=cookie).status_code == 401


def test_two_cookies_of_the_name_count_as_none(opened: House) -> None:
    cookie = opened.enter()["Cookie"]
    sent = {"Cookie": f"{cookie}; commonplace-8765=other"}
    assert opened.get("/", headers=sent).status_code == 401


def test_a_token_can_be_typed_once(opened: House) -> None:
    token = opened.token(org="zoo")
    own = {"Origin": ORIGIN}
    wrong = opened.send("POST", "/login", data={"token": "nonsense"}, headers=own)
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
    answer = opened.send("POST", "/login", data={"token": f" {token} "}, headers=own)
    assert answer.status_code == 303
    cookie = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    assert opened.get(SOURCES, headers=cookie).status_code == 200


def test_nobody_is_logged_in_by_another_page(opened: House) -> None:
    token = opened.token()
    for headers in ({"Origin": "http://localhost:3000"}, {}, {"Sec-Fetch-Site": "same-site"}):
        answer = opened.send("POST", "/login", data={"token": token}, headers=headers)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_forms_that_are_no_forms(opened: House) -> None:
    own = {"Origin": ORIGIN}
    for form in ({}, {"token": ""}, {"token": "x" * 60_000}, {"a": "1", "token": "2"}):
        answer = opened.send("POST", "/login", data=form, headers=own)
        assert answer.status_code in (400, 401, 413)
        assert "set-cookie" not in answer.headers


def test_pages_cannot_be_framed_and_say_how_to_come_in(opened: House) -> None:
    answer = opened.get("/", headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "commonplace serve" in answer.text


def test_behind_https_the_cookie_is_for_https_only(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, worker=False, public_url="https://localhost")
    with house(settings) as opened:
        token = opened.token()
        own = {"Origin": "https://localhost:8765"}
        answer = opened.send("POST", "/login", data={"token": token}, headers=own)
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-commonplace=")
        assert "Secure" in cookie
        plain = {"Origin": "http://localhost:8765"}
        refused = opened.send("POST", "/login", data={"token": token}, headers=plain)
        assert (refused.status_code, "https address" in refused.text) == (403, True)


def test_whoever_opens_a_page_is_shown_how_to_sign_in(opened: House) -> None:
    page = opened.get("/knowledge", headers={"Accept": "text/html"})
    assert (page.status_code, 'name="token"' in page.text) == (401, True)
    program = opened.get("/knowledge", headers={"Accept": "application/json"})
    assert (program.status_code, "auth.required" in program.text) == (401, True)


def test_sessions_end() -> None:
    now = 0.0
    links = LinkSessions(lambda: now)
    assert links.path
    id = links.redeem(links.path.partition("code=")[2])
    assert id
    assert links.is_open(id)
    assert not links.is_open("another")
    now = SESSION_SECONDS
    assert not links.is_open(id)
