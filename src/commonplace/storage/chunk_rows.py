"""Chunks as rows: what is read from columns, and what is written to them."""

from __future__ import annotations

from commonplace.model.chunk import (
    Chunk,
    ChunkDraft,
    ChunkMetadata,
    ChunkTerms,
    EmbeddingState,
    Owner,
    OwnerType,
    Position,
    SymbolMark,
    TrustTier,
    Urgency,
)
from commonplace.model.entry import Place, Visibility
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import Codec, Row

_OWNER_TYPES = {one.value: one for one in OwnerType}
_NOWHERE = Place()


def chunk_of(row: Row, codec: Codec) -> Chunk:
    return Chunk(
        key=row["key"],
        org=row["org"],
        owner=owner_of(row),
        ordinal=row["ordinal"],
        metadata=_metadata_of(row, codec),
        text=row["text"],
        context=row["context"],
        position=Position(
            row["char_start"], row["char_end"], row["line_start"], row["line_end"], row["page"]
        ),
        token_count=row["token_count"],
        state=_state_of(row),
        headings=tuple(codec.read_array(row["headings"])),
        symbol=_symbol_of(row),
        urgency=Urgency(row["embedding_urgency"]),
    )


def _symbol_of(row: Row) -> SymbolMark | None:
    kind, path = row["symbol_kind"], row["symbol_path"]
    return SymbolMark(kind, path) if kind is not None else None


def owner_of(row: Row) -> Owner:
    return Owner(_OWNER_TYPES[row["owner_type"]], row["owner_key"])


def _place_of(workspace: str | None, space: str | None, resource: int | None) -> Place:
    """Most chunks that are scored have no place, and share one value."""
    if workspace is None and space is None and resource is None:
        return _NOWHERE
    return Place(workspace, space, resource=resource)


def terms_of(row: Row, terms: str, context_terms: str) -> ChunkTerms:
    return ChunkTerms(
        row["key"],
        owner_of(row),
        terms,
        context_terms,
        _place_of(row["workspace"], row["space"], row["resource_key"]),
        row["path"],
        row["kind"],
        row["category"],
    )


def _metadata_of(row: Row, codec: Codec) -> ChunkMetadata:
    return ChunkMetadata(
        kind=row["kind"],
        agent=row["agent"],
        visibility=Visibility(row["visibility"]),
        place=Place(row["workspace"], row["space"], row["project"], row["resource_key"]),
        tags=tuple(codec.read_array(row["tags"])),
        superseded=bool(row["superseded"]),
        expires_at=from_micros(row["expires_at"]),
        trust=TrustTier(row["trust"]),
        language=row["language"],
        path=row["path"],
        category=row["category"],
        domain=row["domain"],
        confidence=row["confidence"],
    )


def _state_of(row: Row) -> EmbeddingState:
    if row["embedding_due"] is not None:
        waits = row["embedding_model"] is None
        return EmbeddingState.PENDING if waits else EmbeddingState.PREVIEWED
    if row["embedding_urgency"] == Urgency.NEVER:
        return EmbeddingState.LEFT_OUT
    return EmbeddingState.FAILED if row["embedding_error"] else EmbeddingState.READY


def metadata_values(metadata: ChunkMetadata, codec: Codec) -> dict[str, object]:
    return {
        "kind": metadata.kind,
        "agent": metadata.agent,
        "visibility": metadata.visibility.value,
        "workspace": metadata.place.workspace,
        "space": metadata.place.space,
        "project": metadata.place.project,
        "resource_key": metadata.place.resource,
        "tags": codec.array(metadata.tags),
        "superseded": metadata.superseded,
        "expires_at": to_micros(metadata.expires_at),
        "trust": metadata.trust.value,
        "language": metadata.language,
        "path": metadata.path,
        "category": metadata.category,
        "domain": metadata.domain,
        "confidence": metadata.confidence,
    }


def position_values(draft: ChunkDraft) -> dict[str, object]:
    position = draft.position
    return {
        "ordinal": draft.ordinal,
        "char_start": position.char_start,
        "char_end": position.char_end,
        "line_start": position.line_start,
        "line_end": position.line_end,
        "page": position.page,
        "symbol_kind": draft.symbol.kind if draft.symbol else None,
        "symbol_path": draft.symbol.path if draft.symbol else None,
    }
