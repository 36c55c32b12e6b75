"""Languages that are read by name: their symbols, and links that say they are no more than that."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import HIDDEN
from commonplace.codegraph.resolution.linking import Resolution
from tests.unit.codegraph.project import Project

SOURCES = {
    "a.c": """
        #define LIMIT 3
        struct shelf { int size; };
        static int measure(struct shelf *s) { return s->size; }
        int walk(struct shelf *s) { return measure(s); }
        """,
    "a.cpp": """
        namespace store {
        class Shelf : public Base { public: int size; void walk(); };
        int measure(Shelf s) { return s.size; }
        void Shelf::walk() { measure(*this); }
        }
        """,
    "a.cs": """
        namespace Store {
          public class Shelf : Base { public int Size { get; } void Walk() { Measure(new Shelf()); }
            int Measure(Shelf s) { return 1; } }
        }
        """,
    "a.rb": """
        module Store
          LIMIT = 3
          class Shelf < Base
            def walk
              measure(self)
            end
            def measure(shelf)
            end
          end
        end
        """,
    "a.php": """<?php
        class Shelf extends Base { public int $size; function walk() { measure(new Shelf()); } }
        function measure(Shelf $s): int { return 1; }
        """,
}

SYMBOLS = {
    "a.c": "LIMIT shelf shelf.size measure walk",
    "a.cpp": "store store.Shelf store.Shelf.size store.Shelf.walk store.measure store.walk",
    "a.cs": "Store Store.Shelf Store.Shelf.Size Store.Shelf.Walk Store.Shelf.Measure",
    "a.rb": "Store Store.LIMIT Store.Shelf Store.Shelf.walk Store.Shelf.measure",
    "a.php": "Shelf Shelf.size Shelf.walk measure",
}

CALLS = {
    "a.c": "return |measure",
    "a.cpp": "{ |measure(",
    "a.cs": "{ |Measure(",
    "a.rb": "|measure(self)",
    "a.php": "{ |measure(",
}


@pytest.mark.parametrize("path", SOURCES)
def test_symbols_are_found_with_their_paths(path: str) -> None:
    facts = Project({path: SOURCES[path]}).facts[path]
    shown = [each.path for each in facts.definitions if each.kind not in HIDDEN]
    assert shown == SYMBOLS[path].split()
    assert facts.problem == ""


@pytest.mark.parametrize("path", SOURCES)
def test_a_call_is_linked_by_name_and_says_so(path: str) -> None:
    link = Project({path: SOURCES[path]}).link(path, CALLS[path])
    assert link is not None
    assert link.resolution is Resolution.NAME
    assert link.confidence < 0.5


def test_of_two_symbols_with_one_name_neither_is_guessed() -> None:
    twice = {
        "a.c": "int walk(void) { return measure(1); }",
        "b.c": "int measure(int x) { return x; }",
        "c.c": "int measure(int x) { return x; }",
    }
    assert Project(twice).link("a.c", CALLS["a.c"]) is None
