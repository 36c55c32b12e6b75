"""The lines of places, from the chunks that are kept of their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.codegraph.answering.trace import TracedPlace
from commonplace.model.chunk import Owner, OwnerType
from commonplace.storage.port import Transaction

_MOST_CHUNKS = 2_000
# A statement may begin before the line that says the name.
_NEAR = 2


def with_lines(
    tx: Transaction, places: Sequence[TracedPlace], name: str, context: int
) -> list[TracedPlace]:
    """Places with the line that they are, or with those around it where more is wanted."""
    kept = {document: lines_of(tx, document) for document in {one.document for one in places}}
    return [replace(one, text=_text(kept[one.document], one, name, context)) for one in places]


def lines_of(tx: Transaction, document: int) -> dict[int, str]:
    lines: dict[int, str] = {}
    for chunk in tx.chunks.page(Owner(OwnerType.DOCUMENT, document), _MOST_CHUNKS, 0):
        first = chunk.position.line_start
        if first is not None:
            lines |= dict(enumerate(chunk.text.splitlines(), first))
    return lines


def _text(lines: dict[int, str], place: TracedPlace, name: str, context: int) -> str:
    if context:
        around = range(place.line - context, place.line + context + 1)
        return "\n".join(f"{line}: {lines[line]}" for line in around if line in lines)
    at = place.line
    if name and place.use and name not in lines.get(at, ""):
        near = (line for line in range(at, at + _NEAR + 1) if name in lines.get(line, ""))
        at = next(near, at)
    return lines.get(at, "").strip()
