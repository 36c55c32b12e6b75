"""One reader's page must cost that reader: others are answered while it is made, and it ends."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

from commonplace.access.rules import NewToken
from commonplace.model.actor import AGENT_SCOPES, Actor
from commonplace.model.entry import EntryContent, EntryKind
from tests.console.library import ONE_LIBRARY, PERSON, Library
from tests.server.attacks import Target, others

pytestmark = ONE_LIBRARY
_PATIENCE = 60.0
# Before, nobody was answered for more than four minutes.
_MOST_SECONDS = 10.0
_STREAMS = 6


@pytest.fixture
def loud(library: Library) -> Target:
    headers = {"Authorization": f"Bearer {library.token(AGENT_SCOPES, agent='loud')}"}
    return Target(library.origin, headers, 0)


def test_a_history_made_to_be_slow_holds_up_nobody(library: Library, loud: Target) -> None:
    """Lines that all occur in each other's text: comparing them took the cube of their number."""
    author = Actor(PERSON.org, "loud", AGENT_SCOPES)
    knowledge = library.application.knowledge
    entry = knowledge.add(author, EntryKind.NOTE, EntryContent("Slow", "a\n" * 3_000))
    after = replace(entry.content, body="a\nb\n" * 1_500)
    knowledge.edit(author, entry.id, after, revision=1)
    page = f"{loud.address}/knowledge/{entry.id}/history"
    with others(loud) as waits:
        answer = httpx.get(page, headers=loud.headers, timeout=_PATIENCE)
    assert answer.status_code == 200
    assert "not compared" in answer.text
    assert waits.longest < _MOST_SECONDS
    assert waits.longest_search < _MOST_SECONDS


def test_long_markdown_is_shown_and_holds_up_nobody(library: Library, loud: Target) -> None:
    note = library.note("Long", "> - *a_ [b](c `d\n" * 1_800, agent="loud")
    with others(loud) as waits, ThreadPoolExecutor(4) as pool:
        page = f"{loud.address}/knowledge/{note.id}"
        asked = [
            pool.submit(httpx.get, page, headers=loud.headers, timeout=_PATIENCE) for _ in range(4)
        ]
        assert {one.result().status_code for one in asked} == {200}
    assert waits.longest < _MOST_SECONDS


def test_whoever_may_look_no_more_is_shown_nothing_more(library: Library) -> None:
    """A stream outlives the request that was let in; before, a revoked token saw on for minutes."""
    new = NewToken(PERSON.org, "watcher", AGENT_SCOPES)
    issued = library.application.access.create(PERSON, new)
    headers = {"Authorization": f"Bearer {issued.text}"}
    address = f"{library.origin}/sources/progress"
    with httpx.stream("GET", address, headers=headers, timeout=_PATIENCE) as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("data:")
        library.application.access.revoke(PERSON, issued.token.id)
        for _ in lines:
            """It goes on for the seconds that other processes may take to hear of it."""
    assert httpx.get(address, headers=headers, timeout=_PATIENCE).status_code == 401


def test_nobody_watches_more_often_than_a_browser_does(library: Library) -> None:
    headers = {"Authorization": f"Bearer {library.token(AGENT_SCOPES, agent='many')}"}
    address = f"{library.origin}/sources/progress"
    with ExitStack() as stack:
        client = stack.enter_context(httpx.Client(headers=headers, timeout=_PATIENCE))
        watching = [
            stack.enter_context(client.stream("GET", address)).iter_lines() for _ in range(_STREAMS)
        ]
        assert all(next(lines).startswith("data:") for lines in watching)
        with client.stream("GET", address) as refused:
            assert refused.status_code == 429
        assert client.get(f"{library.origin}/sources").status_code == 200, "the page is shown"
        assert all(next(lines) is not None for lines in watching)
