"""What the surface offers: three tools, described, callable by name in both ways."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import MCPError

from commonplace.errors import EmbeddingUnavailable
from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import GET, LIST, SEARCH, HttpAsker, ToolAsker
from tests.surfaces.documents.desk import SPACE, WS, Desk
from tests.surfaces.nearness import embedded_at, near
from tests.unit.embedding.local_endpoint import Answered, local_endpoint

_PARAMETERS = {
    SEARCH: ({"query": "string", "workspaceId": "string", "spaceId": "string", "limit": "integer"},
             ["query", "workspaceId"]),
    LIST: ({"workspaceId": "string", "spaceId": "string"}, ["workspaceId"]),
    GET: ({"sourceId": "string"}, ["sourceId"]),
}  # fmt: skip


@pytest.mark.requirement("documents.tools.all-listed", "documents.tools.schemas")
def test_the_tools_are_listed_with_their_parameters(premises: Premises) -> None:
    tools = premises.caller().tools()
    for name, (types, required) in _PARAMETERS.items():
        schema = tools[name].input_schema
        found = {field: shape["type"] for field, shape in schema["properties"].items()}
        assert found == types
        assert schema["required"] == required


@pytest.mark.requirement("documents.tools.space-described")
def test_descriptions_say_what_a_space_brings_in(premises: Premises) -> None:
    tools = premises.caller().tools()
    for name in (SEARCH, LIST):
        description = tools[name].description
        assert all(word in description for word in ("system", "workspace", "spaceId", "also"))


@pytest.mark.requirement(
    "documents.tools.call-by-mcp",
    "documents.tools.bare-result",
    "documents.rpc.method-names",
    "documents.expect.same-on-both-ways",
)
def test_both_ways_answer_the_same_bare_results(premises: Premises, http: HttpAsker) -> None:
    tools = Desk(premises, ToolAsker(premises.caller()))
    id = tools.page("Oil", near(80), space=SPACE)
    tools.read()
    calls = [
        (SEARCH, {"query": "oil", "workspaceId": WS, "spaceId": SPACE}, {"results", "count"}),
        (LIST, {"workspaceId": WS, "spaceId": SPACE}, {"sources", "count"}),
        (GET, {"sourceId": id}, {"source"}),
    ]
    for method, params, keys in calls:
        by_tool, by_method = tools.asker.call(method, **params), http.call(method, **params)
        assert by_tool == by_method
        assert by_tool.keys() == keys
    failures: list[tuple[str, dict[str, Any]]] = [
        (GET, {"sourceId": "ks_none"}),
        (LIST, {}),
        (SEARCH, {"query": 1}),
    ]
    for method, wrong in failures:
        assert tools.asker.refusal(method, **wrong) == http.refusal(method, **wrong)


@pytest.mark.requirement("documents.tools.all-listed")
def test_names_without_dots_are_offered_on_request(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    with pytest.raises(MCPError):
        premises.caller().ask("knowledge_list", workspaceId=WS)
    aliased = open_premises(tool_aliases=True, **embedded_at(endpoint)).caller()
    assert {"knowledge.search", "knowledge_search"} <= aliased.tools().keys()
    assert aliased.call("knowledge_list", workspaceId=WS) == {"sources": [], "count": 0}


@pytest.mark.requirement("documents.rpc.no-inner-details")
def test_a_model_that_is_away_is_said_so(open_premises: OpenPremises) -> None:
    with local_endpoint(lambda _: Answered(b"no", status=503)) as away:
        caller = open_premises(**embedded_at(away.url)).caller()
        error = caller.refusal(SEARCH, query="oil", workspaceId=WS)
    assert (error["code"], error["message"]) == (-32000, "Server error")
    assert EmbeddingUnavailable.code not in error["data"]
    assert away.url not in error["data"]
