"""Questions about code by name: answered in short lines, and honest about what is not known."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.memory.home import Home

TRACE = "trace"
FILES = {
    "shop/base.py": '''"""Stores."""


class Store:
    def save(self, item: str) -> int:
        raise NotImplementedError


class DiskStore(Store):
    def save(self, item: str) -> int:
        return write(item)


class SafeStore(DiskStore):
    def save(self, item: str) -> int:
        return super().save(item)


def write(text: str) -> int:
    return len(text)
''',
    "shop/cart.py": '''"""Carts."""

from shop.base import DiskStore, write


class Cart:
    def add(self, item: str) -> int:
        return write(item)


def checkout(cart: Cart) -> int:
    return cart.add("lamp")


def main() -> int:
    return checkout(Cart()) + unknown_thing.write("x")


def fresh() -> DiskStore:
    return DiskStore()
''',
    "tests/test_cart.py": """from shop.cart import checkout, Cart


def test_checkout() -> None:
    assert checkout(Cart()) == 4
""",
    "README.md": "# Shop\n\nCall `checkout` with a cart.\n",
}


@pytest.fixture
def shop(home: Home) -> Home:
    home.project("shop", FILES)
    return home


def trace(home: Home, symbol: str, ask: str, **given: object) -> list[str]:
    return home.alice.text(TRACE, symbol=symbol, ask=ask, **given).splitlines()


@pytest.mark.requirement("memory.trace.definition")
def test_a_definition_has_a_reference_that_opens_it(shop: Home) -> None:
    (line,) = trace(shop, "Cart.add", "definition")
    assert line == "symbol:shop/shop/cart.py#Cart.add method, line 7"
    assert "return write(item)" in shop.open(line.split()[0])
    assert trace(shop, line.split()[0], "definition") == [line], "a reference is a name too"


@pytest.mark.requirement("memory.trace.uses")
def test_callers_callees_and_references_are_lines(shop: Home) -> None:
    callers = trace(shop, "write", "callers")
    assert "shop/shop/base.py:11 DiskStore.save (call" in "\n".join(callers)
    assert "shop/shop/cart.py:8 Cart.add (call" in "\n".join(callers)
    assert "callers: 2" in callers
    callees = "\n".join(trace(shop, "main", "callees"))
    assert "shop/shop/cart.py:11 checkout (call" in callees
    references = "\n".join(trace(shop, "write", "references"))
    assert "shop/shop/cart.py:3 (import" in references


@pytest.mark.requirement("memory.trace.types")
def test_subclasses_and_implementations_are_found_through_others(shop: Home) -> None:
    subclasses = "\n".join(trace(shop, "Store", "subclasses"))
    assert "DiskStore (extends" in subclasses
    assert "SafeStore (extends" in subclasses
    assert "depth 2" in subclasses
    overriding = "\n".join(trace(shop, "Store.save", "implementations"))
    assert "DiskStore.save depth 1" in overriding
    assert "SafeStore.save depth 2" in overriding


@pytest.mark.requirement("memory.trace.tests")
def test_tests_and_docs_of_a_symbol(shop: Home) -> None:
    assert "shop/tests/test_cart.py:4 test_checkout (test)" in trace(shop, "checkout", "tests")
    assert "shop/README.md:3 Shop" in trace(shop, "checkout", "docs")


@pytest.mark.requirement("memory.trace.impact")
def test_impact_is_followed_with_depth_and_confidence(shop: Home) -> None:
    lines = trace(shop, "write", "impact")
    found = {line.split()[1]: line for line in lines if " depth " in line}
    assert found["Cart.add"].endswith("depth 1")
    assert found["checkout"].endswith("depth 2")
    assert found["main"].endswith("depth 3")
    near = trace(shop, "write", "impact", depth=1)
    assert not [line for line in near if "checkout" in line]


@pytest.mark.requirement("memory.trace.path")
def test_a_path_leads_from_one_symbol_to_another(shop: Home) -> None:
    lines = trace(shop, "main", "path", to="write")
    steps = [line.split()[1] for line in lines if line.startswith("shop/")]
    assert steps == ["main", "checkout", "Cart.add", "write"]
    assert "path to main: none" in trace(shop, "write", "path", to="main")
    error = shop.alice.refusal(TRACE, symbol="main", ask="path")
    assert "to" in error["message"]


@pytest.mark.requirement("memory.trace.unknown")
def test_an_unknown_symbol_is_said_to_be_unknown_with_the_nearest(shop: Home) -> None:
    error = shop.alice.refusal(TRACE, symbol="chekout", ask="callers")
    assert error["code"] == "knowledge.not_found"
    assert error["message"] == "No symbol is called chekout."
    assert "checkout" in error["hint"]
    nowhere = shop.alice.refusal(TRACE, symbol="main", ask="path", to="nowhere_at_all")
    assert "nowhere_at_all" in nowhere["message"]
    project = shop.alice.refusal(TRACE, symbol="main", project="shpo")
    assert "shop" in project["hint"]


@pytest.mark.requirement("memory.trace.unresolved")
def test_what_could_not_be_resolved_is_counted_and_shown(shop: Home) -> None:
    lines = trace(shop, "write", "callers")
    assert "unresolved: 1 uses of the name whose target is not known" in lines
    assert "? shop/shop/cart.py:16 main" in lines
    assert "? shop/shop/cart.py:16 write" in trace(shop, "main", "callees")


@pytest.mark.requirement("memory.trace.limits")
def test_long_answers_are_cut_and_said_to_be(shop: Home) -> None:
    lines = trace(shop, "write", "references", limit=1)
    assert [line for line in lines if line.endswith("more; raise limit")]
    for given in ({"depth": 0}, {"depth": 11}, {"limit": 0}, {"ask": "everything"}):
        error = shop.alice.refusal(TRACE, **{"symbol": "write", **given})
        assert error["code"] == "validation.invalid_argument"


@pytest.mark.requirement("memory.trace.visibility")
def test_others_code_does_not_exist(shop: Home, premises: Premises, eve: Caller) -> None:
    error = eve.refusal(TRACE, symbol="checkout")
    assert (error["message"], "add" in error["hint"]) == ("No code is attached yet.", True)
