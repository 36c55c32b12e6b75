"""How a name is used, where the grammar or a qualified name makes that hard to see."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.extract import extract


def uses(path: str, text: str) -> list[str]:
    """Names with their uses, in their order; reads are left out."""
    found = extract(path, text.encode()).references
    return [f"{one.name} {one.use.value}" for one in found if one.use.value != "read"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A extends B.C {}", ["B type", "C extends"]),
        ("class A extends B.C<D> {}", ["B type", "C extends", "D type"]),
        ("class A implements B.C, D {}", ["B type", "C extends", "D extends"]),
        ("class A implements B.C<D> {}", ["B type", "C extends", "D type"]),
        ("interface A extends B.C {}", ["B type", "C extends"]),
        ("sealed interface A extends B permits C, D.E {}",
         ["B extends", "C type", "D type", "E type"]),
        ("record A(int b) implements C.D {}", ["C type", "D extends"]),
        ("class A { Object b = new C.D<E>(); }", ["Object type", "C type", "D call", "E type"]),
    ],
)  # fmt: skip
def test_java(text: str, expected: list[str]) -> None:
    assert uses("A.java", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class A : B.C {}", ["C extends"]),
        ("class A : B.C<D>, E {}", ["C extends", "D type", "E extends"]),
        ("class A : B.C.D {}", ["C type", "D extends"]),
        ("class A { B.C d; }", ["C type"]),
    ],
)
def test_csharp(text: str, expected: list[str]) -> None:
    assert uses("A.cs", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("async () => { await f<T>(1) }", ["f call", "T type"]),
        ("async () => { (await a.f<T, U>(1)).b }", ["f call", "T type", "U type"]),
        ("async () => { (await f)(1) }", []),
        ("class A implements B.C, D.E<F> {}",
         ["C extends", "E extends", "F type"]),
        ("interface A extends B.C {}", ["C extends"]),
    ],
)  # fmt: skip
def test_typescript(text: str, expected: list[str]) -> None:
    assert uses("a.ts", text) == expected
