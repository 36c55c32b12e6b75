"""How a hit is called: the symbol, the document or the entry that a passage is of."""

from __future__ import annotations

from posixpath import basename

from commonplace.codegraph.answering.question import name_parts
from commonplace.model.chunk import Chunk
from commonplace.model.query import Hit


def title_of(hit: Hit) -> str:
    """A title: of code its symbol, of a document its own title; else the file."""
    chunk = hit.chunk
    if hit.entry:
        return hit.entry.content.title
    return (
        symbol_name(chunk) or next(iter(chunk.headings), "") or basename(chunk.metadata.path or "")
    )


def symbol_name(chunk: Chunk) -> str | None:
    return (name_parts(chunk.symbol.path) or (chunk.symbol.path,))[-1] if chunk.symbol else None
