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


OTHER_TESTS = """from shop.base import Store, DiskStore


def keep(store: Store) -> int:
    return store.save("lamp")


def test_saving() -> None:
    keep(DiskStore())


def test_fresh() -> None:
    assert True
"""


@pytest.fixture
def shop(home: Home) -> Home:
    home.project("shop", FILES)
    return home


def trace(home: Home, symbol: str, ask: str | None, **given: object) -> list[str]:
    return home.alice.text(TRACE, symbol=symbol, ask=ask, **given).splitlines()


@pytest.mark.requirement("memory.trace.definition")
def test_a_definition_has_a_reference_that_opens_it(shop: Home) -> None:
    line, text = trace(shop, "Cart.add", "definition")
    assert line == "symbol:shop/shop/cart.py#Cart.add method, line 7"
    assert text == "  def add(self, item: str) -> int:"
    assert "return write(item)" in shop.open(line.split()[0])
    assert trace(shop, line.split()[0], "definition") == [line, text], "a reference is a name too"
    assert trace(shop, "`Cart.add`", "definition") == [line, text]


@pytest.mark.requirement("memory.trace.uses")
def test_callers_callees_and_references_are_lines(shop: Home) -> None:
    callers = trace(shop, "write", "callers")
    assert callers[0] == "symbol:shop/shop/base.py#write function, line 19, 3 uses"
    assert callers[1] == "callers: 2 in 2 files; other uses: 1 import; not linked: 1"
    assert callers[2] == "shop/shop/base.py:11 DiskStore.save (call) | return write(item)"
    assert callers[3] == "shop/shop/cart.py:8 Cart.add (call 0.99) | return write(item)"
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
    above = "\n".join(trace(shop, "SafeStore", "superclasses"))
    assert "DiskStore (extends) depth 1 | class DiskStore(Store):" in above
    assert "Store (extends) depth 2" in above
    both = "\n".join(trace(shop, "DiskStore.save", "overrides"))
    assert "Store.save (overridden)" in both
    assert "SafeStore.save (override)" in both


@pytest.mark.requirement("memory.trace.tests")
def test_tests_and_docs_of_a_symbol(shop: Home) -> None:
    told = trace(shop, "checkout", "tests")
    assert "shop/tests/test_cart.py:5 test_checkout (test 0.99) depth 1" in told[2]
    assert "shop/README.md:3 Shop | Call `checkout` with a cart." in trace(shop, "checkout", "docs")


@pytest.mark.requirement("memory.trace.tests")
def test_a_test_that_uses_a_symbol_twice_is_one_test(shop: Home) -> None:
    shop.write(
        "shop/tests/test_twice.py",
        "from shop.cart import checkout\n\n\n"
        "def test_twice():\n    checkout([])\n    assert checkout([]) == checkout([])\n",
    )
    shop.read_again("shop")
    told = "\n".join(trace(shop, "checkout", "tests"))
    assert "tests: 2 in 2 files; 2 directly" in told
    assert "test_twice.py:5 test_twice" in told
    assert "test_twice.py:6" not in told


@pytest.mark.requirement("memory.trace.tests-that-reach")
def test_tests_reach_a_symbol_through_others_and_through_dispatch(shop: Home) -> None:
    told = trace(shop, "write", "tests")
    assert told[1].startswith("tests: 1; 0 directly, 1 through others, 0 by name only")
    assert "test_cart.py:5 test_checkout (test 0.95) depth 3" in told[2]
    shop.write("shop/tests/test_other.py", OTHER_TESTS)
    shop.read_again("shop")
    by_base = "\n".join(trace(shop, "DiskStore.save", "tests"))
    assert "test_other.py:9 test_saving (test 0.60) depth 1 | keep(store)" not in by_base
    assert "test_saving (test 0.60) depth 2" in by_base, "a call of what it overrides may run it"
    named = "\n".join(trace(shop, "fresh", "tests"))
    assert "test_other.py:12 test_fresh (named 0.40)" in named


@pytest.mark.requirement("memory.trace.impact")
def test_impact_is_followed_with_depth_and_confidence(shop: Home) -> None:
    lines = trace(shop, "write", "impact")
    found = {line.split()[1]: line for line in lines if " depth " in line}
    assert "depth 1 |" in found["Cart.add"]
    assert "(call 0.95) depth 2 |" in found["checkout"], "as sure as the weakest link"
    assert "(call 0.95) depth 3 |" in found["main"]
    assert "; 1 in tests, 0 overriding; weakest link 0.95" in lines[1]
    assert [line for line in lines if " depth 3" in line][-1].split()[1] == "test_checkout"
    over = "\n".join(trace(shop, "Store.save", "impact"))
    assert "DiskStore.save (override) depth 1" in over
    assert "documents that name it: 1: shop/README.md:3" in trace(shop, "checkout", "impact")
    near = trace(shop, "write", "impact", depth=1)
    assert not [
        line for line in near if line.split()[1] in ("checkout", "main") and "?" not in line
    ]


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
    assert "not linked: 1 use of the name whose target is not known: it may be meant" in lines
    use = 'return checkout(Cart()) + unknown_thing.write("x")'
    assert f"? shop/shop/cart.py:16 main (call) | {use}" in lines
    assert f"? shop/shop/cart.py:16 write (call) | {use}" in trace(shop, "main", "callees")


@pytest.mark.requirement("memory.trace.limits")
def test_long_answers_are_cut_and_said_to_be(shop: Home) -> None:
    lines = trace(shop, "write", "references", limit=1)
    assert "… 3 more; offset=1 goes on" in lines
    rest = trace(shop, "write", "references", limit=1, offset=3)
    assert [line for line in rest if line.startswith("? shop/shop/cart.py:16 main")]
    assert not [line for line in rest if "more; offset" in line], "the last page"
    around = trace(shop, "write", "callers", limit=1, context=1)
    assert around[3:6] == [
        "  10:     def save(self, item: str) -> int:",
        "  11:         return write(item)",
        "  12: ",
    ]
    for given in (
        {"depth": 0},
        {"depth": 11},
        {"limit": 0},
        {"ask": "everything"},
        {"offset": -1},
        {"context": 11},
    ):
        error = shop.alice.refusal(TRACE, **{"symbol": "write", **given})
        assert error["code"] == "validation.invalid_argument"


@pytest.mark.requirement("memory.trace.visibility")
def test_others_code_does_not_exist(shop: Home, premises: Premises, eve: Caller) -> None:
    error = eve.refusal(TRACE, symbol="checkout")
    assert (error["message"], "add" in error["hint"]) == ("No code is attached yet.", True)


@pytest.mark.requirement("memory.trace.entry-points")
def test_entry_points_are_where_runs_begin(shop: Home) -> None:
    lines = trace(shop, "write", "entry_points")
    assert lines[1].startswith("entry points: 3 in 3 files; 2 in the program, 1 tests")
    assert [line.split()[1] for line in lines[2:5]] == ["SafeStore.save", "main", "test_checkout"]


@pytest.mark.requirement("memory.trace.files")
def test_files_and_modules_can_be_asked_about(shop: Home) -> None:
    lines = trace(shop, "shop.base", "importers")
    assert lines[0] == "file:shop/shop/base.py"
    assert lines[1] == "importers: 1"
    assert lines[2].startswith("shop/shop/cart.py:3 (import 0.99), of it DiskStore, write |")
    assert trace(shop, "shop/base.py", "importers") == lines
    offered = trace(shop, "base.py", "outline")
    assert offered[1] == "outline: 7; 7 offered to others, 0 not"
    assert "shop/shop/base.py:5 Store.save method | def save(self, item: str) -> int:" in offered
    assert trace(shop, "shop/base.py", None) == offered, "a file without a question"
    assert trace(shop, "shop/shop/base.py", None) == offered, "as answers name it"
    error = shop.alice.refusal(TRACE, symbol="nothing.py", ask="outline")
    assert error["message"] == "No file or module is called nothing.py."
    error = shop.alice.refusal(TRACE, symbol=".", ask="outline")
    assert error["message"] == "outline cannot be asked of all."
    assert "unused and cycles" in error["hint"]


@pytest.mark.requirement("memory.trace.words")
def test_a_question_in_words_is_understood_or_said_not_to_be(shop: Home) -> None:
    assert shop.alice.text(TRACE, symbol="who calls write?") == shop.alice.text(
        TRACE, symbol="write", ask="callers"
    )
    assert "path to write: 4" in shop.alice.text(TRACE, symbol="path from main to write")
    error = shop.alice.refusal(TRACE, symbol="why are carts so heavy")
    assert error["message"].startswith("Not understood. Ask in one of the forms definition of X,")
