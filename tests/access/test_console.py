"""Pages as programs ask for them with a token: no more rights, calls or counts than elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from commonplace.model.actor import AGENT_SCOPES, ALL_SCOPES, Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import ANYTHING
from commonplace.settings import Settings
from tests.access.house import ORIGIN, House, house_on
from tests.stores import DIALECTS

LIMIT = 30


@pytest.fixture(scope="module", params=DIALECTS)
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    settings = Settings(
        home=tmp_path_factory.mktemp("home"), worker=False, watch=False, rate_limit=LIMIT
    )
    with house_on(request, settings) as server:
        yield server


def notes(opened: House, org: str, count: int, agent: str = "ada") -> list[str]:
    actor = Actor(org, agent, ALL_SCOPES)
    return [
        opened.application.knowledge.add(
            actor, EntryKind.NOTE, EntryContent(f"Note {number}", f"Of {org}, number {number}.")
        ).id
        for number in range(count)
    ]


def bulk(opened: House, token: str, ids: list[str]) -> httpx.Response:
    form: dict[str, Any] = {"action": "tag", "tag": "seen", "ids": ids}
    return opened.send("POST", "/knowledge/bulk", token, data=form)


def test_what_is_done_to_many_costs_as_much_as_if_each_were_asked_for(opened: House) -> None:
    token = opened.token(AGENT_SCOPES, org="many")
    ids = notes(opened, "many", 20)
    assert bulk(opened, token, ids).status_code == httpx.codes.SEE_OTHER
    assert bulk(opened, token, ids).status_code == httpx.codes.TOO_MANY_REQUESTS
    (one,) = notes(opened, "many", 1)
    assert (
        opened.application.knowledge.get(Actor("many", "ada", ALL_SCOPES), one).entry.revision == 1
    )


def test_a_cookie_lets_a_token_change_no_more_than_a_header(opened: House) -> None:
    token = opened.token(AGENT_SCOPES, org="cookies")
    (note,) = notes(opened, "cookies", 1)
    browser = {"Cookie": f"{opened.policy.cookie}={token}", "Origin": ORIGIN}
    path = f"/knowledge/{note}/delete"
    answers = [opened.send("POST", path, headers=browser).status_code for _ in range(LIMIT + 5)]
    assert httpx.codes.TOO_MANY_REQUESTS in answers[: LIMIT + 2]
    pages = [opened.get("/knowledge", headers=browser).status_code for _ in range(LIMIT + 5)]
    assert set(pages) == {200}, "results come with every key that is pressed"


def test_no_page_tells_how_much_other_orgs_wrote(opened: House) -> None:
    notes(opened, "quiet", 60)
    page = opened.get("/knowledge", opened.token(org="quiet")).text
    (mark,) = set(re.findall(r"from=([0-9a-f]+-[0-9a-f]+)", page))
    store = opened.application.knowledge
    keys = {entry.key for entry in store.older(Actor("quiet", "ada"), ANYTHING, 60)}
    assert int(mark.partition("-")[2], 16) > 2**63, "no number of a row looks like that"
    at = mark.partition("-")[0]
    reader = opened.token(org="quiet")
    assert opened.get(f"/knowledge?from={mark}", reader).status_code == 200
    for made_up in (f"{at}-{min(keys)}", "x", f"{at}-{'0' * 24}", f"{'9' * 5000}-1"):
        assert opened.get(f"/knowledge?from={made_up}", reader).status_code == 400, made_up
    stranger = opened.token(org="loud")
    assert opened.get(f"/knowledge?from={mark}", stranger).status_code == 400
    for key in ("1", str(min(keys)), "x", "9" * 30, "0" * 24):
        assert opened.get(f"/code/symbols/{key}", reader).status_code == 404


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("delete", {}),
        ("purge", {}),
        ("restore", {"revision": "1"}),
        ("edit", {"title": "T", "body": "B", "visibility": "org", "confidence": "80"}),
        ("supersede", {"by": "{other}"}),
    ],
)
def test_pages_ask_the_table_of_rights(opened: House, path: str, form: dict[str, str]) -> None:
    mine, other = notes(opened, "rights", 2)
    bob = opened.token(AGENT_SCOPES, org="rights", agent=f"bob-{path}")
    sent = {name: value.format(other=other) for name, value in form.items()}
    answer = opened.send("POST", f"/knowledge/{mine}/{path}", bob, data=sent)
    assert answer.status_code == httpx.codes.FORBIDDEN, answer.text
    kept = opened.application.knowledge.get(Actor("rights", "ada", ALL_SCOPES), mine).entry
    assert (kept.revision, kept.superseded_by) == (1, None)
    eve = opened.token(ALL_SCOPES, org="elsewhere", agent=f"eve-{path}")
    answer = opened.send("POST", f"/knowledge/{mine}/{path}", eve, data=sent)
    assert answer.status_code in (400, 404), "another org learns nothing of it"


def test_what_is_done_to_many_leaves_alone_what_is_anothers(opened: House) -> None:
    ids = notes(opened, "bulky", 3)
    bob = opened.token(AGENT_SCOPES, org="bulky", agent="bob")
    form: dict[str, Any] = {"action": "delete", "ids": ids}
    answer = opened.send("POST", "/knowledge/bulk", bob, data=form)
    assert "left=3" in answer.headers["location"]
    undo = {"of": " ".join(f"{id}@1" for id in ids)}
    assert opened.send("POST", "/knowledge/undo", bob, data=undo).status_code in (403, 409)
    for id in ids:
        kept = opened.application.knowledge.get(Actor("bulky", "ada", ALL_SCOPES), id).entry
        assert kept.deleted_at is None


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "-1", "²", "1e9", "nan"])
def test_numbers_that_are_none_are_refused(opened: House, number: str) -> None:
    (note,) = notes(opened, "numbers", 1)
    token = opened.token(ALL_SCOPES, org="numbers", agent=f"a{hash(number) % 10**6}")
    edit = {"title": "T", "body": "B", "visibility": "org", "confidence": number}
    tries = [
        (f"/knowledge/{note}/edit", edit),
        (f"/knowledge/{note}/edit", edit | {"confidence": "80", "revision": number}),
        (f"/knowledge/{note}/restore", {"revision": number}),
        ("/knowledge/undo", {"of": f"{note}@{number}"}),
    ]
    for path, form in tries:
        assert opened.send("POST", path, token, data=form).status_code == 400, path
