"""Facts as bytes: they come back as they were, and their first part is what others see."""

from __future__ import annotations

import gc

from commonplace.codegraph.extraction import coding
from commonplace.codegraph.extraction.coding import Decoded, decoded, encoded
from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.extraction.facts import CodeScope, Definition, Export, Reference
from commonplace.codegraph.keeping.garbage import gc_paused

_SOURCE = """
import {helper} from './helper.js';
export class Shelf<T> extends Base { books: T[] = []; add(book: T) { return helper(book); } }
"""


def _coded(text: str) -> Decoded:
    return decoded("shelf.ts", encoded(extract("shelf.ts", text.encode())))


def test_facts_come_back_as_they_were() -> None:
    for path, text in {
        "shelf.ts": _SOURCE,
        "Shelf.java": "package a.b; class Shelf { int count(String name, Object... rest) {} }",
        "shelf.py": "from . import helper\n\ndef ärmel(größe: int = 1):\n    helper.x(größe)\n",
        "empty.ts": "",
        "unknown.xyz": "?",
    }.items():
        facts = extract(path, text.encode())
        assert decoded(path, encoded(facts)).facts == facts


def test_every_field_is_written_once() -> None:
    for kind in (CodeScope, Definition, Export, Reference):
        told = [*coding._INTERFACE_FIELDS.get(kind, ()), *coding._INTERNAL_FIELDS.get(kind, ())]
        assert sorted(told) == sorted(kind._fields)


def test_modules_that_are_named_are_told() -> None:
    assert _coded(_SOURCE).specifiers == ("./helper.js",)


def test_places_comments_and_uses_are_not_seen_from_outside() -> None:
    inner = _SOURCE.replace("{ return", "{ /* nothing new */\n\n  helper(1); return")
    assert _coded(inner).facts != _coded(_SOURCE).facts
    assert _coded(inner).interface == _coded(_SOURCE).interface


def test_whatever_linking_may_ask_for_is_seen_from_outside() -> None:
    before = _coded(_SOURCE).interface
    for old, new in (
        ("class Shelf", "class Board"),
        ("export class", "class"),
        ("extends Base", "extends Other"),
        ("books: T[]", "books: T"),
        ("add(book: T) {", "add(book: T): Shelf<T> {"),
        ("books: T[]", "static books: T[]"),
        ("./helper.js", "./other.js"),
    ):
        assert _coded(_SOURCE.replace(old, new)).interface != before, new


def test_garbage_is_collected_again_afterwards() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
