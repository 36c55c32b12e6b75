"""Python: elements of containers, fixtures, contexts, values that are called, written-out bases."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.facts import Use
from tests.unit.codegraph.project import Project

LIBRARY = """
    from contextlib import contextmanager
    from typing import Generic, Iterator, Protocol, Self, TypeVar
    T = TypeVar("T")

    class Pet(Generic[T]):
        def feed(self): ...
        def named(self, name) -> Self: return self

    class Maker(Protocol):
        def __call__(self, name: str) -> Pet: ...

    class House:
        def __init__(self, maker: Maker):
            self.maker = maker
            self.pets: dict[str, Pet] = {}
            self.rooms = [Pet(), Pet()]
        def __enter__(self) -> Self: return self
        def close(self): ...

    class Session:
        def __enter__(self) -> Pet: ...

    @contextmanager
    def opened() -> Iterator[House]:
        yield House(Pet)

    def all_pets():
        yield Pet()
    """

CASES = [
    "for pet in house.pets.values(): pet.|feed()",
    "for name, pet in house.pets.items(): pet.|feed()",
    'def in_quotes(pet: "Pet"): pet.|feed()',
    'def in_brackets(pets: "list[Pet]"): pets[0].|feed()',
    "def qualified(pet: t.Optional[Pet]): pet.|feed()",
    'def inner(pets: t.Dict[str, t.List["Pet"]]): pets["a"][0].|feed()',
    "def either(pet: t.Union[Pet, None]): pet.|feed()",
    "t.cast(Pet, house).|feed()",
    "cast('Pet', house).|feed()",
    'house.pets["a"].|feed()',
    'house.pets.get("a").|feed()',
    "for pet in house.rooms: pet.|feed()",
    "for at, pet in enumerate(house.rooms): pet.|feed()",
    "for pet, other in zip(house.rooms, []): pet.|feed()",
    "for pet in sorted(house.rooms): pet.|feed()",
    "next(iter(house.rooms)).|feed()",
    "[pet.|feed() for pet in house.rooms]",
    "made = [Pet() for _ in range(3)]\nfor pet in made: pet.|feed()",
    'table = {"a": Pet()}\ntable["a"].|feed()',
    'house.maker("a").|feed()',
    "Pet().named(1).|feed()",
    "for pet in all_pets(): pet.|feed()",
    "with opened() as home: home.rooms[0].|feed()",
    "with House(None) as home: home.rooms[0].|feed()",
    "with Session() as pet: pet.|feed()",
    "pairs: list[Pet] = []\nfor pet in pairs: pet.|feed()",
]


@pytest.mark.parametrize("code", CASES)
def test_an_expression_is_what_its_surroundings_say(code: str) -> None:
    head = "from library import *\nfrom library import House, Pet, Session, all_pets, opened\n"
    use = f"{head}house = House(None)\n{code.replace('|', '')}\n"
    project = Project({"library.py": LIBRARY, "use.py": use})
    assert project.leads_to("use.py", code.rpartition("\n")[2]) == "library.py:7 feed"


@pytest.mark.parametrize(
    "code", ["for name in house.pets: name.|feed()", "for key in {'a': Pet()}: key.|feed()"]
)
def test_a_mapping_is_iterated_by_its_keys(code: str) -> None:
    use = f"from library import House, Pet\nhouse = House(None)\n{code.replace('|', '')}\n"
    assert Project({"library.py": LIBRARY, "use.py": use}).leads_to("use.py", code) == ""


FIXTURES = {
    "app.py": "class Client:\n    def get(self): ...\n\nclass Server:\n    def stop(self): ...\n",
    "tests/conftest.py": """
        import pytest
        from app import Client, Server

        @pytest.fixture
        def client():
            return Client()

        @pytest.fixture(scope="session")
        def server():
            with Server() as made:
                yield Server()
        """,
    "tests/unit/test_app.py": """
        import pytest
        from app import Server

        @pytest.fixture
        def own(server):
            server.stop()
            return Server()

        def test_client(client, server, own, unknown):
            client.get()
            server.stop(1)
            own.stop(2)
            unknown.stop(3)

        class TestMany:
            @pytest.fixture
            def inner(self): return Server()
            def test_inner(self, inner, client):
                inner.stop(4)
                client.get(5)

        def helper(client):
            client.get(6)
        """,
}


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("server.|stop()", "app.py:5 stop"),
        ("client.|get()", "app.py:2 get"),
        ("server.|stop(1)", "app.py:5 stop"),
        ("own.|stop(2)", "app.py:5 stop"),
        ("unknown.|stop(3)", ""),
        ("inner.|stop(4)", "app.py:5 stop"),
        ("client.|get(5)", "app.py:2 get"),
        ("client.|get(6)", ""),
    ],
)
def test_a_parameter_of_a_test_is_what_its_fixture_gives(marked: str, expected: str) -> None:
    assert Project(FIXTURES).leads_to("tests/unit/test_app.py", marked) == expected


def test_a_base_with_arguments_is_extended() -> None:
    code = (
        "import lib\nfrom lib import Base\nclass A(Base[int]): ...\nclass B(lib.Base[str]): ...\n"
        "A().run()\n"
    )
    project = Project({"lib.py": "class Base:\n    def run(self): ...\n", "use.py": code})
    for marked in ("A(|Base[", "lib.|Base["):
        link = project.link("use.py", marked)
        assert link is not None
        assert project.facts["use.py"].references[link.reference].use is Use.EXTENDS
    assert project.leads_to("use.py", "A().|run") == "lib.py:2 run"


def test_a_package_offers_the_modules_that_it_imports_from_itself() -> None:
    project = Project(
        {
            "src/pkg/__init__.py": "from . import low as low, other\nfrom .other import run\n",
            "src/pkg/low.py": "def go(): ...\n",
            "src/pkg/other.py": "def run(): ...\n",
            "src/pkg/tests/__init__.py": "",
            "src/pkg/tests/test_low.py": "from .. import low as l\nl.go()\n",
            "use.py": "import pkg\npkg.low.go()\npkg.other.run()\npkg.run()\n",
        }
    )
    assert project.leads_to("use.py", "pkg.|low.go") == "src/pkg/low.py"
    assert project.leads_to("use.py", "low.|go") == "src/pkg/low.py:1 go"
    assert project.leads_to("use.py", "other.|run") == "src/pkg/other.py:1 run"
    assert project.leads_to("use.py", "pkg.|run()") == "src/pkg/other.py:1 run"
    assert project.leads_to("src/pkg/tests/test_low.py", "l.|go()") == "src/pkg/low.py:1 go"
    assert project.leads_to("src/pkg/__init__.py", "import |low") == "src/pkg/low.py"


@pytest.mark.parametrize("marked", ["Final", "typing.Final", "ClassVar"])
def test_a_variable_that_is_only_said_to_be_final_is_what_it_is_given(marked: str) -> None:
    code = f"class A:\n    def run(self): ...\n\nONE: {marked} = A()\nONE.run()\n"
    assert Project({"a.py": code}).leads_to("a.py", "ONE.|run") == "a.py:2 run"


def test_packages_are_found_where_build_files_say() -> None:
    project = Project(
        {
            "a/pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["lib"]\n',
            "a/lib/tool/__init__.py": "def go(): ...\n",
            "a/tests/test_go.py": "from tool import go\ngo()\n",
            "b/pyproject.toml": "[project]\nname = 'b'\n",
            "b/src/tool/__init__.py": "\ndef go(): ...\n",
            "b/tests/test_go.py": "from tool import go\ngo()\n",
        }
    )
    assert project.leads_to("a/tests/test_go.py", "\n|go()") == "a/lib/tool/__init__.py:1 go"
    assert project.leads_to("b/tests/test_go.py", "\n|go()") == "b/src/tool/__init__.py:2 go"


@pytest.mark.parametrize("written", ["t.List[Pet] | None", "None | List[Pet]", "'list[Pet] | int'"])
def test_a_value_is_of_one_of_several_types(written: str) -> None:
    code = f"class Pet:\n    def feed(self): ...\ndef f(pets: {written}): pets[0].feed()\n"
    assert Project({"a.py": code}).leads_to("a.py", "pets[0].|feed") == "a.py:2 feed"


def test_a_type_in_quotes_uses_the_names_in_it() -> None:
    code = """
        import typing as t
        class Pet: pass
        def feed(pet: "Pet", others: t.List["Pet"], kind: t.Literal["Pet"] = "Pet") -> "Pet | None":
            later: 't.Dict[str, Pet]' = {"Pet": pet}
            return t.cast("Pet", later)
        """
    facts = Project({"a.py": code}).facts["a.py"]
    used = [(each.position.line, each.use) for each in facts.references if each.name == "Pet"]
    assert used == [(3, Use.TYPE), (3, Use.TYPE), (3, Use.TYPE), (4, Use.TYPE), (5, Use.READ)]
