"""What a compiler knows of a project, put together as questions are asked: uses, calls, bases."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import splitext

from benchmarks.codegraph.score import GroundTruth, Place
from commonplace.codegraph.answering.places import in_tests
from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.extraction.facts import Definition, Kind
from commonplace.codegraph.extraction.languages import language_of

Line = tuple[str, int]
_TYPES = frozenset({Kind.CLASS, Kind.INTERFACE})
_CODE = frozenset({Kind.FUNCTION, Kind.METHOD})
_CALLED = re.compile(r"\s*(?:<[^()=]*>)?\s*\(")
_IMPORT = re.compile(r"\s*(?:import|from|export\s.*\bfrom|export\s*[{*])\b")
_LONGEST_HEADER = 12
_NAME = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Defined:
    """All definitions of one name path in one file: overloads are one."""

    file: str
    path: str

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2]


@dataclass(slots=True)
class Known:
    """`spans` are where what is defined stands; only they are taken from our own parser."""

    kinds: dict[Defined, Kind] = field(default_factory=dict)
    lines: dict[Defined, list[int]] = field(default_factory=lambda: defaultdict(list))
    spans: dict[Defined, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    uses: dict[Defined, set[Line]] = field(default_factory=lambda: defaultdict(set))
    calls: dict[Defined, set[Line]] = field(default_factory=lambda: defaultdict(set))
    bases: dict[Defined, set[Defined]] = field(default_factory=lambda: defaultdict(set))
    tests: dict[Defined, set[str]] = field(default_factory=lambda: defaultdict(set))
    importers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    callees: dict[Defined, set[Defined]] = field(default_factory=lambda: defaultdict(set))
    types: dict[str, list[Defined]] = field(default_factory=lambda: defaultdict(list))
    # Lines where the compiler leads a use of a name elsewhere.
    elsewhere: dict[str, set[Line]] = field(default_factory=lambda: defaultdict(set))

    def subclasses(self, defined: Defined) -> set[Defined]:
        return {each for each, bases in self.bases.items() if defined in bases}


def known_of(root: Path, truth: GroundTruth) -> Known:
    known, at, texts = Known(), dict[Place, Defined](), dict[str, list[str]]()
    for path in sorted(truth.paths):
        if language_of(path) and (root / path).is_file():
            source = (root / path).read_bytes()
            texts[path] = source.decode(errors="replace").split("\n")
            for each in extract(path, source).definitions:
                at[Place(path, *each.position)] = _noted(known, path, each)
    around = _enclosing(known)
    for place in truth.places():
        if place.path in texts and place.line < len(texts[place.path]):
            _use(known, truth, place, at, texts[place.path], around)
    return known


def _noted(known: Known, path: str, each: Definition) -> Defined:
    defined = Defined(path, each.path)
    if each.kind in _TYPES and defined not in known.kinds:
        known.types[path].append(defined)
    known.kinds.setdefault(defined, each.kind)
    known.lines[defined].append(each.position.line + 1)
    known.spans[defined].append((each.first_line, each.last_line))
    return defined


def _enclosing(known: Known) -> dict[str, list[tuple[int, int, Defined]]]:
    found: dict[str, list[tuple[int, int, Defined]]] = defaultdict(list)
    for defined, spans in known.spans.items():
        if known.kinds[defined] in _CODE:
            found[defined.file] += [(first, last, defined) for first, last in spans]
    return found


def _use(
    known: Known,
    truth: GroundTruth,
    place: Place,
    at: dict[Place, Defined],
    lines: list[str],
    around: dict[str, list[tuple[int, int, Defined]]],
) -> None:
    text = lines[place.line]
    written = _NAME.match(text, place.column)
    name = written[0] if written else ""
    line = (place.path, place.line + 1)
    led_to = {at[each] for each in truth.definitions(place) or () if each in at}
    known.elsewhere[name].add(line)
    for defined in led_to:
        if line[0] == defined.file and line[1] in known.lines[defined]:
            continue
        known.uses[defined].add(line)
        if _is_import(lines, place.line):
            if place.path != defined.file:
                known.importers[defined.file].add(place.path)
            continue
        if in_tests(place.path):
            known.tests[defined].add(place.path)
        if written and _CALLED.match(text, written.end()):
            known.calls[defined].add(line)
            _called(known, place, defined, around)
        _based(known, place, defined, lines)


def _called(
    known: Known, place: Place, defined: Defined, around: dict[str, list[tuple[int, int, Defined]]]
) -> None:
    within = [
        (last - first, caller)
        for first, last, caller in around[place.path]
        if first <= place.line <= last
    ]
    for _, caller in sorted(within, key=lambda one: one[0])[:1]:
        known.callees[caller].add(defined)


def _is_import(lines: list[str], at: int) -> bool:
    """Whether a line belongs to an import, which may have begun some lines above."""
    for back in range(40):
        if at - back < 0:
            return False
        text = lines[at - back]
        if _IMPORT.match(text):
            between = "\n".join(lines[at - back : at])
            return back == 0 or not re.search(r"[;)}]|['\"]\s*$", between)
        if back and re.search(r"[;=:]\s*$|[)}]\s*$", text):
            return False
    return False


def _based(known: Known, place: Place, base: Defined, lines: list[str]) -> None:
    """A class whose header names it, outside of brackets for types."""
    for first, heir in _heirs(known, place):
        header = "\n".join(lines[first : place.line]) + "\n" + lines[place.line][: place.column]
        if heir != base and _names_base(header, heir.name, place.path):
            known.bases[heir].add(base)


def _heirs(known: Known, place: Place) -> Iterator[tuple[int, Defined]]:
    for defined in known.types[place.path]:
        for first, last in known.spans[defined]:
            if first <= place.line <= min(last, first + _LONGEST_HEADER):
                yield first, defined


def _names_base(header: str, heir: str, path: str) -> bool:
    """`header` is what stands before the name, from the class on."""
    named = re.search(rf"\b(?:class|interface|enum|record)\s+{re.escape(heir)}\b", header)
    if not named:
        return False
    rest = header[named.end() :]
    if splitext(path)[1] == ".py":
        return rest.count("(") == rest.count(")") + 1 and "=" not in rest and ":" not in rest
    words = re.sub(r"=>", "", rest)
    open_ = words.count("<") > words.count(">")
    return bool(re.search(r"\b(?:extends|implements)\b", words)) and "{" not in words and not open_
