"""What the surface offers, to whom, how much of it, and how it says no."""

from __future__ import annotations

import json

import pytest

from commonplace.errors import CommonplaceError, InternalError, NotFound, QuotaExceeded, RateLimited
from commonplace.server.mcp.endpoint import instructions_of
from commonplace.server.mcp.tools import tool_definition
from commonplace.settings import Settings
from commonplace.surfaces.catalog import DEFAULT_SURFACES, enabled_surfaces
from commonplace.surfaces.memory.faults import fault
from commonplace.surfaces.memory.tools import MEMORY
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import OPEN, Home
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import Processes

MOST_LISTED = 6_000
MOST_INSTRUCTIONS = 900
MOST_TOOLS = 8
MOST_LISTED_OF_ALL = 24_000


@pytest.mark.requirement("memory.surface.small")
def test_the_list_of_tools_and_the_instructions_are_short() -> None:
    listed = [tool_definition(tool).model_dump(mode="json", by_alias=True, exclude_none=True)
              for tool in MEMORY.tools]  # fmt: skip
    assert len(listed) <= MOST_TOOLS
    assert len(json.dumps(listed, separators=(",", ":"))) <= MOST_LISTED
    assert len(instructions_of(enabled_surfaces(["memory"]))) <= MOST_INSTRUCTIONS


@pytest.mark.requirement("memory.surface.all-small")
def test_the_list_of_all_six_is_short(processes: Processes, settings: Settings) -> None:
    tools = processes.stdio(settings.model_copy(update={"output_schemas": False})).caller.tools()
    listed = [tool.model_dump(mode="json", by_alias=True, exclude_none=True)
              for tool in tools.values()]  # fmt: skip
    assert len(listed) == sum(len(offered.load().tools) for offered in DEFAULT_SURFACES)
    sizes = [len(json.dumps(tool, separators=(",", ":"), ensure_ascii=False)) for tool in listed]
    assert sum(sizes) <= MOST_LISTED_OF_ALL
    for tool in listed:
        assert len(tool["description"]) > 40, tool["name"]
        assert all(shape["type"] for shape in tool["inputSchema"]["properties"].values())


@pytest.mark.requirement("memory.surface.answer-shapes")
def test_shapes_of_answers_are_listed_on_request(
    open_premises: OpenPremises, endpoint: str
) -> None:
    answers = []
    for asked in (True, False):
        alice = open_premises(output_schemas=asked, **embedded_at(endpoint)).caller()
        shaped = {name for name, tool in alice.tools().items() if tool.output_schema}
        assert ("search_knowledge" in shaped) is asked
        assert bool(shaped) is asked
        answers.append(alice.ask("search_knowledge", query="x").structured_content)
    assert answers[0]
    assert answers[0] == answers[1]


@pytest.mark.requirement("memory.surface.first")
def test_it_stands_first_and_the_contracts_beside_it(premises: Premises) -> None:
    names = list(premises.caller().tools())
    own = [tool.name for tool in MEMORY.tools]
    assert names[: len(own)] == own
    assert {"store_knowledge", "semantic_search", "knowledge.search", "pm_knowledge"} <= {*names}
    assert DEFAULT_SURFACES[0].name == "memory"


@pytest.mark.requirement("memory.surface.alone")
def test_it_can_be_all_that_is_offered(open_premises: OpenPremises, endpoint: str) -> None:
    alone = open_premises(surfaces="memory", **embedded_at(endpoint))
    assert list(alone.caller().tools()) == [tool.name for tool in MEMORY.tools]


@pytest.mark.requirement("memory.surface.scopes")
def test_a_reader_is_shown_what_it_may_call(reader: Caller, home: Home) -> None:
    listed = {name for name in reader.tools() if name in {tool.name for tool in MEMORY.tools}}
    assert listed == {tool.name for tool in MEMORY.tools if tool.read_only}
    assert home.alice.tools().keys() >= {tool.name for tool in MEMORY.tools}


@pytest.mark.requirement("memory.errors.envelope")
@pytest.mark.parametrize(
    "error",
    [*(kind() for kind in CommonplaceError.__subclasses__()), NotFound(hint="There."),
     RateLimited(retry_after=3), QuotaExceeded(retry_after=9), InternalError()],
    ids=lambda error: error.code,
)  # fmt: skip
def test_every_error_has_a_code_a_sentence_and_what_to_do(error: CommonplaceError) -> None:
    told = fault(error)
    assert told.keys() == {"error"}
    shown = told["error"]
    assert shown.keys() - {"retryAfter"} == {"code", "message", "hint"}
    assert shown["code"] == error.code
    assert shown["message"].endswith((".", "`"))
    assert shown["hint"].endswith(".")


@pytest.mark.requirement("memory.errors.envelope", "memory.open.unknown")
def test_a_failure_reaches_the_model_in_that_shape(home: Home) -> None:
    error = home.alice.refusal(OPEN, reference="nonsense")
    assert error["code"] == "validation.invalid_argument"
    assert "note:" in error["message"]
    assert "trace finds a symbol by its name, recall" in error["hint"]
    missing = home.alice.refusal(OPEN, reference="note:0123456789")
    assert (missing["code"], "recall" in missing["hint"]) == ("knowledge.not_found", True)
    unknown = home.alice.refusal(OPEN, reference="note:0123456789", nonsense=1)
    assert "nonsense: unknown argument. Known are reference, lines, page," in unknown["message"]
