"""Vectors, over named statements: the queue of chunks to embed, storing, comparing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import fmean
from typing import TYPE_CHECKING

from commonplace.model.chunk import Owner, OwnerType, PendingChunk, Urgency
from commonplace.model.query import Filter
from commonplace.model.times import to_micros
from commonplace.storage.port import Nearest
from commonplace.storage.session import Row, Session

if TYPE_CHECKING:
    from commonplace.embedding.port import ComputedVectors, Vector


def pending_of(row: Row) -> PendingChunk:
    return PendingChunk(
        key=row["key"],
        text_hash=row["text_hash"],
        text=row["text"],
        context=row["context"],
        attempts=row["embedding_attempts"],
        error=row["embedding_error"],
        token_count=row["token_count"],
        language=row["language"],
        urgency=Urgency(row["embedding_urgency"]),
        owner_key=row["owner_key"],
    )


def _lacks(row: Row, model: str) -> bool:
    """Whether the chunk waits, was given up, or was embedded by another model."""
    unfinished = row["embedding_due"] is not None or row["embedding_error"] is not None
    return unfinished or row["embedding_model"] != model


def store_windows(
    session: Session, model: str, chunk: PendingChunk, windows: Sequence[Vector]
) -> None:
    """Replace the model's vectors of a chunk; other models' vectors stay."""
    keys = session.codec.array([chunk.key])
    session.run("remove_vectors_of", model=model, keys=keys)
    for window, vector in enumerate(windows):
        encoded = session.codec.vector(vector)
        session.run(
            "insert_vector", chunk_key=chunk.key, model=model, window=window, vector=encoded
        )


def reuse_vectors(session: Session, wanting: Mapping[int, tuple[str, Urgency]]) -> set[int]:
    """Give chunks the vectors of identical chunks in other files; returns the keys of those served.

    Test and third-party code may share a vector with its neighbours, which is only good enough for
    its like.
    """
    hashes = session.codec.array({text_hash for text_hash, _ in wanting.values()})
    twins = {row["text_hash"]: row for row in session.rows("embedded_twins", text_hashes=hashes)}
    done: set[int] = set()
    for key, (text_hash, urgency) in wanting.items():
        twin = twins.get(text_hash)
        if twin is None or (
            twin["embedding_urgency"] == Urgency.ASIDE and urgency is not Urgency.ASIDE
        ):
            continue
        model = twin["embedding_model"]
        if session.run("embedding_done", key=key, text_hash=text_hash, model=model):
            _copy_vectors(session, twin["key"], key)
            done.add(key)
    return done


def _copy_vectors(session: Session, source: int, target: int) -> None:
    """Copy all vectors to another chunk, replacing its vectors of the same models."""
    vectors = session.rows("vectors_of_chunk", chunk_key=source)
    for model in {vector["model"] for vector in vectors}:
        session.run("remove_vectors_of", model=model, keys=session.codec.array([target]))
    for vector in vectors:
        session.run("insert_vector", chunk_key=target, **vector)


class VectorTable:
    """Implements port.Vectors."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def claim(
        self,
        urgency: Urgency,
        limit: int,
        lease_until: datetime,
        last: Urgency | None = None,
    ) -> list[PendingChunk]:
        session = self._session
        urgencies = (urgency, urgency if last is None else last)
        claimed = self._claimed(urgencies, lease_until, limit, tried=False)
        # Chunks that were tried before are claimed alone, to find the one that crashes the worker.
        claimed = claimed or self._claimed(urgencies, lease_until, 1, tried=True)
        keys = session.codec.array(row["key"] for row in claimed)
        rows = session.rows("pending_texts", keys=keys)
        of_files = {
            row["key"]: (row["text_hash"], Urgency(row["embedding_urgency"]))
            for row in rows
            if row["owner_type"] == OwnerType.DOCUMENT
        }
        done = reuse_vectors(session, of_files) if of_files else set()
        return [pending_of(row) for row in rows if row["key"] not in done]

    def _claimed(
        self, urgencies: tuple[Urgency, Urgency], lease_until: datetime, limit: int, *, tried: bool
    ) -> list[Row]:
        first, last = urgencies
        return self._session.rows(
            "claim_embeddings",
            first=int(first),
            last=int(last),
            tried=int(tried),
            lease_until=to_micros(lease_until),
            limit=limit,
        )

    def put(
        self, model: str, chunk: PendingChunk, windows: Sequence[Vector], *, preview: bool = False
    ) -> bool:
        session = self._session
        if windows:
            session.expect_vectors(model, len(windows[0]))
        values = {"key": chunk.key, "text_hash": chunk.text_hash, "model": model}
        if preview:
            rest = int(chunk.urgency.rest)
            done = session.run("embedding_previewed", urgency=rest, **values)
        else:
            done = session.run("embedding_done", **values)
        if not done:
            return False
        store_windows(session, model, chunk, windows)
        return True

    def keep(self, made: ComputedVectors, chunks: Sequence[PendingChunk]) -> list[PendingChunk]:
        return [
            chunk
            for chunk in chunks
            if (windows := made.windows.get(chunk.text_hash))
            and not self.put(made.model, chunk, windows, preview=chunk.text_hash in made.previewed)
        ]

    def prioritise(self, keys: Sequence[int]) -> None:
        if self._session.run("seek_embeddings", keys=self._session.codec.array(keys)):
            self._session.announce_work()

    def embedded_texts(self, owner: Owner, model: str) -> set[str]:
        lacking = {chunk.text_hash for chunk in self.of_owner(owner, model)}
        return {chunk.text_hash for chunk in self.of_owner(owner, None)} - lacking

    def of_owner(self, owner: Owner, model: str | None) -> list[PendingChunk]:
        rows = self._session.rows(
            "texts_of_owner", owner_type=owner.type.value, owner_key=owner.key
        )
        return [pending_of(row) for row in rows if model is None or _lacks(row, model)]

    def postpone(self, keys: Sequence[int], due: datetime) -> None:
        session = self._session
        session.run("postpone_embeddings", keys=session.codec.array(keys), due=to_micros(due))

    def record_failure(self, chunk: PendingChunk, due: datetime | None, error: str) -> None:
        self._session.run(
            "embedding_failed",
            key=chunk.key,
            text_hash=chunk.text_hash,
            due=to_micros(due),
            error=error,
        )

    def nearest(self, model: str, query: Vector, wanted: Filter, limit: int, width: int) -> Nearest:
        return self._session.nearest(model, query, wanted, limit, width)

    def cosines(self, model: str, query: Vector, keys: Sequence[int]) -> dict[int, float]:
        session = self._session
        rows = session.rows("vectors_of_chunks", model=model, keys=session.codec.array(keys))
        best: dict[int, float] = {}
        for row in rows:
            cosine = float(session.codec.read_vector(row["vector"]) @ query)
            best[row["chunk_key"]] = max(cosine, best.get(row["chunk_key"], -1.0))
        return best

    def pair_cosines(
        self, model: str, pairs: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], float]:
        session = self._session
        keys = session.codec.array({key for pair in pairs for key in pair})
        rows = session.rows("vectors_of_chunks", model=model, keys=keys)
        first: dict[int, Vector] = {}
        for row in rows:
            first.setdefault(row["chunk_key"], session.codec.read_vector(row["vector"]))
        known = [(one, other) for one, other in pairs if one in first and other in first]
        return {(one, other): float(first[one] @ first[other]) for one, other in known}

    def mean_cosines(
        self, model: str, query: Vector, documents: Sequence[int], most: int
    ) -> dict[int, float]:
        import numpy as np

        codec = self._session.codec
        rows = self._session.rows(
            "spread_vectors", model=model, documents=codec.array(documents), most=most
        )
        if not rows:
            return {}
        cosines: dict[int, list[float]] = defaultdict(list)
        compared = np.stack([codec.read_vector(row["vector"]) for row in rows]) @ query
        for row, cosine in zip(rows, compared.tolist(), strict=True):
            cosines[row["owner_key"]].append(cosine)
        return {document: fmean(some) for document, some in cosines.items()}

    def reopen(self, model: str, limit: int) -> int:
        session = self._session
        rows = session.rows("embedded_otherwise", model=model, limit=limit)
        keys = session.codec.array([row["key"] for row in rows])
        session.run("remove_previews", model=model, keys=keys)
        session.run("adopt_embeddings", model=model, keys=keys)
        if session.run("reopen_embeddings", model=model, keys=keys):
            session.announce_work()
        return len(rows)

    def retry_failed(self) -> int:
        retried = self._session.run("retry_failed_embeddings")
        if retried:
            self._session.announce_work()
        return retried

    def bring_forward(self, latest: datetime) -> None:
        if self._session.run("bring_chunks_forward", latest=to_micros(latest)):
            self._session.announce_work()
