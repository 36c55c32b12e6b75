"""Refused over HTTP: what the caller lacks, or when it may try again, as a result of the tool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.settings import Settings
from tests.access.house import READER, House, house, result_of

LIMIT = 3


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[House]:
    with house(Settings(home=tmp_path, worker=False, rate_limit_read=LIMIT)) as opened:
        yield opened


@pytest.mark.requirement("notes.scope.refused-in-session")
def test_a_missing_scope_is_named_to_the_model(opened: House) -> None:
    reader = opened.token(READER)
    refused = result_of(opened.store(reader))
    problem = refused["structuredContent"]["error"]
    assert (refused["isError"], problem["code"]) == (True, "auth.insufficient_scope")
    assert "knowledge:write" in problem["message"]
    assert not result_of(opened.call("search_knowledge", reader, query="x"))["isError"]


@pytest.mark.requirement("notes.scope.rate-refused-in-session")
def test_the_seconds_to_wait_are_told_to_the_model(opened: House) -> None:
    reader = opened.token(READER)
    answers = [
        result_of(opened.call("search_knowledge", reader, query="x")) for _ in range(LIMIT + 1)
    ]
    assert [answer["isError"] for answer in answers] == [False] * LIMIT + [True]
    problem = answers[-1]["structuredContent"]["error"]
    assert (problem["code"], problem["retryAfter"]) == ("rate.limited", 60 // LIMIT)
    assert result_of(opened.mcp("tools/list", reader))["tools"]


@pytest.mark.requirement("notes.scope.listed-by-scope")
def test_only_what_the_scopes_allow_is_listed(opened: House) -> None:
    listed = result_of(opened.mcp("tools/list", opened.token(READER)))["tools"]
    named = {tool["name"] for tool in listed}
    assert "search_knowledge" in named
    assert not {"store_knowledge", "supersede_knowledge"} & named
