"""A text as the moments in it: where one ends and the next begins, and what is said about each.

Cuts only between paragraphs, list items and turns of a conversation, never inside one. Decides
nothing about keeping a moment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import NamedTuple

from commonplace.analysis.confidence import (
    DEFAULT_THRESHOLDS,
    DEFAULT_WEIGHTS,
    Assessment,
    ConfidenceThresholds,
    Weights,
    assess,
)
from commonplace.analysis.learning import contributing
from commonplace.analysis.patterns import find_patterns
from commonplace.analysis.scale import exact
from commonplace.analysis.sentences import sentences
from commonplace.model.call import PLAIN_CALL
from commonplace.text.snippet import ELLIPSIS

NO_PROJECT = "default"
NO_FILE = "unknown"
SUMMARY_LENGTH = 200
NEAR_THRESHOLD = 0.8  # of the threshold
# Up to here a text is one moment, however it is laid out: scores are best up to 500 characters.
SHORT_TEXT = 400
# Less than this says too little to stand alone; it is also the least that a caller may send.
LEAST_MOMENT = 50
# A problem and its solution stay together up to here; beyond it length alone would sink the score.
LONGEST_PAIR = 1000

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_ITEM = re.compile(r"[ ]{0,3}(?:[-*+•]|\d{1,3}[.)])[ \t]")
_INDENTED = re.compile(r"[ ]{2,}|\t")
_DECORATION = re.compile(
    r"^(?:[ \t]*(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])[ \t]+)+|[*`]{1,3}", re.MULTILINE
)
_NAME = r"[\"'`*]{0,3}(?P<name>[A-Za-z][\w-]*+)(?![\w-]|[./\\]\w)"
_CALLED = re.compile(
    rf"\bproject(?:[ \t]++(?:called|named))?(?:[ \t]*+[:=])?[ \t]++{_NAME}", re.IGNORECASE
)
_OWN = re.compile(
    rf"\b(?:in|for)[ \t]+(?:the|our|my|this)[ \t]+{_NAME}[\"'`*]{{0,3}}[ \t]+"
    r"(?:project|repo|repository|service|app|application|codebase|package)\b",
    re.IGNORECASE,
)
# "in batches of", "for lack of": a noun that goes on names nothing.
_MENTIONED = re.compile(rf"\b(?:in|for)[ \t]+{_NAME}(?![ \t]+of\b)", re.IGNORECASE)
_FILE = re.compile(
    r"\b(?:file|in|at)(?:[ \t]*+:)?[ \t]++[\"'`(*\[]{0,3}"
    r"(?P<path>(?:[A-Za-z]:)?[\w@~.+/\\-]{0,300}\w\.[A-Za-z]\w{0,9})(?![\w/\\])",
    re.IGNORECASE,
)


class MomentAction(StrEnum):
    CAPTURE = auto()
    REVIEW = auto()
    IGNORE = auto()


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch of text that may be worth keeping, how surely, and what it seems to be about.

    `detected_by` names the factors that spoke for it.
    """

    text: str
    summary: str
    type: str
    project: str
    file_context: str
    score: float
    level: str
    detected_by: tuple[str, ...]


def moments(
    text: str,
    weights: Weights = DEFAULT_WEIGHTS,
    thresholds: ConfidenceThresholds = DEFAULT_THRESHOLDS,
    check: Callable[[], None] = PLAIN_CALL.check,
) -> tuple[Moment, ...]:
    """Every candidate, assessed, in order. A project that is called one holds for all of them.

    `check` is called before each: it may raise to end the work.
    """
    called = _first_project(text, _CALLED)
    found = []
    for candidate in candidates(text):
        check()
        assessment = assess(candidate, weights=weights, thresholds=thresholds)
        found.append(_moment(candidate, assessment, called))
    return tuple(found)


def _moment(text: str, assessment: Assessment, called: str | None) -> Moment:
    return Moment(
        text=text,
        summary=summary_of(text),
        type=assessment.detection.suggested_type,
        project=_first_project(text, _CALLED) or called or project_of(text),
        file_context=file_context_of(text),
        score=assessment.score,
        level=assessment.level,
        detected_by=contributing(assessment),
    )


def verdict_of(score: float, *, threshold: float, auto_save: bool) -> MomentAction:
    """What reaches the threshold is captured if that was asked for; what comes near, reviewed."""
    if score >= threshold:
        return MomentAction.CAPTURE if auto_save else MomentAction.REVIEW
    return (
        MomentAction.REVIEW if score >= exact(NEAR_THRESHOLD * threshold) else MomentAction.IGNORE
    )


def summary_of(text: str) -> str:
    """The first sentence without decoration, on one line; a text of nothing else as it stands."""
    said = [text[block.start : block.end] for block in _blocks(text) if block.kind in _SPOKEN]
    opening = next((body for body in said if not body.rstrip().endswith(":")), text)
    plain = _words().turn.sub("", _DECORATION.sub("", opening), count=1)
    line = " ".join((next(iter(sentences(plain)), "") or text).split())
    return line if len(line) <= SUMMARY_LENGTH else line[:SUMMARY_LENGTH] + ELLIPSIS


def project_of(text: str) -> str:
    """The word after `project`, else after `in` or `for`, that could name one."""
    found = (_first_project(text, pattern) for pattern in (_CALLED, _OWN, _MENTIONED))
    return next(filter(None, found), NO_PROJECT)


def _first_project(text: str, pattern: re.Pattern[str]) -> str | None:
    names = (match["name"].rstrip("-_") for match in pattern.finditer(text))
    return next((name for name in names if name.lower() not in _words().not_projects), None)


def file_context_of(text: str) -> str:
    """The path with a dot in it after `file`, `in` or `at`."""
    paths = (match["path"] for match in _FILE.finditer(text))
    return next(filter(_could_be_file, paths), NO_FILE)


def _could_be_file(path: str) -> bool:
    is_address = "/" not in path and path.rpartition(".")[2].lower() in _words().address_endings
    return path.lower() not in _words().not_files and not is_address


# --- Where a moment ends --------------------------------------------------------------------------


class _Kind(Enum):
    PROSE = auto()
    HEADING = auto()
    ITEM = auto()
    TURN = auto()
    CODE = auto()


class _Block(NamedTuple):
    """A stretch `text[start:end]` that is not cut; as a unit of several it has its first's kind."""

    start: int
    end: int
    kind: _Kind


_SPOKEN = frozenset({_Kind.PROSE, _Kind.ITEM, _Kind.TURN})
_Together = Callable[[str, _Block, _Block], bool]


def candidates(text: str) -> tuple[str, ...]:
    """The text cut into what could be moments of their own; a short one is one, as it stands."""
    if len(text) <= SHORT_TEXT:
        return (text,) if text.strip() else ()
    units = _lists_settled(text, _merged(text, _blocks(text), _belongs_to_previous))
    for together in (_leads_to_next, _is_too_short, _is_solved_by):
        units = _merged(text, units, together)
    return tuple(text[start:end].rstrip() for start, end, _ in units) if len(units) > 1 else (text,)


def _merged(text: str, blocks: Iterable[_Block], together: _Together) -> list[_Block]:
    units: list[_Block] = []
    for block in blocks:
        if units and together(text, units[-1], block):
            units[-1] = units[-1]._replace(end=block.end)
        else:
            units.append(block)
    return units


def _belongs_to_previous(text: str, before: _Block, block: _Block) -> bool:
    """Code belongs to what it illustrates, an indented paragraph to its list item."""
    if block.kind is _Kind.CODE:
        return before.kind is not _Kind.HEADING
    continues = block.kind is _Kind.PROSE and _INDENTED.match(text, block.start)
    return before.kind is _Kind.ITEM and bool(continues)


def _leads_to_next(text: str, before: _Block, block: _Block) -> bool:
    """A heading, and a line that ends with a colon, belong to what follows."""
    near = text[max(before.start, before.end - LONGEST_PAIR) : before.end]
    last = near.rstrip().rpartition("\n")[2]
    return block.kind is not _Kind.HEADING and (bool(_HEADING.match(last)) or last.endswith(":"))


def _is_too_short(text: str, before: _Block, block: _Block) -> bool:
    """What says too little alone goes with its neighbour, but not over a heading."""
    if block.kind is _Kind.HEADING or block.end - before.start > LONGEST_PAIR:
        return False
    return any(len(text[one.start : one.end].strip()) < LEAST_MOMENT for one in (before, block))


def _is_solved_by(text: str, before: _Block, block: _Block) -> bool:
    """A problem without a solution, and right after it a solution."""
    if block.kind is _Kind.HEADING or block.end - before.start > LONGEST_PAIR:
        return False
    problem, answer = _signs(text[before.start : before.end]), _signs(text[block.start : block.end])
    return "problem" in problem and not problem & _CURES and bool(answer & _CURES)


_CURES = frozenset({"solution", "success"})


def _signs(text: str) -> frozenset[str]:
    return frozenset(match.kind for match in find_patterns(text))


def _lists_settled(text: str, blocks: list[_Block]) -> list[_Block]:
    """A list is one unit (steps, symptoms) unless at least two of its items are moments."""
    units: list[_Block] = []
    for is_list, run in groupby(blocks, key=lambda block: block.kind is _Kind.ITEM):
        members = list(run)
        telling = sum(bool(_signs(text[one.start : one.end])) for one in members) if is_list else 0
        if is_list and telling < 2:
            units.append(members[0]._replace(end=members[-1].end))
        else:
            units += members
    return units


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs, headings, list items, turns and fenced code, in order."""
    current: _Block | None = None
    fence = ""
    for start, line in _lines(text):
        end = start + len(line)
        if fence:
            assert current is not None
            current = current._replace(end=end)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield current
                current, fence = None, ""
            continue
        opening = _FENCE.match(line)
        kind = _Kind.CODE if opening else _kind_of(line)
        if current and (kind is not _Kind.PROSE or not line.strip()):
            yield current
            current = None
        if line.strip():
            current = current._replace(end=end) if current else _Block(start, end, kind)
            fence = opening[1] if opening else ""
        if kind is _Kind.HEADING and current:
            yield current
            current = None
    if current:
        yield current


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _kind_of(line: str) -> _Kind:
    if _HEADING.match(line):
        return _Kind.HEADING
    if _ITEM.match(line):
        return _Kind.ITEM
    return _Kind.TURN if _words().turn.match(line) else _Kind.PROSE


class _Words(NamedTuple):
    not_projects: frozenset[str]
    not_files: frozenset[str]
    address_endings: frozenset[str]
    turn: re.Pattern[str]


@cache
def _words() -> _Words:
    source = files("commonplace.capture").joinpath("rules/extraction.toml")
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    roles = "|".join(data["roles"])
    return _Words(
        not_projects=frozenset(data["not_projects"]),
        not_files=frozenset(data["not_files"]),
        address_endings=frozenset(data["address_endings"]),
        turn=re.compile(
            rf"(?:\[[^\]\n]{{1,30}}\][ ]?)?[*_<]{{0,3}}(?:{roles})[>*_]{{0,3}}:", re.IGNORECASE
        ),
    )
