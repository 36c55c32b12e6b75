"""Names that somebody may have meant."""

from __future__ import annotations

from commonplace.text.nearest import nearest


def test_names_that_are_written_alike_come_nearest_first() -> None:
    names = ["src/cart.py", "src/carts.py", "src/lamp.py"]
    assert nearest("src/cart.pt", names, 2) == ["src/cart.py", "src/carts.py"]
    assert nearest("zebra", names, 2) == []


def test_long_names_are_told_apart_by_how_they_end() -> None:
    deep = "very/" * 60
    assert nearest(f"{deep}cart.pt", [f"{deep}cart.py", "x" * 300], 1) == [f"{deep}cart.py"]
