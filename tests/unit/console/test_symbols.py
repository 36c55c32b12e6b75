"""Which symbols the code page offers for the name in a question."""

from __future__ import annotations

from commonplace.console.pages.code import with_whole_name
from commonplace.model.graph import Symbol
from commonplace.operations.insight.neighbourhood import SymbolNode


def symbol(path: str) -> SymbolNode:
    name = path.rpartition(".")[2]
    return SymbolNode(Symbol(1, 1, 1, 1, name, path, "method", True, 1, 0, 1, 2), "shop.py")


def test_a_whole_name_leaves_its_namesakes_out() -> None:
    cart, basket, shopping = map(symbol, ("Cart.add", "Basket.add", "Shop.Cart.add"))
    lookalike = symbol("GoCart.add")
    every = [cart, basket, shopping, lookalike]
    assert with_whole_name(every, "cart.add") == [cart, shopping]
    assert with_whole_name(every, "add") == every
    assert with_whole_name(every, "Trolley.add") == every, "the nearest that there is"
