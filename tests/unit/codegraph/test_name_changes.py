"""Which names of a file lead others elsewhere after an edit, and which do not."""

from __future__ import annotations

import pytest

from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.keeping.lookup_marks import contains_any, encode_lookups, marks
from commonplace.codegraph.keeping.name_changes import name_changes

LIB = """
export class Client extends Base {
  send(text: string): Answer { return wait((x) => x); }
  close() { const left = this.send(''); return left; }
}
export function connect(wanted: Options) { const made = new Client(); return made; }
export const shared = { first: () => connect(), second: 2 };
export { other as renamed } from './other';
"""


def names_altered(before: str, after: str, path: str = "lib.ts") -> set[str] | None:
    found = name_changes(extract(path, before.encode()), extract(path, after.encode()))
    return None if found is None else set(found.names)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("export class Client", "export function added() {}\nexport class Client", {"added"}),
        ("export function connect", "wait(() => 1);\nexport function connect", set()),
        ("export function connect", "function connect", {"connect"}),
        ("connect(wanted", "open(wanted", {"connect", "open", "wanted", "made"}),
        ("): Answer", "): Other", {"send"}),
        ("extends Base", "extends Other", {"Client", "send", "close", "text", "left", "x"}),
        ("return made", "return wanted", {"connect"}),
        ("wanted: Options", "wanted: Other", {"connect", "wanted"}),
        ("const left = this.send('');", "", {"left"}),
        ("() => connect()", "() => shared", {"first"}),
        ("second: 2", "second: 2, third: 3", {"third"}),
        ("other as renamed", "another as renamed", {"renamed"}),
    ],
)
def test_an_edit_alters_what_it_touches_and_nothing_else(
    old: str, new: str, names: set[str]
) -> None:
    assert old in LIB
    assert names_altered(LIB, LIB.replace(old, new, 1)) == names


def test_what_is_passed_on_as_a_whole_alters_every_name() -> None:
    assert names_altered(LIB, f"{LIB}export * from './more';") is None
    assert names_altered("module.exports = one;", "module.exports = two;", "lib.js") is None
    assert names_altered("package a; class A {}", "package b; class A {}", "A.java") is None


def test_names_that_are_new_to_a_package_are_told_apart() -> None:
    before, after = "package a; class A {}", "package a; class A { int size; } class B {}"
    found = name_changes(extract("A.java", before.encode()), extract("A.java", after.encode()))
    assert found is not None
    assert found.names == {"B", "size"}
    assert found.added == {"B"}


def test_what_was_asked_for_is_known_by_its_marks() -> None:
    lookups = encode_lookups({"1": ["send", "close"], "package:a": ["A"]})
    assert contains_any(lookups, marks("1", ["open", "close"]))
    assert contains_any(lookups, marks("package:a", ["A"]))
    assert not contains_any(lookups, marks("2", ["send", "close"]))
    assert not contains_any(lookups, marks("1", ["A"]))
    assert not contains_any(encode_lookups({}), marks("1", ["send"]))
