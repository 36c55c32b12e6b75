"""Splits code with `#if` into texts, each with one alternative, that a grammar can parse.

If a condition is in the middle of a declaration, its alternatives do not parse together. Each text
keeps one of them and blanks the rest, without moving a byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_DIRECTIVE = re.compile(rb"[ \t]*+#[ \t]*+(if|ifdef|ifndef|elif|else|endif|\w++)?")
_OPENING, _BRANCHING = frozenset({b"if", b"ifdef", b"ifndef"}), frozenset({b"elif", b"else"})
# Directives that are not conditions.
_NEUTRAL = frozenset(
    {b"", b"pragma", b"region", b"endregion", b"nullable", b"warning", b"error", b"line"}
)
_MOST_TEXTS = 6
_DEEPEST = 20  # nesting of conditions; deeper ones count as met


@dataclass(slots=True)
class _Group:
    """The alternatives of one condition; each consists of line numbers and nested groups."""

    branches: list[list[int | _Group]] = field(default_factory=lambda: [[]])


def alternatives(source: bytes) -> Iterator[tuple[bytes, frozenset[int]]]:
    """Yield texts, each with the numbers of the lines that no earlier text contains."""
    lines = source.split(b"\n")
    whole, masked = _grouped(lines)
    waiting = {number for number in range(len(lines)) if number not in masked}
    for _ in range(_MOST_TEXTS):
        kept = set(_chosen_lines(whole, waiting))
        fresh = frozenset(kept & waiting)
        if not fresh:
            return
        waiting -= fresh
        yield _masked(lines, kept), fresh


def _masked(lines: Sequence[bytes], kept: set[int]) -> bytes:
    return b"\n".join(
        line if number in kept else b" " * len(line) for number, line in enumerate(lines)
    )


def _grouped(lines: Sequence[bytes]) -> tuple[_Group, set[int]]:
    """Group the lines by condition; also return the lines of the directives."""
    whole = _Group()
    open_ones, masked, deeper = [whole], set[int](), 0
    for number, line in enumerate(lines):
        found = _DIRECTIVE.match(line)
        word = (found[1] or b"") if found else None
        if word in _OPENING:
            if len(open_ones) > _DEEPEST:
                deeper += 1
            else:
                group = _Group()
                open_ones[-1].branches[-1].append(group)
                open_ones.append(group)
        elif word == b"endif" and deeper:
            deeper -= 1
        elif word == b"endif" and len(open_ones) > 1:
            open_ones.pop()
        elif word in _BRANCHING and len(open_ones) > 1:
            if not deeper:
                open_ones[-1].branches.append([])
        elif word not in _NEUTRAL:
            open_ones[-1].branches[-1].append(number)
            continue
        masked.add(number)
    return whole, masked


def _chosen_lines(group: _Group, waiting: set[int]) -> Iterator[int]:
    """The lines of each condition's first alternative that has unread lines, else its first."""
    chosen = next(
        (branch for branch in group.branches if any(_has_unread(each, waiting) for each in branch)),
        group.branches[0],
    )
    for each in chosen:
        if isinstance(each, int):
            yield each
        else:
            yield from _chosen_lines(each, waiting)


def _has_unread(part: int | _Group, waiting: set[int]) -> bool:
    if isinstance(part, int):
        return part in waiting
    return any(_has_unread(each, waiting) for branch in part.branches for each in branch)
