"""Files that nobody would write: read in part or not at all, with a reason, and never a crash."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.codegraph.extraction.extract import MOST_BYTES, extract
from commonplace.codegraph.extraction.languages import LANGUAGES, Language
from commonplace.codegraph.resolution.layout import Layout
from commonplace.codegraph.resolution.resolve import resolve


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"x" * (MOST_BYTES + 1), "larger than"),
        (b"const a = 1;\0\0\0", "binary"),
        (b"var a=1;" * 20_000, "minified"),
        (b"(\n" * 50_000, "too broken"),
        (b"function f() { return 1; }\nclass {", "syntax errors"),
    ],
)
def test_a_file_that_is_not_read_says_why(source: bytes, reason: str) -> None:
    assert reason in extract("a.ts", source).problem


def test_what_stands_before_a_syntax_error_is_read() -> None:
    facts = extract("a.ts", b"export function ready() { return 1; }\nclass {{{")
    assert [each.name for each in facts.definitions] == ["ready"]


def test_a_parse_without_end_is_given_up_and_the_next_file_is_read() -> None:
    endless = extract("a.tsx", b"<row {{key:>name:call(one two)")
    assert endless.problem == "too broken to read in time"
    facts = extract("b.tsx", b"export const ready = 1;")
    assert (facts.problem, [each.name for each in facts.definitions]) == ("", ["ready"])


def test_a_file_of_no_known_language_says_so() -> None:
    assert extract("a.xyz", b"text").problem == "language not supported"


@pytest.mark.parametrize("bomb", [b"a(\n", b"x + \n", b"[\n", b"if (a) {\n", b"`${\n", b"a.b().\n"])
def test_deep_nesting_comes_to_an_end(bomb: bytes) -> None:
    facts = extract("a.ts", bomb * 3_000)
    resolve({"a.ts": facts}, Layout())


@pytest.mark.parametrize(
    "source",
    [
        "export const é = 1;\nexport const b = é;".encode("utf-16"),
        "export const é = 1;\nexport const b = é;".encode("latin-1"),
        b"\xef\xbb\xbf" + "export const é = 1;\nexport const b = é;".encode(),
    ],
)
def test_other_encodings_are_read(source: bytes) -> None:
    facts = extract("a.ts", source)
    assert [each.name for each in facts.definitions] == ["é", "b"]
    assert facts.references[0].position == (1, 17)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.ts", "export class A extends A { b = this.b.c; m() { return this.m().m(); } }"),
        ("a.ts", "type A = B; type B = A; let x: A; x.y.z; export * from './a';"),
        ("a.ts", "const a = b; const b = a; a.c(); interface I<T> extends I<I<T>> { x: T }"),
        ("a.ts", "filter(x => x.y); map(({ z }) => z.w); sort((a, b) => a.b);"),
        ("a.py", "from a import *\nclass A(A): x = A().x\ndef f(): return f().f()\nf().g"),
        (
            "a.java",
            "class A<T extends A<T>> extends B { T t; } class B extends A { void m() { t.m(); } }",
        ),
    ],
)
def test_what_refers_to_itself_comes_to_an_end(path: str, source: str) -> None:
    resolve({path: extract(path, source.encode())}, Layout())


def steps(files: dict[str, str]) -> int:
    """How many functions are called to link them."""
    facts = {path: extract(path, text.encode()) for path, text in files.items()}
    return calls_of(partial(resolve, facts, Layout()))


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called, and how often generators are resumed."""
    called = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal called
        called += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


def namesakes(count: int) -> dict[str, str]:
    """Functions of one name on one type, and calls that none of them takes."""
    written = (f"fun String.foo(a: Int, b: T{number}): Int = 1\n" for number in range(count))
    calls = "  s.foo()\n" * count
    return {"a.kt": f"package a\n{''.join(written)}fun use(s: String) {{\n{calls}}}\n"}


def parts(count: int, given: str) -> dict[str, str]:
    """A type in as many files as it has bases."""
    return {
        f"P{n}.cs": f"namespace N; partial class P{given} : B{n}{given} {{ int F{n}() => G{n}(); }}"
        f" class B{n}{given} {{ }}"
        for n in range(count)
    }


@pytest.mark.parametrize(
    "written", [namesakes, partial(parts, given=""), partial(parts, given="<T>")]
)
def test_what_many_share_is_not_asked_of_each_by_each(
    written: Callable[[int], dict[str, str]],
) -> None:
    """Twice as many cost four times as much at most, and not eight times."""
    assert steps(written(64)) < 5 * steps(written(32))


def declared_again(count: int) -> dict[str, str]:
    return {"a.cpp": "struct A;\n" * count + "void f(A* a) {\n" + "a->x();\n" * count + "}\n"}


def test_a_type_that_is_declared_again_and_again_is_one() -> None:
    assert steps(declared_again(128)) < 3 * steps(declared_again(64))


def namespace_in_pieces(count: int) -> dict[str, str]:
    pieces = "".join(f"namespace a {{ int f{number}(); }}\n" for number in range(count))
    calls = "".join(f"a::f{number}();\n" for number in range(count))
    return {"a.cpp": f"{pieces}void g() {{\n{calls}}}\n"}


def test_a_namespace_in_many_pieces_is_not_asked_of_each() -> None:
    assert steps(namespace_in_pieces(512)) < 3 * steps(namespace_in_pieces(256))


@pytest.mark.parametrize(
    "written", ["using {}f;", "void {}f() {{}}", "{}f x;", "void g() {{ {}f(1); }}"]
)
def test_any_number_of_qualifiers_is_read(written: str) -> None:
    facts = extract("a.cpp", f"int a;\n{written.format('a::' * 3_000)}\nint b;\n".encode())
    assert not facts.problem
    assert {"a", "b"} <= {each.name for each in facts.definitions}
    resolve({"a.cpp": facts}, Layout())


def declarators(count: int) -> bytes:
    named = ",\n".join(f"a{number} = 1" for number in range(count))
    return f"int {named};\n".encode()


def test_one_declaration_of_many_names_is_read_once() -> None:
    few, many = (calls_of(partial(extract, "a.c", declarators(n))) for n in (128, 256))
    assert many < 3 * few


def headers(count: int, folder: str) -> dict[str, str]:
    """Headers of one name, each in its own folder, and files elsewhere that include one."""
    return {f"a{n}/config.h": f"int c{n};\n" for n in range(count)} | {
        f"b{n}/m.c": f"#include <{folder.format(n)}config.h>\n" for n in range(count)
    }


@pytest.mark.parametrize("folder", ["", "a{}/"])
def test_an_included_file_is_found_without_looking_at_all_of_its_name(folder: str) -> None:
    assert steps(headers(256, folder)) < 3 * steps(headers(128, folder))


@settings(max_examples=60, deadline=None)
@given(
    language=st.sampled_from(LANGUAGES),
    source=st.one_of(
        st.binary(max_size=300),
        st.text(alphabet="(){}[]<>.,;:=\"'`$@#\\ \nabcxyz01*&|!+-", max_size=300).map(str.encode),
    ),
)
def test_any_bytes_are_read(language: Language, source: bytes) -> None:
    path = f"a{language.extensions[0]}"
    resolve({path: extract(path, source)}, Layout())
