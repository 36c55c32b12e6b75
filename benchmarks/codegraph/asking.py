"""Questions from what a compiler knows, chosen by a seeded rule, and answers judged by it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from benchmarks.codegraph.known import Defined, Known, Line
from commonplace.codegraph.answering.places import in_tests
from commonplace.codegraph.extraction.facts import Kind

# How many of each kind a project is asked; what it lacks is filled up with callers.
SHARES = {
    "callers": 4, "references": 3, "tests": 2, "subclasses": 1, "superclasses": 1, "importers": 1,
    "callees": 1, "path": 1, "definition": 1,
}  # fmt: skip
EACH = sum(SHARES.values())
_FUNCTIONS = frozenset({Kind.FUNCTION, Kind.METHOD})
_ASKED = _FUNCTIONS | {Kind.CLASS, Kind.INTERFACE}
_LEAST_NAME = 3
_PLACE = re.compile(r"^(?P<unsure>\? )?(?P<file>\S+?):(?P<line>\d+)(?: (?P<symbol>[^\s|(]+))?")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: of a symbol in a file, or of a file."""

    project: str
    ask: str
    file: str
    symbol: str
    to: str = ""

    def document(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer over all its pages: linked places and unsure ones, as file and line and symbol."""

    linked: Sequence[tuple[str, int, str]]
    unsure: Sequence[tuple[str, int, str]]
    doubts: bool
    refused: bool = False

    @property
    def lines(self) -> set[Line]:
        return {(file, line) for file, line, _ in self.linked}


def chosen(project: str, known: Known) -> list[Asked]:
    """So many of each kind, by chance that is the same every time."""
    candidates = {ask: sorted(_candidates(ask, project, known), key=_order) for ask in SHARES}
    questions: list[Asked] = []
    for ask, share in SHARES.items():
        rule = random.Random(f"{project}/{ask}")
        questions += rule.sample(candidates[ask], min(share, len(candidates[ask])))
    rest = [one for one in candidates["callers"] if one not in questions]
    filling = random.Random(f"{project}/more")
    more = min(EACH - len(questions), len(rest))
    return questions + filling.sample(rest, more)


def _order(one: Asked) -> tuple[str, str, str]:
    return one.file, one.symbol, one.to


def _candidates(ask: str, project: str, known: Known) -> Iterable[Asked]:
    if ask == "importers":
        for file, files in known.importers.items():
            if 2 <= len(files) <= 40 and not in_tests(file):
                yield Asked(project, ask, file, "")
        return
    for defined, kind in known.kinds.items():
        if kind in _ASKED and len(defined.name) >= _LEAST_NAME and not in_tests(defined.file):
            for to in _aims(ask, defined, kind, known):
                yield Asked(project, ask, defined.file, defined.path, to)


def _aims(ask: str, defined: Defined, kind: Kind, known: Known) -> list[str]:
    """One empty aim where the question can be asked; of paths, where they lead."""
    uses, calls = known.uses[defined], known.calls[defined]
    fits = {
        "callers": kind in _FUNCTIONS and 2 <= len(calls) <= 40,
        "references": 3 <= len(uses) <= 60,
        "tests": 1 <= len(known.tests[defined]) <= 20,
        "subclasses": kind not in _FUNCTIONS and len(known.subclasses(defined)) >= 1,
        "superclasses": kind not in _FUNCTIONS and len(known.bases[defined]) >= 1,
        "callees": kind in _FUNCTIONS and 2 <= len(known.callees[defined]) <= 20,
        "definition": kind is Kind.METHOD and len(known.lines[defined]) == 1,
    }
    if ask != "path":
        return [""] if fits[ask] else []
    if kind not in _FUNCTIONS:
        return []
    near = known.callees[defined]
    far = {each for one in near for each in known.callees[one]} - near - {defined}
    return sorted({each.path for each in far if known.kinds[each] in _FUNCTIONS})[:1]


def parsed(text: str, project: str) -> Told:
    """The places of an answer of `trace`."""
    linked, unsure = list[tuple[str, int, str]](), list[tuple[str, int, str]]()
    whole: dict[str, str] = {}  # long answers name a file's folders once
    for line in text.split("\n"):
        found = _PLACE.match(line)
        if found is None:
            continue
        last = found["file"].rpartition("/")[2]
        if found["file"].startswith(f"{project}/"):
            whole[last] = found["file"].removeprefix(f"{project}/")
        elif not found["file"].startswith("…/") or last not in whole:
            continue
        place = whole[last], int(found["line"]), found["symbol"] or ""
        (unsure if found["unsure"] else linked).append(place)
    doubts = "not linked: " in text or "at least " in text or "were not followed" in text
    return Told(linked, unsure, doubts, refused=text.startswith('{"error"'))


def judged(question: Asked, told: Told, known: Known) -> str:
    """complete, partly, misleading or wrong."""
    if told.refused:
        return "wrong"
    defined = Defined(question.file, question.symbol)
    if question.ask == "path":
        return _path_judged(question, told, known)
    expected, found, false = _compared(question, defined, told, known)
    if expected and not expected & found:
        return "partly" if told.doubts and told.unsure else "wrong"
    if false:
        return "misleading"
    if expected <= found:
        return "complete"
    return "partly" if told.doubts else "misleading"


def _compared(
    question: Asked, defined: Defined, told: Told, known: Known
) -> tuple[set[Any], set[Any], set[Any]]:
    """What is expected, what was told, and what of that the compiler says is false."""
    names = {symbol for _, _, symbol in told.linked}
    files = {file for file, _, _ in told.linked}
    expected: set[Any]
    found: set[Any]
    false: set[Any] = set()
    match question.ask:
        case "callers" | "references":
            uses = known.uses[defined]
            expected = set(known.calls[defined] if question.ask == "callers" else uses)
            found = set(told.lines)
            false = (told.lines - uses) & known.elsewhere[defined.name]
        case "subclasses":
            expected, found = {each.path for each in known.subclasses(defined)}, names
        case "superclasses":
            expected, found = {each.path for each in known.bases[defined]}, names
            false = found - expected
        case "tests":
            expected, found = set(known.tests[defined]), files
        case "importers":
            expected, found = set(known.importers[question.file]), files
        case "callees":
            expected = {_made(each, known) for each in known.callees[defined]}
            found = names | {re.sub(r"\.(?:__init__|constructor)$", "", name) for name in names}
        case _:
            expected = {(defined.file, line) for line in known.lines[defined]}
            found = set(told.lines)
    return expected, found, false


def _made(each: Defined, known: Known) -> str:
    outer = Defined(each.file, each.path.rpartition(".")[0])
    return outer.path if known.kinds.get(each) is Kind.CONSTRUCTOR else each.path


def _path_judged(question: Asked, told: Told, known: Known) -> str:
    """A way is right where the compiler knows each of its steps as a call."""
    steps = [Defined(file, symbol) for file, _, symbol in told.linked]
    if not steps:
        return "wrong" if not told.doubts else "partly"
    ends = (steps[0].path, steps[-1].path) == (question.symbol, question.to)
    real = all(
        any(_same(called, after) for called in known.callees[before])
        for before, after in pairwise(steps)
    )
    return "complete" if ends and real else "partly" if ends else "misleading"


def _same(one: Defined, other: Defined) -> bool:
    return one == other or other.path.startswith(f"{one.path}.")
