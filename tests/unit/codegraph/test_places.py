"""Which of the symbols of a name are told of, and what a use of them may lead to."""

from __future__ import annotations

from commonplace.codegraph.answering.places import SymbolContext, preferred, sightings, with_parts
from commonplace.codegraph.answering.question import Intent
from commonplace.model.graph import Edge, Symbol


def symbol(key: int, path: str, kind: str, *, exported: bool = True, document: int = 1) -> Symbol:
    name = path.rpartition(".")[2]
    return Symbol(key, document, 1, key, name, path, kind, exported, 1, 0, 1, 2)


def test_what_a_module_offers_goes_before_what_others_keep_to_themselves() -> None:
    offered = symbol(1, "helper", "function")
    own = symbol(2, "helper", "function", exported=False, document=2)
    also = symbol(3, "helper", "function", document=3)
    assert preferred([own, offered, also]) == [offered, also]
    assert preferred([own]) == [own]


def test_a_class_is_used_by_whoever_makes_one() -> None:
    shelf = symbol(1, "Shelf", "class")
    made = symbol(2, "Shelf.constructor", "constructor")
    elsewhere = symbol(3, "Shelf.constructor", "constructor", document=2)
    other = symbol(4, "Board.constructor", "constructor")
    assert with_parts([shelf], [made, elsewhere, other]) == {1, 2}


def test_a_caller_is_told_once_however_often_it_calls() -> None:
    caller = symbol(2, "stack", "function")
    edge = Edge(1, 1, caller.key, "helper", "call", 1, 0, "import", 0.99, (4, 6))
    known = SymbolContext([symbol(1, "helper", "function")], [edge], {2: caller}, {1: "a.ts"})
    for intent, expected in ((Intent.CALLER, [(4, 6)]), (Intent.REFERENCE, [(4, 4), (6, 6)])):
        told = [one for one in sightings(known, intent) if one.call]
        assert [(one.line_start, one.line_end) for one in told] == expected
