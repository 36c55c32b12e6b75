"""Tools are listed from files: what a client is told, and that nothing is imported for it."""

from __future__ import annotations

import pytest

from commonplace.errors import InvalidArgument
from commonplace.model.actor import Scope
from commonplace.server.mcp.listing import ToolList, declared_list, prepared_list
from commonplace.surfaces.catalog import (
    ALL_SURFACES,
    DEFAULT_SURFACES,
    OfferedSurface,
    with_aliases,
)
from tests.access.test_light import run_in_python
from tests.transports.fixture_surface import FIXTURES

_LIST = """
import sys
from commonplace.model.actor import Scope
from commonplace.server.mcp.endpoint import McpEndpoint
from commonplace.server.mcp.listing import ToolList
from commonplace.surfaces.catalog import DEFAULT_SURFACES
tools = ToolList(DEFAULT_SURFACES)
print(len(tools.allowed_by(list(Scope))))
if len(sys.argv) > 1:
    tools.load(tools.get(sys.argv[1]))
print(*(name for name in sys.modules if name.startswith("commonplace.surfaces.")), sep="\\n")
"""
# They say how calls are refused over HTTP, whoever calls.
_ALWAYS = {"commonplace.surfaces.documents", "commonplace.surfaces.documents.faults"}


@pytest.mark.parametrize("aliases", [False, True], ids=["", "with aliases"])
@pytest.mark.parametrize("offered", ALL_SURFACES, ids=lambda offered: offered.name)
def test_the_prepared_list_is_the_living_one(offered: OfferedSurface, aliases: bool) -> None:
    wanted = with_aliases(offered) if aliases else offered
    assert prepared_list(wanted) == declared_list(wanted)


def test_a_list_imports_no_surface_and_a_call_its_own() -> None:
    count, *imported = run_in_python(_LIST).split()
    assert int(count) == sum(len(offered.load().tools) for offered in DEFAULT_SURFACES)
    names = {offered.name for offered in DEFAULT_SURFACES}
    assert _surfaces(imported) & names == set()
    _, *imported = run_in_python(_LIST, "search_knowledge").split()
    assert _surfaces(imported) & names == {"notes"}


def _surfaces(imported: list[str]) -> set[str]:
    """The surfaces that these modules belong to."""
    return {name.split(".")[2] for name in imported if name not in _ALWAYS}


def test_a_surface_without_a_file_is_listed_as_it_is() -> None:
    offered = OfferedSurface("fixtures", "Only for tests.", lambda: FIXTURES)
    assert prepared_list(offered) is None
    tools = ToolList([offered])
    assert [tool.name for tool in tools.allowed_by(list(Scope))] == [t.name for t in FIXTURES.tools]


def test_shapes_of_answers_are_made_where_they_are_wanted() -> None:
    shown = ToolList(DEFAULT_SURFACES, output_schemas=True).allowed_by([Scope.READ])
    assert [tool.name for tool in shown if tool.output_schema]


@pytest.mark.parametrize("offered", DEFAULT_SURFACES, ids=lambda offered: offered.name)
def test_a_tool_refuses_in_the_words_of_its_surface(offered: OfferedSurface) -> None:
    tools, surface = ToolList(DEFAULT_SURFACES), offered.load()
    for tool in surface.tools:
        listed = tools.get(tool.name)
        assert listed is not None
        assert tools.load(listed)[1] is tool
        error = InvalidArgument("Too long.")
        assert tools.fault_of(listed)(error) == surface.fault(error)
