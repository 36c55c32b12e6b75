"""Chunks, over named statements: replacing an owner's chunks, and reading chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from operator import itemgetter

from commonplace.model.actor import SYSTEM_ORG
from commonplace.model.chunk import (
    Chunk,
    ChunkCounts,
    ChunkDraft,
    ChunkMetadata,
    ChunkTerms,
    EmbeddingState,
    InSequence,
    NearInTime,
    Owner,
    OwnerType,
    Position,
    SymbolMark,
    TrustTier,
    Unembedded,
    Urgency,
)
from commonplace.model.entry import Place, Visibility
from commonplace.model.moment import from_micros, to_micros
from commonplace.model.query import ANYTHING, Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.session import Codec, Row, Session, filter_values
from commonplace.storage.tables.vectors import reuse_vectors

_OWNER_TYPES = {one.value: one for one in OwnerType}
_NOWHERE = Place()
_LEAST_FINISHED_FIRST = (EmbeddingState.PENDING, EmbeddingState.PREVIEWED, EmbeddingState.FAILED)


def scope_token(prefix: str, value: str) -> str:
    """A token that no text contains by accident and no tokenizer splits."""
    return f"{prefix}x{value.encode().hex()}"


def scope_of(org: str, metadata: ChunkMetadata) -> str:
    """The tokens by which the text index filters."""
    tokens = [scope_token("o", org), scope_token("k", metadata.kind)]
    tokens += [scope_token("t", tag) for tag in metadata.tags]
    if metadata.category:
        tokens.append(scope_token("c", metadata.category))
    if metadata.place.resource is not None:
        tokens.append(resource_token(metadata.place.resource))
    if metadata.visibility is Visibility.NETWORK:
        tokens.append(scope_token("v", "network"))
    return " ".join(tokens)


def resource_token(resource: int) -> str:
    return scope_token("r", str(resource))


def any_scopes(wanted: Filter) -> list[list[str]]:
    """Groups of tokens; a chunk needs one token of each group. Empty groups are left out."""
    groups = (("t", wanted.any_tags), ("k", wanted.kinds), ("c", wanted.categories))
    tokens = [[scope_token(prefix, value) for value in values] for prefix, values in groups]
    tokens.append([resource_token(resource) for resource in wanted.resources])
    return [group for group in tokens if group]


def readable_scopes(org: str, network: bool) -> list[str]:
    """The tokens of the orgs whose chunks an org can read."""
    own = [scope_token("o", org), scope_token("o", SYSTEM_ORG)]
    return [*own, scope_token("v", "network")] if network else own


def chunk_of(row: Row, codec: Codec) -> Chunk:
    return Chunk(
        key=row["key"],
        org=row["org"],
        owner=_owner_of(row),
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


def _owner_of(row: Row) -> Owner:
    return Owner(_OWNER_TYPES[row["owner_type"]], row["owner_key"])


def _place_of(workspace: str | None, space: str | None, resource: int | None) -> Place:
    """Most chunks that are scored have no place, and share one value."""
    if workspace is None and space is None and resource is None:
        return _NOWHERE
    return Place(workspace, space, resource=resource)


def _terms_of(row: Row, terms: str, context_terms: str) -> ChunkTerms:
    return ChunkTerms(
        row["key"],
        _owner_of(row),
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


def _metadata_values(metadata: ChunkMetadata, codec: Codec) -> dict[str, object]:
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


def _position_values(draft: ChunkDraft) -> dict[str, object]:
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


def _indexed_by(metadata: ChunkMetadata) -> tuple[object, ...]:
    """What the text index stores of a chunk besides its text."""
    visibility = metadata.visibility.value
    return (metadata.kind, metadata.category, metadata.path, visibility, metadata.tags)


class ChunkTable:
    """Implements port.Chunks."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def replace(self, owner: Owner, metadata: ChunkMetadata, drafts: Sequence[ChunkDraft]) -> int:
        session = self._session
        unclaimed: dict[str, list[Row]] = defaultdict(list)
        for row in self._rows_of(owner):
            unclaimed[row["text_hash"]].append(row)
        new: list[ChunkDraft] = []
        for draft in drafts:
            same = unclaimed[draft.text_hash]
            if same:
                self._keep(same.pop(0), metadata, draft)
            else:
                new.append(draft)
        waiting = self._add(owner, metadata, new) if new else 0
        gone = [row["key"] for rows in unclaimed.values() for row in rows]
        if gone:
            session.run("remove_chunks", keys=session.codec.array(gone))
        if waiting:
            session.announce_work()
        return waiting

    def remove(self, owner: Owner) -> int:
        keys = [row["key"] for row in self._rows_of(owner)]
        return self._session.run("remove_chunks", keys=self._session.codec.array(keys))

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        return self._session.lexical(query, wanted, limit)

    def terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        codec = self._session.codec
        rows = self._session.rows(
            "chunk_terms", keys=codec.array(keys), **filter_values(wanted, codec)
        )
        return [_terms_of(row, row["terms"], row["context_terms"]) for row in rows]

    def without_terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        codec = self._session.codec
        rows = self._session.rows(
            "chunk_owners", keys=codec.array(keys), **filter_values(wanted, codec)
        )
        return [_terms_of(row, "", "") for row in rows]

    def words(self, keys: Sequence[int]) -> dict[int, str]:
        rows = self._session.rows("chunk_words", keys=self._session.codec.array(keys))
        return {row["key"]: row["words"] for row in rows}

    def fetch(self, keys: Sequence[int], wanted: Filter) -> list[Chunk]:
        codec = self._session.codec
        rows = self._session.rows(
            "fetch_chunks", keys=codec.array(keys), **filter_values(wanted, codec)
        )
        return [chunk_of(row, codec) for row in rows]

    def around(self, keys: Sequence[int], asked: NearInTime) -> list[InSequence]:
        rows = self._session.rows(
            "chunks_around",
            keys=self._session.codec.array(keys),
            steps=asked.steps,
            tokens=asked.tokens,
            span=asked.span // timedelta(microseconds=1),
        )
        return [
            InSequence(key, row["other"], distance)
            for key, others in groupby(rows, key=itemgetter("key"))
            for distance, row in _by_distance(list(others))
        ]

    def page(self, owner: Owner, limit: int, offset: int) -> list[Chunk]:
        session = self._session
        values = _owner_values(owner)
        rows = session.rows("page_of_chunks", limit=limit, offset=offset, **values)
        return [chunk_of(row, session.codec) for row in rows]

    def state(self, owner: Owner) -> EmbeddingState | None:
        row = self._session.row("owner_states", **_owner_values(owner))
        if row is None or not row["total"]:
            return None
        for state in _LEAST_FINISHED_FIRST:
            if row[state.value]:
                return state
        whole = row["left_out"] == row["total"]
        return EmbeddingState.LEFT_OUT if whole else EmbeddingState.READY

    def counts(self) -> ChunkCounts:
        row = self._session.row("chunk_counts")
        if row is None:
            return ChunkCounts()
        others = {name: row[name] for name in ("pending", "failed", "previewed", "left_out")}
        return ChunkCounts(row["total"], row["total"] - sum(others.values()), **others)

    def unembedded(self, most: int, wanted: Filter = ANYTHING) -> Unembedded:
        values = filter_values(wanted, self._session.codec)
        row = self._session.row("count_unembedded", limit=most, **values)
        return Unembedded(row["pending"], row["failed"], row["previewed"]) if row else Unembedded()

    def sample(self, limit: int) -> list[str]:
        rows = self._session.rows("sample_terms", limit=limit)
        return [f"{row['context_terms']} {row['terms']}" for row in rows]

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        rows = self._session.rows("failed_chunks", limit=limit)
        return [(_owner_of(row), row["embedding_error"]) for row in rows]

    def _rows_of(self, owner: Owner) -> list[Row]:
        return self._session.rows("chunks_of_owner", **_owner_values(owner))

    def _add(self, owner: Owner, metadata: ChunkMetadata, drafts: Sequence[ChunkDraft]) -> int:
        """Insert chunks; returns how many wait, as identical files may already have their
        vectors."""
        session = self._session
        common = _owner_values(owner) | _metadata_values(metadata, session.codec)
        keys = [self._insert(common, draft) for draft in drafts]
        scope = scope_of(session.actor.org, metadata)
        session.run_many(
            "insert_passage",
            [
                {
                    "chunk_key": key,
                    "text": draft.text,
                    "context": draft.context,
                    "headings": session.codec.array(draft.headings),
                    **session.codec.search_tokens(_tokens(scope, draft)),
                }
                for key, draft in zip(keys, drafts, strict=True)
            ],
        )
        if owner.type is not OwnerType.DOCUMENT:
            return len(drafts)
        wanting = {
            key: (draft.text_hash, draft.urgency)
            for key, draft in zip(keys, drafts, strict=True)
            if draft.urgency is not Urgency.NEVER
        }
        return len(wanting) - len(reuse_vectors(session, wanting))

    def _insert(self, common: Mapping[str, object], draft: ChunkDraft) -> int:
        row = self._session.row(
            "insert_chunk",
            token_count=draft.token_count,
            text_hash=draft.text_hash,
            urgency=int(draft.urgency),
            **common,
            **_position_values(draft),
        )
        assert row is not None, "an insert returns its key"
        return int(row["key"])

    def _keep(self, row: Row, metadata: ChunkMetadata, draft: ChunkDraft) -> None:
        session = self._session
        values = _metadata_values(metadata, session.codec) | _position_values(draft)
        if all(row[name] == value for name, value in values.items()):
            return
        session.run("keep_chunk", key=row["key"], **values)
        tags = tuple(session.codec.read_array(row["tags"]))
        old = (row["kind"], row["category"], row["path"], row["visibility"], tags)
        if old == _indexed_by(metadata):
            return
        scope = scope_of(session.actor.org, metadata)
        tokens = session.codec.search_tokens(_tokens(scope, draft))
        session.run("rescope_passage", chunk_key=row["key"], **tokens)
        if row["visibility"] != metadata.visibility.value:
            self._reinsert_vectors(row["key"])

    def _reinsert_vectors(self, chunk_key: int) -> None:
        """Reinsert vectors: readers who can see the chunk only now learn of it by the insertion."""
        session = self._session
        vectors = session.rows("vectors_of_chunk", chunk_key=chunk_key)
        session.run("remove_vectors", chunk_key=chunk_key)
        for vector in vectors:
            session.run("insert_vector", chunk_key=chunk_key, **vector)


def _by_distance(rows: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Rows in order of time, numbered relative to the entry that they surround."""
    before = sum(bool(row["before"]) for row in rows)
    for number, row in enumerate(rows):
        yield number - before + (number >= before), row


def _tokens(scope: str, draft: ChunkDraft) -> Mapping[str, str]:
    return {
        "scope": scope,
        "terms": draft.indexed.terms,
        "context_terms": draft.indexed.context_terms,
        "words": draft.indexed.words,
        "title_grams": draft.indexed.title_grams,
    }


def _owner_values(owner: Owner) -> dict[str, object]:
    return {"owner_type": owner.type.value, "owner_key": owner.key}
