"""Builds the hits of one page: texts, owners and snippets."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.chunk import Chunk, Owner, OwnerType
from commonplace.model.entry import Entry
from commonplace.model.query import Hit, LexicalLeg, SearchRequest
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.service.reads import SearchReads
from commonplace.text.snippet import snippet


def hits_of(
    reads: SearchReads, page: Sequence[Scored], request: SearchRequest, query: str
) -> tuple[Hit, ...]:
    tx = reads.tx
    chunks = {c.key: c for c in tx.chunks.fetch([s.chunk.key for s in page], request.filter)}
    owners = [s.chunk.owner for s in page]
    entries = reads.entries([o.key for o in owners if o.type is OwnerType.ENTRY])
    documents = [o.key for o in owners if o.type is OwnerType.DOCUMENT]
    sources = tx.sources.of_documents(documents) if documents else {}
    known = {Owner(OwnerType.ENTRY, key): entry for key, entry in entries.items()}
    read = {Owner(OwnerType.DOCUMENT, key): source for key, source in sources.items()}
    return tuple(
        Hit(
            chunk=(chunk := chunks[scored.chunk.key]),
            score=scored.score,
            parts=scored.parts,
            snippet=snippet(_quoted(chunk, known.get(chunk.owner), request.lexical), query),
            similarity=scored.similarity,
            entry=known.get(chunk.owner),
            source=read.get(chunk.owner),
        )
        for scored in page
    )


def _quoted(chunk: Chunk, entry: Entry | None, lexical: LexicalLeg) -> str:
    """The text to take a snippet from. An exact search matches whole entries, so it is the body."""
    return entry.content.body if entry and lexical is LexicalLeg.ALL_WORDS else chunk.text
