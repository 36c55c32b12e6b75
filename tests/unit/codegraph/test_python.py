"""Python: where each name of a small project leads, and how that is known."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import Kind
from tests.unit.codegraph.project import Project

STORE = {
    "src/store/__init__.py": """
        from .items import Item as Thing, make
        from .shelves import *
        """,
    "src/store/items.py": '''
        class Base:
            """What has a price."""
            rate: float = 1.0

            def price(self) -> int: ...

        class Item(Base):
            def __init__(self, name: str, parent: "Item | None" = None) -> None:
                self.name = name
                self.parent = parent

            @classmethod
            def empty(cls):
                return cls("")

            @property
            def top(self) -> "Item":
                return self.parent.top

            def describe(self):
                return super().price() + self.price()

        def make(name):
            return Item(name)
        ''',
    "src/store/shelves.py": """
        from typing import Optional
        import store.items
        from store import items as things

        LIMIT = 3

        class Shelf:
            def __init__(self, first: Optional[things.Item]):
                self.items: list[things.Item] = []
                self.first = first

            def walk(self):
                for item in self.items:
                    item.describe()
                self.first.top.describe()
                store.items.make("x").price()
                price = LIMIT
                return other.price(price=price)
        """,
    "tests/test_store.py": """
        import store
        from store import Shelf, Thing, make

        def test_walk():
            shelf = Shelf(make("a"))
            shelf.walk()
            Thing.empty().describe()
            with_thing = store.Thing("b").name
        """,
}


@pytest.fixture(scope="module")
def store() -> Project:
    return Project(STORE)


@pytest.mark.parametrize(
    ("path", "marked", "expected"),
    [
        ("src/store/__init__.py", "|Item as", "src/store/items.py:8 Item"),
        ("src/store/items.py", "(|Base)", "src/store/items.py:2 Base"),
        ("src/store/items.py", "super().|price", "src/store/items.py:6 price"),
        ("src/store/items.py", "+ self.|price", "src/store/items.py:6 price"),
        ("src/store/items.py", "self.parent.|top", "src/store/items.py:18 top"),
        ("src/store/shelves.py", "from store import |items", "src/store/items.py"),
        ("src/store/shelves.py", "Optional[things.|Item", "src/store/items.py:8 Item"),
        ("src/store/shelves.py", "item.|describe", "src/store/items.py:21 describe"),
        ("src/store/shelves.py", "top.|describe", "src/store/items.py:21 describe"),
        ("src/store/shelves.py", 'store.items.|make("x")', "src/store/items.py:24 make"),
        ("src/store/shelves.py", 'make("x").|price()', "src/store/items.py:6 price"),
        ("src/store/shelves.py", "price = |LIMIT", "src/store/shelves.py:6 LIMIT"),
        ("src/store/shelves.py", "other.|price", ""),
        ("src/store/shelves.py", "other.price(|price=", ""),
        ("tests/test_store.py", "import |Shelf", "src/store/shelves.py:8 Shelf"),
        ("tests/test_store.py", "shelf.|walk", "src/store/shelves.py:13 walk"),
        ("tests/test_store.py", "empty().|describe", "src/store/items.py:21 describe"),
        ("tests/test_store.py", '"b").|name', "src/store/items.py:10 name"),
    ],
)
def test_a_name_leads_to_its_definition(
    store: Project, path: str, marked: str, expected: str
) -> None:
    assert store.leads_to(path, marked) == expected


def test_members_have_their_kinds(store: Project) -> None:
    kinds = {each.path: each.kind for each in store.facts["src/store/items.py"].definitions}
    assert kinds["Base"] is Kind.CLASS
    assert kinds["Base.rate"] is Kind.FIELD
    assert kinds["Item.__init__"] is Kind.CONSTRUCTOR
    assert kinds["Item.top"] is Kind.FIELD
    assert kinds["Item.describe"] is Kind.METHOD
    assert kinds["make"] is Kind.FUNCTION


@pytest.mark.parametrize(
    "method",
    [
        "def one(  # noqa: D102\n      self, x): return self.target(x)",
        "def one(\n      # why\n      # and why not\n      self, x): return self.target(x)",
        "@staticmethod\n    @other\n    def one(  # why\n      self, x): return self.target(x)",
        "@classmethod  # why\n    def one(cls,  # why\n      x): return cls.target(x)",
        "async def one(  # why\n      self  # and why\n      , x=1): return self.target(x)",
    ],
)
def test_a_comment_among_parameters_loses_nothing(method: str) -> None:
    project = Project({"a.py": f"class A:\n    def target(self, x): ...\n    {method}\n"})
    written = "cls.|target(x)" if "cls" in method else "self.|target(x)"
    assert project.leads_to("a.py", written) == "a.py:2 target"
