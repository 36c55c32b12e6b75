"""Cut a text into sections that may hold a moment: paragraphs, list items, turns, code.

Cuts only between such blocks. Whether a section is worth keeping is decided elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from functools import cache
from itertools import groupby
from typing import NamedTuple

from commonplace.analysis.patterns import find_patterns
from commonplace.capture.rules import words

# Up to this length a text is one section, however it is laid out.
SHORT_TEXT = 400
# A shorter section says too little to stand alone; callers may not send less either.
LEAST_MOMENT = 50
# A problem and its solution stay together up to this length.
LONGEST_PAIR = 1000

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]")
_ITEM = re.compile(r"[ ]{0,3}(?:[-*+•]|\d{1,3}[.)])[ \t]")
_INDENTED = re.compile(r"[ ]{2,}|\t")
# What begins a turn if several lines have it, and there are two names or more: a name before a
# colon, a name and a time on a line of their own, a time or date and a name before a colon or in
# brackets. Times with seconds are those of logs.
_PERSON = r"[A-Za-z][\w.'-]{0,19}(?:[ ][A-Za-z][\w.'-]{0,19}){0,2}"
_TIME = r"\d{1,2}[:.]\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
_SPEAKERS = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^([A-Za-z][\w.-]{0,19}):[ \t]",
        rf"^({_PERSON})[ \t]{{1,3}}(?:[\u2014\u2013-][ ])?\[?{_TIME}\]?[ \t]*(?=\n|\Z)",
        r"^\[?\d{1,2}:\d\d\]?[ \t]{1,3}<?[@+ ]?([A-Za-z][\w.\[\]|-]{0,19})[:>][ \t]",
        rf"^\[?\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}},[ ]{_TIME}(?:\]|[ ]-)[ ]({_PERSON}):[ \t]",
    )
)
_FEWEST_TURNS, _FEWEST_SPEAKERS = 4, 2


class TextKind(Enum):
    PROSE = auto()
    HEADING = auto()
    ITEM = auto()
    TURN = auto()
    CODE = auto()


class TextBlock(NamedTuple):
    """A stretch of a text that is not cut; several joined blocks have the kind of the first."""

    start: int
    end: int
    kind: TextKind


SPOKEN = frozenset({TextKind.PROSE, TextKind.ITEM, TextKind.TURN})
_Together = Callable[[str, TextBlock, TextBlock], bool]


def turns_of(text: str) -> re.Pattern[str]:
    """How turns begin in this text: with a role, or with the name of one of its speakers."""
    talks = (turn for speaker, turn in _turns() if _is_talk(speaker, text))
    return next(talks, words().turn)


def _is_talk(speaker: re.Pattern[str], text: str) -> bool:
    names = (match[1] for match in speaker.finditer(text))
    named = Counter(name for name in names if name.lower() not in words().not_speakers)
    enough = len(named) >= _FEWEST_SPEAKERS and named.total() >= _FEWEST_TURNS
    return enough and max(named.values()) > 1  # in lists of keys and values no name comes twice


@cache
def _turns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Each way to name a speaker, with how turns begin in texts that have it."""
    role = words().turn.pattern
    either = (re.compile(rf"{role}|{one.pattern}", re.IGNORECASE) for one in _SPEAKERS)
    return tuple(zip(_SPEAKERS, either, strict=True))


def is_short(text: str) -> bool:
    """Whether a text is one section however it is laid out; a conversation is not."""
    return len(text) <= SHORT_TEXT and not has_turns(text)


def has_turns(text: str) -> bool:
    """Whether a text is a conversation."""
    turn = turns_of(text)
    return any(turn.match(line) for line in text.splitlines())


def candidates(text: str) -> tuple[str, ...]:
    """The sections of a text that could hold a moment; a short text is one section."""
    if is_short(text):
        return (text,) if text.strip() else ()
    units = _lists_settled(text, _merged(text, blocks(text), _belongs_to_previous))
    for together in (_leads_to_next, _is_too_short, _is_solved_by):
        units = _merged(text, units, together)
    return tuple(text[start:end].rstrip() for start, end, _ in units) if len(units) > 1 else (text,)


def _merged(text: str, blocks: Iterable[TextBlock], together: _Together) -> list[TextBlock]:
    units: list[TextBlock] = []
    for block in blocks:
        if units and together(text, units[-1], block):
            units[-1] = units[-1]._replace(end=block.end)
        else:
            units.append(block)
    return units


def _belongs_to_previous(text: str, before: TextBlock, block: TextBlock) -> bool:
    """Code belongs to the text before it, an indented paragraph to its list item."""
    if block.kind is TextKind.CODE:
        return before.kind is not TextKind.HEADING
    continues = block.kind is TextKind.PROSE and _INDENTED.match(text, block.start)
    return before.kind is TextKind.ITEM and bool(continues)


def _leads_to_next(text: str, before: TextBlock, block: TextBlock) -> bool:
    """A heading, or a line that ends with a colon, belongs to what follows."""
    near = text[max(before.start, before.end - LONGEST_PAIR) : before.end]
    last = near.rstrip().rpartition("\n")[2]
    return block.kind is not TextKind.HEADING and (bool(_HEADING.match(last)) or last.endswith(":"))


def _is_too_short(text: str, before: TextBlock, block: TextBlock) -> bool:
    """A block that is too short joins its neighbour, but not across a heading or a turn."""
    if block.kind in (TextKind.HEADING, TextKind.TURN) or block.end - before.start > LONGEST_PAIR:
        return False
    return any(len(text[one.start : one.end].strip()) < LEAST_MOMENT for one in (before, block))


def _is_solved_by(text: str, before: TextBlock, block: TextBlock) -> bool:
    """A problem without a solution, followed by a solution."""
    if block.kind is TextKind.HEADING or block.end - before.start > LONGEST_PAIR:
        return False
    problem, answer = _signs(text[before.start : before.end]), _signs(text[block.start : block.end])
    return "problem" in problem and not problem & _CURES and bool(answer & _CURES)


_CURES = frozenset({"solution", "success"})


def _signs(text: str) -> frozenset[str]:
    return frozenset(match.kind for match in find_patterns(text))


def _lists_settled(text: str, blocks: list[TextBlock]) -> list[TextBlock]:
    """A list is one section (steps, symptoms) unless at least two of its items are moments."""
    units: list[TextBlock] = []
    for is_list, run in groupby(blocks, key=lambda block: block.kind is TextKind.ITEM):
        members = list(run)
        telling = sum(bool(_signs(text[one.start : one.end])) for one in members) if is_list else 0
        if is_list and telling < 2:
            units.append(members[0]._replace(end=members[-1].end))
        else:
            units += members
    return units


def blocks(text: str, turn: re.Pattern[str] | None = None) -> Iterator[TextBlock]:
    """Paragraphs, headings, list items, turns and fenced code, in order."""
    current: TextBlock | None = None
    fence, turn = "", turn or turns_of(text)
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
        kind = TextKind.CODE if opening else _kind_of(line, turn)
        if current and (kind is not TextKind.PROSE or not line.strip()):
            yield current
            current = None
        if line.strip():
            current = current._replace(end=end) if current else TextBlock(start, end, kind)
            fence = opening[1] if opening else ""
        if kind is TextKind.HEADING and current:
            yield current
            current = None
    if current:
        yield current


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _kind_of(line: str, turn: re.Pattern[str]) -> TextKind:
    if _HEADING.match(line):
        return TextKind.HEADING
    if _ITEM.match(line):
        return TextKind.ITEM
    return TextKind.TURN if turn.match(line) else TextKind.PROSE
