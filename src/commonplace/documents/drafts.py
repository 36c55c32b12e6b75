"""Turns the pieces of a document into chunks, each with its position."""

from __future__ import annotations

import hashlib
from bisect import bisect_right

from commonplace.documents.chunking import Measure, Piece, pieces_of
from commonplace.model.chunk import (
    ChunkDraft,
    ChunkMetadata,
    Indexed,
    Owner,
    OwnerType,
    Position,
    Urgency,
)
from commonplace.model.extract import Extract
from commonplace.model.source import DOCUMENT_KIND, Source
from commonplace.text.analyse import analyse, exact_words

# Part of every document's hash: changing it makes all documents be chunked again.
REVISION = "1"


def content_hash(data: bytes) -> str:
    return f"{REVISION}-{hashlib.sha256(data).hexdigest()}"


def drafts_of(extract: Extract, name: str, measure: Measure) -> list[ChunkDraft]:
    lines = [index for index, letter in enumerate(extract.text) if letter == "\n"]
    pieces = pieces_of(extract, measure)
    return [_draft(extract, piece, n, name, lines) for n, piece in enumerate(pieces)]


def _draft(
    extract: Extract, piece: Piece, ordinal: int, name: str, line_ends: list[int]
) -> ChunkDraft:
    text = extract.text[piece.start : piece.end]
    context = " > ".join(heading for heading in piece.headings if heading not in text)
    return ChunkDraft(
        ordinal=ordinal,
        text=text,
        context=context,
        position=_position(extract, piece, line_ends),
        token_count=piece.tokens,
        text_hash=_hash(context, text, piece.headings),
        indexed=Indexed(
            terms=" ".join(analyse(text)),
            # The name is found by words but is not part of the meaning.
            context_terms=" ".join(analyse("\n".join([name, *piece.headings]))),
            words=" ".join(exact_words(text)),
        ),
        urgency=Urgency.BULK,
        headings=piece.headings,
    )


def _position(extract: Extract, piece: Piece, line_ends: list[int]) -> Position:
    page = bisect_right(extract.pages, piece.start)
    return Position(
        char_start=piece.start,
        char_end=piece.end,
        line_start=bisect_right(line_ends, piece.start - 1) + 1,
        line_end=bisect_right(line_ends, piece.end - 1) + 1,
        page=page or None,
    )


def _hash(context: str, text: str, headings: tuple[str, ...]) -> str:
    joined = "\0".join([context, text, *headings])
    return hashlib.sha256(joined.encode()).hexdigest()[:32]


def metadata_of(source: Source) -> ChunkMetadata:
    return ChunkMetadata(
        kind=DOCUMENT_KIND, agent=source.agent, place=source.place, path=source.origin.locator
    )


def owner_of(source: Source) -> Owner | None:
    """The owner of a source's chunks; None if it was never read."""
    return Owner(OwnerType.DOCUMENT, source.document.key) if source.document else None
