"""Questions in words beyond the intents of code_map, each read as what trace is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.codegraph.answering.forms import FORMS, read_form, read_trace
from commonplace.codegraph.answering.trace import Relation


@pytest.mark.parametrize(
    ("question", "relation", "symbol", "to"),
    [
        ("callees of Cache.get", Relation.CALLEES, "Cache.get", ""),
        ("what does `Cache.get()` call?", Relation.CALLEES, "Cache.get", ""),
        ("subclasses of Store", Relation.SUBCLASSES, "Store", ""),
        ("which classes inherit from Store", Relation.SUBCLASSES, "Store", ""),
        ("superclasses of Store", Relation.SUPERCLASSES, "Store", ""),
        ("implementations of Store.save", Relation.IMPLEMENTATIONS, "Store.save", ""),
        ("who implements Store?", Relation.IMPLEMENTATIONS, "Store", ""),
        ("overrides of Store.save", Relation.OVERRIDES, "Store.save", ""),
        ("impact of changing parseConfig", Relation.IMPACT, "parseConfig", ""),
        ("What breaks if I change parseConfig?", Relation.IMPACT, "parseConfig", ""),
        ("what is affected if we remove the class Store", Relation.IMPACT, "Store", ""),
        ("tests that reach write", Relation.TESTS, "write", ""),
        ("entry points that reach write", Relation.ENTRY_POINTS, "write", ""),
        ("path from main to write", Relation.PATH, "main", "write"),
        ("how does main reach write", Relation.PATH, "main", "write"),
        ("outline of src/cart.py", Relation.OUTLINE, "src/cart.py", ""),
        ("what does cart.py offer", Relation.OUTLINE, "cart.py", ""),
        ("importers of shop.base", Relation.IMPORTERS, "shop.base", ""),
        ("unused code", Relation.UNUSED, ".", ""),
        ("unused functions in src/shop", Relation.UNUSED, "src/shop", ""),
        ("import cycles", Relation.CYCLES, ".", ""),
        ("list circular imports in src", Relation.CYCLES, "src", ""),
    ],
)
def test_a_question_is_read(question: str, relation: Relation, symbol: str, to: str) -> None:
    asked = read_form(question)
    assert asked is not None
    assert (asked.relation, asked.symbol, asked.to) == (relation, symbol, to)


def test_the_intents_of_code_map_are_read_too_and_prose_is_not() -> None:
    asked = read_trace("who calls parseConfig")
    assert asked is not None
    assert (asked.relation, asked.symbol) == (Relation.CALLERS, "parseConfig")
    assert read_form("who calls parseConfig") is None, "that is code_map's own"
    assert read_trace("how are refunds tried again") is None


def test_every_form_that_is_offered_is_understood() -> None:
    names = {"X": "Cart.add", "Y": "main", "M": "shop.base", "F": "cart.py", "D": "src"}
    for form in FORMS:
        words = [names.get(word, word) for word in form.split()]
        assert read_trace(" ".join(words)), form


@given(st.text(max_size=200))
def test_any_text_is_read_or_not(text: str) -> None:
    read_trace(text)
