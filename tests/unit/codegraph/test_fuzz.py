"""Ten thousand files that were cut, doubled and shuffled: each is read or says why it is not."""

from __future__ import annotations

import random
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path

import pytest

from commonplace.codegraph.extraction.coding import decoded, encoded
from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.resolution.layout import Layout
from commonplace.codegraph.resolution.resolve import resolve

_SAMPLES = {
    "a.ts": "export class A<T> extends B { #x = 1; get y(): T[] { return [...z, `${a.b()}`]; } }",
    "a.tsx": "export const View = ({ all }) => <ul>{all.map((i) => <li key={i}>{i}</li>)}</ul>;",
    "a.js": "const { a, b: { c } } = require('./x'); module.exports = async () => { await a?.c; };",
    "a.java": "package p; @Test class A<T extends B> { int f(int... x) { return g(y -> y::z); } }",
    "a.py": "@deco\nclass A(B, metaclass=C):\n    async def f(self, *a, **k):\n        return k\n",
    "a.go": "package p\nfunc (r *R) F(x ...int) (y chan<- int) { go func() { y <- x[0] }() }\n",
    "a.rs": "impl<'a, T: X> Y for Z<'a, T> { fn f(&self) -> Option<&'a T> { match self { _ => 1 }",
    "a.c": "#define X(y) ((y)+1)\nstruct S { int (*f)(void); };\nint main(void) { return X(2); }\n",
    "a.cpp": "template <class T> auto f(T&& x) -> decltype(x) { return [&]{ return g(x); }(); }",
    "a.cs": "namespace N { record R(int X) { async Task F() => await G<int?>(x => x ?? 1); } }",
    "b.cs": "static class E { public static int F(this string s, int n = 1) => s.Length + n; }",
    "a.rb": "module M; class A < B; def f(*a, k: 1, &b); yield(->(x) { x&.y }) if a; end; end\n",
    "a.kt": "package a\nclass A<T : B>(val x: T?) : C(), D { fun <S> f(s: S) = x?.let { it } }",
    "a.swift": "extension A where B: C { func f<T>(_ x: T...) throws -> [T]? { x.map { $0 } } }",
    "a.scala": "package a; case class A[T <: B](x: T*) extends C with D { def f = x.map(_ + 1) }",
    "a.dart": "import 'a.dart'; class A<T> extends B with C { T? f({int x = 1}) async => g(); }",
    "a.lua": "local M = {}; function M:f(...) for k, v in pairs(self) do g{k, [v]=1} end end\n",
    "a.sh": 'f() { local x=$(g "$@"); if [[ -n ${x##*/} ]]; then echo <<<"$x"; fi; }\n',
    "a.sql": "CREATE TABLE a (id INT, CONSTRAINT c CHECK (id > 0)); SELECT f(x) FROM a JOIN b;",
    "a.vue": "<template/><script>export default { methods: { f() { return 1 } } }</script>",
    "a.php": "<?php namespace N; class A extends B { function f(?int ...$x) { return fn() => $x; }",
}
_MARKS = ("(", ")", "{", "}", "[", "]", "<", ">", "'", '"', "`", "\\", "\0", "é", "\n", "=>")


def broken(text: str, chance: random.Random) -> bytes:
    """The text with a few of its pieces cut out, doubled, moved, or with marks put in."""
    for _ in range(chance.randrange(1, 6)):
        first, last = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        piece = text[first:last]
        text = chance.choice(
            (
                text[:first] + text[last:],
                text[:last] + piece * chance.randrange(1, 4) + text[last:],
                piece + text[:first] + text[last:],
                text[:first] + chance.choice(_MARKS) * chance.randrange(1, 40) + text[first:],
            )
        )[:20_000]
    data = text.encode("utf-16") if chance.random() < 0.02 else text.encode()
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.1 else data


def read_all(count: int, seed: int) -> None:
    chance = random.Random(seed)
    own = Path(str(files("commonplace.codegraph")))
    sources = [*_SAMPLES.items(), ("b.py", (own / "resolution" / "names.py").read_text())]
    for path, text in islice(cycle(sources), count):
        data = broken(text, chance)
        facts = extract(path, data)
        assert facts.problem or facts.definitions or not facts.references or facts.scopes
        assert decoded(path, encoded(facts)).facts == facts
        resolve({path: facts}, Layout())


def test_broken_files() -> None:
    read_all(130, 1)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_ten_thousand_broken_files() -> None:
    read_all(10_000, 2)
