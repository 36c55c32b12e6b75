"""The sentences of a section that somebody wrote; program output is context.

Code, quotations, logs and stack traces are no sentences. Code right after a sentence goes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.analysis.likelihood import signs_of
from commonplace.analysis.sentences import sentences
from commonplace.capture.blocks import TextBlock, TextKind, blocks, turns_of
from commonplace.capture.rules import words

# What a program prints: times, levels, frames of a stack, prompts, tables, results of tests.
_PRINTED = re.compile(
    r"""
    \s{4,}+\S
    | \s*+(?:
      >(?!=) | \$\s | [A-Z][a-z]{2}\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d
      | \d{4}-\d\d-\d\d[T ]\d\d:\d\d | \[?\d\d:\d\d:\d\d | \[(?:INFO|WARN|ERROR|DEBUG)
      | (?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE|panic)\b[:\s]
      | npm\s(?:ERR!|WARN|error|warn)\s | (?:yarn|pnpm)\s(?:error|warn)\b
      | Traceback\s\(most | File\s".{1,200}",\sline\s\d | at\s[\w$.<>]{1,200}\( | Caused\sby:
      | [\w.]{1,100}(?:Error|Exception)(?::|\Z) | E\s{2,}\S | FAILED\s\S | PASSED\s\S
      | \S{1,200}:\d{1,6}(?::\d{1,6})?:\s | \|.{0,400}\| | [-+*=_]{3,}\s*\Z | goroutine\s\d
      | <\w{1,30}>\s{2} | diff\s--git | @@\s | [+-]{3}\s
    )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence of a text; code that belongs to it ends at `tail`; `signs` counts its phrases."""

    start: int
    end: int
    tail: int
    signs: tuple[int, ...]


def sentences_in(text: str, turn: re.Pattern[str] | None = None) -> tuple[SaidSentence, ...]:
    """The sentences in order; `turn` matches the beginning of turns in the whole text."""
    found: list[SaidSentence] = []
    turn = turn or turns_of(text)
    for block in blocks(text, turn):
        if block.kind is TextKind.CODE:
            if found:
                last = found[-1]
                found[-1] = SaidSentence(last.start, last.end, block.end, last.signs)
        elif block.kind is not TextKind.HEADING:
            found += _spoken(text, block, turn)
    return tuple(found)


def _spoken(text: str, block: TextBlock, turn: re.Pattern[str]) -> Iterator[SaidSentence]:
    body = text[block.start : block.end]
    if words().output.match(body):
        return
    opening = turn.match(body)
    for start, end in _stretches(text, block.start + (opening.end() if opening else 0), block.end):
        at = start
        for sentence in sentences(text[start:end]):
            begin = text.index(sentence, at)
            at = begin + len(sentence)
            yield SaidSentence(begin, at, at, signs_of(sentence))


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Runs of lines that no program printed."""
    begin, at = None, start
    for line in text[start:end].splitlines(keepends=True):
        if _PRINTED.match(line) or not line.strip():
            if begin is not None:
                yield begin, at
            begin = None
        elif begin is None:
            begin = at
        at += len(line)
    if begin is not None:
        yield begin, at
