"""Source lines of places, from the stored chunks of their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.codegraph.answering.trace import TracedPlace
from commonplace.model.chunk import Owner, OwnerType
from commonplace.storage.port import Transaction

_MAX_CHUNKS = 2_000
# A statement may begin some lines before the one with the name.
_LOOK_AHEAD = 2


def with_lines(
    tx: Transaction, places: Sequence[TracedPlace], name: str, context: int
) -> list[TracedPlace]:
    """Add its source line to each place, or with `context` that many lines around it.

    `name` is what the nearest places use: their line is one that has it.
    """
    lines = {document: lines_of(tx, document) for document in {one.document for one in places}}
    return [replace(one, text=_text(lines[one.document], one, name, context)) for one in places]


def lines_of(tx: Transaction, document: int) -> dict[int, str]:
    """The stored lines of a document by number."""
    lines: dict[int, str] = {}
    for chunk in tx.chunks.page(Owner(OwnerType.DOCUMENT, document), _MAX_CHUNKS, 0):
        first = chunk.position.line_start
        if first is not None:
            lines |= dict(enumerate(chunk.text.splitlines(), first))
    return lines


def _text(lines: dict[int, str], place: TracedPlace, name: str, context: int) -> str:
    if context:
        around = range(place.line - context, place.line + context + 1)
        return "\n".join(f"{line}: {lines[line]}" for line in around if line in lines)
    at = place.line
    if name and place.use and place.depth == 1 and name not in lines.get(at, ""):
        near = (line for line in range(at, at + _LOOK_AHEAD + 1) if name in lines.get(line, ""))
        at = next(near, at)
    return lines.get(at, "").strip()
