"""Chunks, over named statements: replacing an owner's chunks, and reading chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

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
    Unembedded,
    Urgency,
)
from commonplace.model.entry import Visibility
from commonplace.model.query import ANYTHING, Filter
from commonplace.storage.chunk_rows import (
    chunk_of,
    metadata_values,
    owner_of,
    position_values,
    terms_of,
)
from commonplace.storage.port import LexicalQuery
from commonplace.storage.session import Row, Session, filter_values
from commonplace.storage.tables.vectors import reuse_vectors

_Pair: TypeAlias = tuple[Row, ChunkDraft]
_WITH_TERMS, _WITHOUT_TERMS = "chunk_terms", "chunk_owners"
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
        same, new, gone = _paired(drafts, self._rows_of(owner), "text_hash")
        outdated: list[_Pair] = []
        if new and gone:
            outdated, new, gone = _paired(new, self._with_texts(gone), "text")
        for row, draft in (*same, *outdated):
            self._keep(row, metadata, draft)
        waiting = self._outdate(outdated) if outdated else {}
        waiting |= self._add(owner, metadata, new) if new else {}
        if gone:
            session.run("remove_chunks", keys=session.codec.array(row["key"] for row in gone))
        left = len(waiting) - self._reuse(owner, waiting)
        if left:
            session.announce_work()
        return left

    def remove(self, owner: Owner) -> int:
        keys = [row["key"] for row in self._rows_of(owner)]
        return self._session.run("remove_chunks", keys=self._session.codec.array(keys))

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        return self._session.lexical(query, wanted, limit)

    def expect(self, wanted: Filter, *, terms: bool) -> None:
        self._session.chunks.expect(wanted, _WITH_TERMS if terms else _WITHOUT_TERMS)

    def terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        rows = self._session.chunks.rows(_WITH_TERMS, sorted(keys), wanted).values()
        return [terms_of(row, row["terms"], row["context_terms"]) for row in rows]

    def without_terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        rows = self._session.chunks.rows(_WITHOUT_TERMS, sorted(keys), wanted).values()
        return [terms_of(row, "", "") for row in rows]

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
        ready = row["total"] - sum(others.values())
        return ChunkCounts(row["total"], ready, **others, outdated=row["outdated"])

    def unembedded(self, most: int, wanted: Filter = ANYTHING) -> Unembedded:
        any_waits = self._session.row("any_unembedded")
        if not any_waits or not any_waits["found"]:
            return Unembedded()
        values = filter_values(wanted, self._session.codec)
        row = self._session.row("count_unembedded", limit=most, **values)
        return Unembedded(row["pending"], row["failed"], row["previewed"]) if row else Unembedded()

    def sample(self, limit: int) -> list[str]:
        rows = self._session.rows("sample_terms", limit=limit)
        return [f"{row['context_terms']} {row['terms']}" for row in rows]

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        rows = self._session.rows("failed_chunks", limit=limit)
        return [(owner_of(row), row["embedding_error"]) for row in rows]

    def _rows_of(self, owner: Owner) -> list[Row]:
        return self._session.rows("chunks_of_owner", **_owner_values(owner))

    def _with_texts(self, rows: Sequence[Row]) -> list[Row]:
        keys = self._session.codec.array(row["key"] for row in rows)
        texts = {row["key"]: row["text"] for row in self._session.rows("pending_texts", keys=keys)}
        return [{**row, "text": texts[row["key"]]} for row in rows]

    def _add(
        self, owner: Owner, metadata: ChunkMetadata, drafts: Sequence[ChunkDraft]
    ) -> dict[int, ChunkDraft]:
        """Insert chunks; returns those that wait, by key."""
        session = self._session
        common = _owner_values(owner) | metadata_values(metadata, session.codec)
        keyed = [(self._insert(common, draft), draft) for draft in drafts]
        scope = scope_of(session.actor.org, metadata)
        session.run_many(
            "insert_passage",
            [
                {"chunk_key": key, "text": draft.text} | self._passage_values(scope, draft)
                for key, draft in keyed
            ],
        )
        return {key: draft for key, draft in keyed if draft.urgency is not Urgency.NEVER}

    def _passage_values(self, scope: str, draft: ChunkDraft) -> dict[str, object]:
        """The columns of a passage that a new context or scope changes."""
        codec = self._session.codec
        tokens = codec.search_tokens(_tokens(scope, draft))
        return {"context": draft.context, "headings": codec.array(draft.headings), **tokens}

    def _outdate(self, pairs: Sequence[_Pair]) -> dict[int, ChunkDraft]:
        """Let chunks wait whose context has changed; their vectors serve until there are new ones.

        Returns the waiting ones by key.
        """
        session = self._session
        session.run_many(
            "outdate_chunk",
            [
                {
                    "key": row["key"],
                    "text_hash": draft.text_hash,
                    "token_count": draft.token_count,
                    "urgency": int(draft.urgency),
                }
                for row, draft in pairs
            ],
        )
        keys = session.codec.array(row["key"] for row, _ in pairs)
        session.run("remove_unused_vectors", keys=keys)
        return {row["key"]: draft for row, draft in pairs if draft.urgency is not Urgency.NEVER}

    def _reuse(self, owner: Owner, waiting: Mapping[int, ChunkDraft]) -> int:
        """Give chunks the vectors of identical files, if any; returns how many got them."""
        if owner.type is not OwnerType.DOCUMENT or not waiting:
            return 0
        wanting = {key: (draft.text_hash, draft.urgency) for key, draft in waiting.items()}
        return len(reuse_vectors(self._session, wanting))

    def _insert(self, common: Mapping[str, object], draft: ChunkDraft) -> int:
        row = self._session.row(
            "insert_chunk",
            token_count=draft.token_count,
            text_hash=draft.text_hash,
            urgency=int(draft.urgency),
            **common,
            **position_values(draft),
        )
        assert row is not None, "an insert returns its key"
        return int(row["key"])

    def _keep(self, row: Row, metadata: ChunkMetadata, draft: ChunkDraft) -> None:
        session = self._session
        values = metadata_values(metadata, session.codec) | position_values(draft)
        as_before = row["text_hash"] == draft.text_hash
        if as_before and all(row[name] == value for name, value in values.items()):
            return
        session.run("keep_chunk", key=row["key"], **values)
        tags = tuple(session.codec.read_array(row["tags"]))
        old = (row["kind"], row["category"], row["path"], row["visibility"], tags)
        if as_before and old == _indexed_by(metadata):
            return
        passage = self._passage_values(scope_of(session.actor.org, metadata), draft)
        session.run("reindex_passage", chunk_key=row["key"], **passage)
        if row["visibility"] != metadata.visibility.value:
            self._reinsert_vectors(row["key"])

    def _reinsert_vectors(self, chunk_key: int) -> None:
        """Reinsert vectors: readers who can see the chunk only now learn of it by the insertion."""
        session = self._session
        vectors = session.rows("vectors_of_chunk", chunk_key=chunk_key)
        session.run("remove_vectors", chunk_key=chunk_key)
        for vector in vectors:
            session.run("insert_vector", chunk_key=chunk_key, **vector)


def _paired(
    drafts: Sequence[ChunkDraft], rows: Sequence[Row], field: str
) -> tuple[list[_Pair], list[ChunkDraft], list[Row]]:
    """Each draft with a row of its own that has the same value in a field; then the drafts and the
    rows that are left."""
    unclaimed: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        unclaimed[row[field]].append(row)
    pairs: list[_Pair] = []
    left: list[ChunkDraft] = []
    for draft in drafts:
        if same := unclaimed[getattr(draft, field)]:
            pairs.append((same.pop(0), draft))
        else:
            left.append(draft)
    return pairs, left, [row for some in unclaimed.values() for row in some]


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
