"""Pytest fixtures: a parameter gets the fixture of its name from the file or a `conftest`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import ENTERED, Shape, ShapeOp
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_FOLDERS = 6  # searched for a `conftest`, from a test upwards
_FIXTURE, _TEST = "fixture", "test"


def fixture_shape(parameter: Node, path: str, source: SourceText) -> Shape | None:
    """The shape of a parameter that pytest fills; None outside of tests and fixtures."""
    listed = parameter.parent
    function = listed.parent if listed is not None else None
    if function is None or function.type != "function_definition":
        return None
    named = function.child_by_field_name("name")
    if named is None or not (source.text(named).startswith(_TEST) or _is_fixture(function, source)):
        return None
    name = source.word(parameter)
    module = path.rpartition("/")[2].rpartition(".")[0]
    folders = range(1, min(path.count("/") + 1, _MOST_FOLDERS) + 1)
    modules = [f".{module}", *("." * dots + "conftest" for dots in folders)]
    holders = [Shape(ShapeOp.THIS), *(Shape(ShapeOp.MODULE, each) for each in modules)]
    return Shape(ShapeOp.EITHER, "", tuple(_fixture_call(holder, name) for holder in holders))


def _fixture_call(holder: Shape, name: str) -> Shape:
    called = Shape(ShapeOp.CALL, "", (Shape(ShapeOp.MEMBER, name, (holder,)),))
    return Shape(ShapeOp.AWAIT, ENTERED, (called,))


def _is_fixture(function: Node, source: SourceText) -> bool:
    around = function.parent
    decorators = [] if around is None else [c for c in around.children if c.type == "decorator"]
    return any(_FIXTURE in source.text(each) for each in decorators)
