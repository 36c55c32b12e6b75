"""Cuts a document into pieces: one per section, several for a long one; short sections are joined.

Pure. Cuts at headings, else between blocks, else inside a block that is too large. Drops nothing
but white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.text.split import split_passages

MOST_TOKENS = 1000
MOST_CHARS = 4000
# A shorter section does not answer anything by itself.
SHORT_TOKENS = 16
# The target size of pieces of a long section, as a share of the largest allowed: about 800 tokens.
_USUAL_SIZE = 0.8
# The size of parts of one large block: small enough to fill pieces evenly.
_PART_TOKENS = 300
_STRETCH = 50_000
_LINE = re.compile(r"[^\n]*\n?")

Measure = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Piece:
    """The text from `start` up to but excluding `end`, below `headings` (outermost first)."""

    start: int
    end: int
    headings: tuple[str, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class _Atom:
    """A stretch of text that is not divided further."""

    start: int
    end: int
    tokens: int

    @property
    def size(self) -> float:
        """The size relative to the largest allowed piece."""
        return max(self.tokens / MOST_TOKENS, (self.end - self.start) / MOST_CHARS)


@dataclass(frozen=True, slots=True)
class _Section:
    """The text under one heading; joined sections have the headings of the longest of them."""

    headings: tuple[str, ...]
    atoms: tuple[_Atom, ...]
    longest: int

    @property
    def tokens(self) -> int:
        return sum(atom.tokens for atom in self.atoms)

    @property
    def size(self) -> float:
        return _size(self.atoms)


def pieces_of(extract: Extract, measure: Measure, short_tokens: int = SHORT_TOKENS) -> list[Piece]:
    sections = [_section(extract.text, *part, measure) for part in _sections(extract.blocks)]
    return [piece for section in _joined(sections, short_tokens) for piece in _packed(section)]


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    path: list[Block] = []
    section: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            if section:
                yield _titles(path), section
            path = [above for above in path if above.level < block.level] + [block]
            section = []
        section.append(block)
    if section:
        yield _titles(path), section


def _titles(path: Sequence[Block]) -> tuple[str, ...]:
    return tuple(block.title for block in path if block.title)


def _section(
    text: str, headings: tuple[str, ...], blocks: Sequence[Block], measure: Measure
) -> _Section:
    atoms = [atom for block in blocks for atom in _atoms(text, block, measure)]
    if len(atoms) > 1 and blocks[0].kind is BlockKind.HEADING:
        # A piece never ends with a heading.
        led = _Atom(atoms[0].start, atoms[1].end, atoms[0].tokens + atoms[1].tokens)
        atoms = [led, *atoms[2:]] if led.size <= 1 else atoms
    return _Section(headings, tuple(atoms), sum(atom.tokens for atom in atoms))


def _atoms(text: str, block: Block, measure: Measure) -> list[_Atom]:
    whole = _measured(text, block.start, block.end, measure)
    if whole and whole.size <= 1:
        return [whole]
    spans = [(block.start, block.end)]
    if block.kind in (BlockKind.CODE, BlockKind.TABLE, BlockKind.LIST):
        lines = _LINE.finditer(text, block.start, block.end)
        spans = [found.span() for found in lines if found[0].strip()]
    return [atom for span in spans for atom in _divided(text, *span, measure)]


def _measured(text: str, start: int, end: int, measure: Measure) -> _Atom | None:
    """The atom, or None if it is certainly too long: measuring megabytes would take too long."""
    if end - start > MOST_CHARS:
        return None
    return _Atom(start, end, measure(text[start:end]))


def _divided(text: str, start: int, end: int, measure: Measure) -> Iterator[_Atom]:
    whole = _measured(text, start, end, measure)
    if whole and whole.size <= _USUAL_SIZE / 2:
        yield whole
        return
    for low, high in _stretches(text, start, end):
        for passage in split_passages(text[low:high], max_tokens=_PART_TOKENS):
            yield _Atom(low + passage.start, low + passage.end, measure(passage.text))


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A first, coarse division of a long text, at the end of a line or at a blank if there is
    one."""
    while end - start > _STRETCH:
        most = start + _STRETCH
        ends = (text.rfind(sign, start + _STRETCH // 2, most) + 1 for sign in "\n ")
        cut = next(filter(None, ends), most)
        yield start, cut
        start = cut
    yield start, end


def _joined(sections: Sequence[_Section], short_tokens: int) -> list[_Section]:
    """Join short sections with the next one, and the last one with the previous one."""
    joined: list[_Section] = []
    for section in sections:
        if joined and joined[-1].tokens < short_tokens:
            joined[-1] = _together(joined[-1], section)
        else:
            joined.append(section)
    if len(joined) > 1 and joined[-1].tokens < short_tokens:
        last = joined.pop()
        joined[-1] = _together(joined[-1], last)
    return joined


def _together(first: _Section, second: _Section) -> _Section:
    longer = second if second.longest >= first.longest else first
    return _Section(longer.headings, (*first.atoms, *second.atoms), longer.longest)


def _packed(section: _Section) -> Iterator[Piece]:
    """Pack atoms into few pieces of about the target size and about the same size."""
    whole = sum(atom.size for atom in section.atoms)
    goal = whole if section.size <= 1 else whole / ceil(whole / _USUAL_SIZE)
    taken: list[_Atom] = []
    spent, border = 0.0, goal
    for atom in section.atoms:
        if taken and (_size([*taken, atom]) > 1 or spent + atom.size / 2 > border):
            yield _piece(taken, section.headings)
            taken = []
            border = max(border + goal, spent + goal / 2)
        taken.append(atom)
        spent += atom.size
    yield _piece(taken, section.headings)


def _size(atoms: Sequence[_Atom]) -> float:
    tokens = sum(atom.tokens for atom in atoms)
    return max(tokens / MOST_TOKENS, (atoms[-1].end - atoms[0].start) / MOST_CHARS)


def _piece(atoms: Sequence[_Atom], headings: tuple[str, ...]) -> Piece:
    tokens = sum(atom.tokens for atom in atoms)
    return Piece(atoms[0].start, atoms[-1].end, headings, tokens)
