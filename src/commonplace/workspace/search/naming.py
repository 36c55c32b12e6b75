"""The title of a hit: its symbol, document or entry."""

from __future__ import annotations

from posixpath import basename

from commonplace.codegraph.answering.question import name_parts
from commonplace.model.chunk import Chunk
from commonplace.model.query import Hit


def title_of(hit: Hit) -> str:
    """The title: a symbol for code, else the title of the document or entry, else the file name."""
    chunk = hit.chunk
    if hit.entry:
        return hit.entry.content.title
    return (
        symbol_name(chunk) or next(iter(chunk.headings), "") or basename(chunk.metadata.path or "")
    )


def symbol_name(chunk: Chunk) -> str | None:
    return (name_parts(chunk.symbol.path) or (chunk.symbol.path,))[-1] if chunk.symbol else None
