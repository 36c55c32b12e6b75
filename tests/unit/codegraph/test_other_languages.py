"""Other languages: their symbols, links inside files, and no guesses beyond them."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.linking import CONFIDENCE, Resolution
from commonplace.codegraph.resolution.visible import visible_numbers
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
    "a.kt": """
        package store
        class Shelf(val size: Int) : Base() {
          fun walk(): Int = measure(this)
          fun measure(shelf: Shelf): Int = shelf.size
        }
        """,
    "a.swift": """
        class Shelf: Base {
          var size: Int = 3
          init(n: Int) { self.size = n }
          func walk() -> Int { return measure(self) }
        }
        protocol Keeper { func keep() }
        enum Color { case red, green }
        extension Shelf { func more() {} }
        func measure(_ shelf: Shelf) -> Int { return 1 }
        """,
    "a.scala": """
        package store
        class Shelf(val size: Int) extends Base {
          def walk(): Int = measure(this)
          def measure(shelf: Shelf): Int = shelf.size
        }
        object Shelf { val Limit = 3 }
        trait Keeper { def keep(): Unit }
        """,
    "a.dart": """
        class Shelf extends Base {
          int size = 3;
          Shelf(this.size);
          int walk() { return measure(this); }
        }
        enum Color { red, green }
        int measure(Shelf shelf) { return 1; }
        """,
    "a.lua": """
        local Shelf = {}
        local function measure(shelf) return shelf.size end
        function Shelf.walk(shelf) measure(shelf) end
        function Shelf:keep() end
        """,
    "a.sh": """
        LIMIT=3
        measure() { echo "$1"; }
        function walk { measure "$LIMIT"; }
        """,
    "a.sql": """
        CREATE TABLE shelf (id INT PRIMARY KEY, name TEXT NOT NULL);
        CREATE FUNCTION measure(a INT) RETURNS INT AS $$ SELECT 1 $$ LANGUAGE sql;
        CREATE VIEW walked AS SELECT measure(id) FROM shelf;
        """,
    "a.vue": """
        <template><p>{{ walk() }}</p></template>
        <script setup lang="ts">
        const limit = 3
        function measure(n: number) { return n }
        function walk() { return measure(limit) }
        </script>
        """,
    "a.svelte": """
        <script>
        export let size = 3
        function measure(n) { return n }
        function walk() { return measure(size) }
        </script>
        <p on:click={walk}>{size}</p>
        """,
}

SYMBOLS = {
    "a.c": "LIMIT shelf shelf.size measure walk",
    "a.cpp": "store store.Shelf store.Shelf.size store.Shelf.walk store.measure store.Shelf.walk",
    "a.cs": "Shelf Shelf.Size Shelf.Walk Shelf.Measure",
    "a.rb": "Store Store.LIMIT Store.Shelf Store.Shelf.walk Store.Shelf.measure",
    "a.php": "Shelf Shelf.size Shelf.walk measure",
    "a.kt": "Shelf Shelf.size Shelf.walk Shelf.measure",
    "a.swift": "Shelf Shelf.size Shelf.init Shelf.walk Keeper Keeper.keep Color Color.red "
    "Color.green Shelf.more measure",
    "a.scala": "Shelf Shelf.size Shelf.walk Shelf.measure Shelf Shelf.Limit Keeper Keeper.keep",
    "a.dart": "Shelf Shelf.size Shelf.Shelf Shelf.walk Color Color.red Color.green measure",
    "a.lua": "Shelf measure walk keep",
    "a.sh": "LIMIT measure walk",
    "a.sql": "shelf shelf.id shelf.name measure walked",
    "a.vue": "limit measure walk",
    "a.svelte": "size measure walk",
}

CALLS = {
    "a.c": "return |measure",
    "a.cpp": "{ |measure(",
    "a.cs": "{ |Measure(",
    "a.php": "{ |measure(",
    "a.rb": "|measure(self)",
    "a.kt": "= |measure(this)",
    "a.swift": "return |measure",
    "a.scala": "= |measure(this)",
    "a.dart": "return |measure",
    "a.lua": "|measure(shelf) end\n        function Shelf:keep".replace("        ", ""),
    "a.sh": "{ |measure",
    "a.sql": "SELECT |measure",
    "a.vue": "return |measure",
    "a.svelte": "return |measure",
}


@pytest.mark.parametrize("path", SOURCES)
def test_symbols_are_found_with_their_paths(path: str) -> None:
    facts = Project({path: SOURCES[path]}).facts[path]
    numbers = visible_numbers(facts)
    assert [facts.definitions[each].path for each in numbers] == SYMBOLS[path].split()
    assert facts.problem == ""


@pytest.mark.parametrize("path", CALLS)
def test_a_call_inside_a_file_is_linked_by_its_scopes(path: str) -> None:
    link = Project({path: SOURCES[path]}).link(path, CALLS[path])
    assert link is not None
    assert link.resolution is Resolution.SCOPE


def test_a_call_of_another_file_is_linked_by_name_and_says_so() -> None:
    files = {
        "a.c": "int walk(void) { return measure(1); }",
        "b.c": "int measure(int x) { return x; }",
    }
    link = Project(files).link("a.c", CALLS["a.c"])
    assert link is not None
    assert (link.resolution, link.confidence) == (Resolution.NAME, CONFIDENCE[Resolution.NAME])


def test_of_two_symbols_with_one_name_neither_is_guessed() -> None:
    twice = {
        "a.c": "int walk(void) { return measure(1); }",
        "b.c": "int measure(int x) { return x; }",
        "c.c": "int measure(int x) { return x; }",
    }
    assert Project(twice).link("a.c", CALLS["a.c"]) is None


def test_overloads_of_one_type_are_the_set_of_them() -> None:
    project = Project(
        {
            "a.cs": """
                class Log {
                  public void Write(string text) {}
                  public void Write(string text, int level) {}
                  void Run() { Write("a"); this.Write("b", 1); }
                }
                """
        }
    )
    for marked in ("{ |Write(", "this.|Write("):
        link = project.link("a.cs", marked)
        assert link is not None
        assert len(link.targets) == 2
        assert link.confidence > 0.9


@pytest.mark.parametrize(
    ("path", "text", "marked"),
    [
        ("a.php", "<?php class Text { function substr() {} } echo $x->substr(1);", "x->|substr"),
        ("a.rb", "class A\n  def walk\n  end\nend\nother.walk\n", "other.|walk"),
        ("a.kt", "class A {\n  fun walk() {}\n}\nfun f() { other().walk() }\n", "other().|walk"),
        ("a.cs", "class A { void Walk() {} void F() { other.Walk(); } }", "other.|Walk"),
        ("a.swift", "class A { func walk() {} }\nfunc f() { other.walk() }\n", "other.|walk"),
        (
            "a.cpp",
            "class A { public: void walk() {} };\nvoid f() { other.walk(); }\n",
            "other.|walk",
        ),
        ("a.lua", "local A = {}\nfunction A.walk() end\nother.walk()\n", "other.|walk"),
    ],
)
def test_a_call_on_what_is_not_known_is_not_guessed_by_name(
    path: str, text: str, marked: str
) -> None:
    assert Project({path: text}).link(path, marked) is None


def test_a_component_is_what_its_file_gives() -> None:
    project = Project(
        {
            "Shelf.vue": SOURCES["a.vue"],
            "main.ts": "import Shelf from './Shelf.vue'\nexport const shelf = Shelf\n",
        }
    )
    assert project.leads_to("main.ts", "import |Shelf") == "Shelf.vue"


def test_members_of_types_are_found_across_files_of_a_package() -> None:
    kotlin = Project(
        {
            "src/a/Shelf.kt": "package a\nclass Shelf(val size: Int) {\n"
            "  fun walk(): Shelf = this\n}\n",
            "src/a/More.kt": "package a\nfun Shelf.shout(): Int = this.size\n"
            "fun make(): Shelf = Shelf(1)\n",
            "src/b/Use.kt": "package b\nimport a.Shelf\nimport a.make\n"
            "fun run(one: Shelf) {\n  one.walk().walk()\n  one.shout()\n  val two = make()\n"
            "  two.size\n}\n",
        }
    )
    assert kotlin.leads_to("src/b/Use.kt", "walk().|walk()") == "src/a/Shelf.kt:3 walk"
    assert kotlin.leads_to("src/b/Use.kt", "one.|shout()") == "src/a/More.kt:2 shout"
    assert kotlin.leads_to("src/b/Use.kt", "= |make()") == "src/a/More.kt:3 make"
    assert kotlin.leads_to("src/b/Use.kt", "two.|size") == "src/a/Shelf.kt:2 size"
    csharp = Project(
        {
            "A.cs": "namespace Shop.Store;\npublic partial class Shelf { public Book First; }\n",
            "B.cs": "namespace Shop.Store { partial class Shelf { public void Walk() {} } }\n",
            "C.cs": "namespace Shop;\npublic class Book { public string Title { get; set; } }\n",
            "D.cs": "using Shop.Store;\nnamespace Other;\n"
            "class User { string Go(Shelf s) { s.Walk(); return s.First.Title; } }\n",
        }
    )
    assert csharp.leads_to("D.cs", "s.|Walk()") == "B.cs:1 Walk"
    assert csharp.leads_to("D.cs", "First.|Title") == "C.cs:2 Title"
