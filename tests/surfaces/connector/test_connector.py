"""`search` and `fetch`, as ChatGPT's connectors and deep research call them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from commonplace.settings import Settings
from tests.surfaces.clients import Caller
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import Home
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes

SEARCH, FETCH = "search", "fetch"
QUESTIONS = {
    "note:": "when does the lighthouse keeper refill paraffin",
    "item:": "enum values in a migration of their own",
    "skill:": "lint fix skill",
    "doc:": "how often to sound the foghorn in mist",
    "file:": "how long do refunds take in the shop",
}


def results(caller: Caller, query: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.call(SEARCH, query=query)["results"]
    return found


@pytest.mark.requirement("connector.surface.on-request")
def test_they_are_offered_where_they_are_asked_for(
    open_premises: OpenPremises, endpoint: str
) -> None:
    plain = embedded_at(endpoint)
    tools = open_premises(surfaces="connector", output_schemas=False, **plain).caller().tools()
    assert list(tools) == [SEARCH, FETCH]
    for name, argument, answer in (
        (SEARCH, "query", {"results"}),
        (FETCH, "id", {"id", "title", "text", "url", "metadata"}),
    ):
        schema = tools[name].input_schema
        assert (schema["required"], list(schema["properties"])) == ([argument], [argument])
        assert schema["properties"][argument]["type"] == "string"
        assert tools[name].annotations.read_only_hint
        assert tools[name].output_schema["properties"].keys() == answer
    assert not {SEARCH, FETCH} & open_premises(**plain).caller().tools().keys()


@pytest.mark.requirement("connector.search.results", "connector.search.everything")
def test_everything_is_found_by_one_search(asker: Caller) -> None:
    """The helper holds that the text block is the structure as JSON."""
    for kind, question in QUESTIONS.items():
        found = results(asker, question)
        assert any(one["id"].startswith(kind) for one in found), (question, found)
        for one in found:
            assert one.keys() == {"id", "title", "url"}
            assert all(one.values())
    assert results(asker, "who won the chess championship of 1886 in Vienna") == []


@pytest.mark.requirement("connector.fetch.document")
def test_a_result_is_fetched_whole(asker: Caller) -> None:
    for kind, question in QUESTIONS.items():
        hit = next(one for one in results(asker, question) if one["id"].startswith(kind))
        whole = asker.call(FETCH, id=hit["id"])
        assert whole.keys() == {"id", "title", "text", "url", "metadata"}
        assert (whole["id"], whole["url"]) == (hit["id"], hit["url"])
        assert whole["text"]
        assert all(isinstance(value, str) for value in whole["metadata"].values())
        assert whole["metadata"]["kind"]
    note = next(one for one in results(asker, QUESTIONS["note:"]) if one["id"].startswith("note:"))
    whole = asker.call(FETCH, id=note["id"])
    assert "paraffin at dusk" in whole["text"]
    assert whole["metadata"]["author"] == "alice"


@pytest.mark.requirement("connector.fetch.long")
def test_a_long_text_is_cut_and_goes_on(home: Home) -> None:
    words = "\n".join(f"Line {number} of the very long log book." for number in range(6_000))
    id = f"note:{home.note('Log book', words[:31_000])}"
    knowledge = home.application.knowledge
    entry = knowledge.get(home.actor(), id.removeprefix("note:")).entry
    knowledge.edit(home.actor(), entry.id, replace(entry.content, body=words))
    first = home.alice.call(FETCH, id=id)
    rest = first["metadata"]["rest"]
    assert f"fetch {rest} for the rest" in first["text"]
    assert len(first["text"]) < 120_000
    second = home.alice.call(FETCH, id=rest)
    seen = first["text"] + second["text"]
    last = second["metadata"].get("rest")
    while last:
        more = home.alice.call(FETCH, id=last)
        seen, last = seen + more["text"], more["metadata"].get("rest")
    assert all(f"Line {number} " in seen for number in range(6_000))


@pytest.mark.requirement("connector.fetch.missing")
def test_what_is_not_there_is_a_tool_error(home: Home, eve: Caller) -> None:
    note = f"note:{home.note()}"
    for caller, id in ((home.alice, "note:0123456789"), (eve, note)):
        refused = caller.refusal(FETCH, id=id)
        assert refused["code"] == "knowledge.not_found"
        assert refused["hint"].startswith("search finds")
    refused = home.alice.refusal(FETCH, id="nonsense")
    assert refused["code"] == "validation.invalid_argument"
    assert refused["hint"].startswith("search finds")
    assert "trace" not in refused["message"], "it has no such tool"
    assert home.alice.refusal(SEARCH, query=" ")["code"] == "validation.invalid_argument"
    assert home.alice.call(FETCH, id=note)["title"] == "Ids"


@pytest.mark.requirement("connector.surface.both-transports", "connector.url.opens")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_what_is_cited_opens_in_the_console(
    processes: Processes,
    settings: Settings,
    open_premises: OpenPremises,
    transport: str,
    tmp_path: Path,
) -> None:
    update = {"org": "acme", "agent": "alice", "surfaces": "notes,connector", "roots": "/"}
    premises = open_premises(**update)
    home = Home(premises, tmp_path / "work")
    home.note("Keeper of the lighthouse", "The lighthouse keeper refills paraffin at dusk.")
    home.project(files={"README.md": "# Shop\n\nRefunds of the shop take three days.\n"})
    home.page("Harbour manual", "# Foghorn\n\nSound the foghorn twice when mist comes.\n")
    premises.embed()
    served = processes.serve(settings.model_copy(update=update))
    public = settings.model_copy(update={**update, "public_url": served.address})
    over_stdio = transport == "stdio"
    caller = processes.stdio(public).caller if over_stdio else processes.connect(
        processes.serve(public).mcp
    )  # fmt: skip
    seen = {
        "note:": ("when does the lighthouse keeper refill paraffin", "paraffin at dusk"),
        "doc:": ("how often to sound the foghorn in mist", "Harbour manual"),
        "file:": ("how long do refunds of the shop take", "three days"),
    }
    for kind, (question, words) in seen.items():
        hit = next(one for one in results(caller, question) if one["id"].startswith(kind))
        assert hit["url"].startswith(f"{served.address}/open/")
        assert unquote(hit["url"]).endswith(hit["id"])
        page = httpx.get(hit["url"], headers=served.headers, follow_redirects=True)
        assert page.status_code == 200, hit
        assert words in page.text
