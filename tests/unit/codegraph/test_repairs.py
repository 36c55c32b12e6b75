"""Valid code on which a grammar breaks is read whole, in its place; what is not says how much."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.extraction.languages import LANGUAGES
from commonplace.codegraph.extraction.repairs import Repair
from tests.unit.codegraph.project import Project

READ_WHOLE = {
    "call signatures without semicolons": (
        "a.ts",
        """
        interface Handler {
          <E extends Env>(path: string): void
          // and one more
          <E>(path: string, more: number): [E, E]
          (last: string): void
        }
        export const after = 1
        """,
    ),
    "a member called like an operator": (
        "a.ts",
        "type Query = {\n  not?: Maybe<'ID'>\n  in?: Maybe<'ID'>\n}\nexport const after = 1\n",
    ),
    "types of a module passed on": (
        "a.ts",
        "export type * from './types'\nexport const after = 1\n",
    ),
    "the type of a module as an argument": (
        "a.ts",
        "const m = await load<typeof import('./types')>()\nexport const after = 1\n",
    ),
    "an ampersand in an attribute": (
        "a.tsx",
        'export const Link = () => <a href="/x?a=1&b=2&&c">more</a>\nexport const after = 1\n',
    ),
    "two ampersands in the text of an element": (
        "a.tsx",
        "export const Text = () => <p>this && that</p>\nexport const after = 1\n",
    ),
    "marked rest parameters": (
        "A.java",
        "class A { void f(Object @N ... all) { } void g(Class<?> @a.B(1)... all) { } int after; }",
    ),
    "a word of the language as a name": (
        "a.kt",
        "fun f(where: Op?) {\n  where?.a()\n}\nfun <T> g() where T : Op = 1\nval after = 1\n",
    ),
    "a condition behind a type": (
        "a.kt",
        "fun f(v: Any) = when (v) {\n  is A if v.b() -> c(v)\n  else -> 1\n}\nval after = 1\n",
    ),
    "a call named like a getter": (
        "a.kt",
        'fun f() {\n  val a by b<C>()\n\n  get("/x") { a.d() }\n}\nval after = 1\n',
    ),
    "a call named like a modifier": (
        "a.kt",
        "fun f() = a { b() } c {\n  override()\n}\nval after = 1\n",
    ),
    "an empty array in an annotation": (
        "a.kt",
        "annotation class A(val b: Array<C<*>> = [])\nval after = 1\n",
    ),
    "two annotations before a constructor": (
        "a.kt",
        "@A(1)\n@B\nopen class C protected constructor() {\n  fun a() {}\n}\nval after = 1\n",
    ),
    "a marked getter": (
        "a.kt",
        "class A {\n  val b\n    @OptIn(C::class)\n    get() = d\n}\nval after = 1\n",
    ),
    "a constructor on its own line, before what is delegated": (
        "a.kt",
        """
        public class A
        private constructor(b: B, private val t: T = b.t()) : C by t, D {
          fun f(w: W) {
          }
          public fun g(n: N = this.n, t: T = this.t): B {
          }
          public class B
          internal constructor(internal val n: N, internal val t: T) : C.B<B>, D.B<B> {
          }
        }
        val after = 1
        """,
    ),
    "tildes and a macro named like a type": (
        "a.rs",
        'macro_rules! m { (~ $x:tt) => { $x }; }\nfn f() { g(str![[r#"a"#]]); }\nfn after() {}\n',
    ),
    "a condition among base types": (
        "a.cs",
        "class A : B\n#if ASYNC\n  , C\n#endif\n{\n  int after;\n}\n",
    ),
    "a remark on the last line": (
        "a.cs",
        "class A { int after; }\n#pragma warning restore 618",
    ),
    "a condition around half of a block": (
        "a.h",
        '#ifdef CPP\nextern "C" {\n#endif\nint after(void) { return 1; }\n#ifdef CPP\n}\n#endif\n',
    ),
}


@pytest.mark.parametrize("construct", READ_WHOLE)
def test_a_construct_that_breaks_the_grammar_is_read(construct: str) -> None:
    path, text = READ_WHOLE[construct]
    facts = extract(path, text.encode())
    assert facts.problem == ""
    assert "after" in [each.name for each in facts.definitions]


def test_what_is_masked_keeps_its_names_and_places() -> None:
    project = Project(
        {
            "types.ts": "export interface Env { name: string }\n",
            "a.ts": """
                import type { Env } from './types'
                export type * from './types'
                interface Handler {
                  <E extends Env>(path: string): E
                  <F extends Env>(path: string): F
                }
                """,
        }
    )
    assert project.leads_to("a.ts", "<F extends |Env>") == "types.ts:1 Env"
    assert project.facts["a.ts"].problem == ""


def test_every_alternative_of_a_condition_is_read() -> None:
    source = b"""class A {
#if NEW
  public void Walk(Span a,
#elif OLD
  public void Run(Array a,
#else
  public void Go(List a,
#endif
    int b) { Step(); }
}
"""
    facts = extract("a.cs", source)
    names = [each.name for each in facts.definitions]
    assert {"Walk", "Run", "Go"} <= set(names)
    assert facts.problem == ""
    assert [each.position.line for each in facts.definitions if each.name == "Run"] == [4]


@pytest.mark.parametrize(
    "repair",
    dict.fromkeys(repair for each in LANGUAGES for repair in each.repairs),
    ids=lambda r: r.__name__,
)
def test_no_repair_moves_a_byte(repair: Repair) -> None:
    for _, text in READ_WHOLE.values():
        assert len(repair(text.encode())) == len(text.encode())


def test_conditions_in_conditions_come_to_an_end() -> None:
    facts = extract("a.cs", b"#if A\n" * 3_000 + b"class {\n" + b"#else\n#endif\n" * 3_000)
    assert facts.problem


def test_a_class_behind_two_annotations_is_no_call() -> None:
    facts = extract("a.kt", b"@A(1)\n@B\nopen class C protected constructor() {\n  fun a() {}\n}\n")
    assert [each.path for each in facts.definitions if each.path] == ["C", "C.a"]
