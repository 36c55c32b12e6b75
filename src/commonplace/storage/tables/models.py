"""Embedding models, and vectors of models that do not serve, over named statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonplace.model.chunk import PendingChunk
from commonplace.model.embedding import KnownModel, ModelState
from commonplace.model.times import from_micros
from commonplace.storage.session import Session
from commonplace.storage.tables.vectors import pending_of, store_windows

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector


class ModelTable:
    """Implements port.Models."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> list[KnownModel]:
        return [
            KnownModel(row["model"], ModelState(row["state"]), from_micros(row["since"]))
            for row in self._session.rows("list_models")
        ]

    def in_state(self, state: ModelState) -> str | None:
        return next((model.key for model in self.all() if model.state is state), None)

    def put(self, model: str, state: ModelState) -> None:
        self._session.run("put_model", model=model, state=state.value)

    def forget(self, model: str) -> None:
        self._session.run("remove_model", model=model)


class ReembeddingTable:
    """Implements port.Reembedding."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def without_vectors(self, model: str, after: int, limit: int) -> list[PendingChunk]:
        rows = self._session.rows("lacking_texts", model=model, key=after, limit=limit)
        return [pending_of(row) for row in rows]

    def begin(self, model: str, keys: Sequence[int]) -> None:
        self._session.run("begin_reembedding", model=model, keys=self._session.codec.array(keys))

    def cancel(self, model: str, keys: Sequence[int]) -> None:
        session = self._session
        session.run("take_back_reembedding", model=model, keys=session.codec.array(keys))

    def end(self, model: str, keys: Sequence[int]) -> None:
        self._session.run("end_reembedding", model=model, keys=self._session.codec.array(keys))

    def forget_attempts(self, model: str) -> None:
        self._session.run("forget_reembedding", model=model)

    def count_crashing(self, model: str, least: int) -> int:
        row = self._session.row("count_deadly", model=model, least=least)
        return row["chunks"] if row else 0

    def add(self, model: str, chunk: PendingChunk, windows: Sequence[Vector]) -> bool:
        session = self._session
        if windows:
            session.expect_vectors(model, len(windows[0]))
        if not session.row("same_text", key=chunk.key, text_hash=chunk.text_hash):
            return False
        store_windows(session, model, chunk, windows)
        return True

    def count(self, model: str) -> int:
        row = self._session.row("count_embedded_by", model=model)
        return row["chunks"] if row else 0

    def discard(self, model: str, after: int, limit: int) -> int | None:
        session = self._session
        rows = session.rows("chunk_keys_after", key=after, limit=limit)
        keys = [row["key"] for row in rows]
        session.run("remove_vectors_of", model=model, keys=session.codec.array(keys))
        return keys[-1] if len(keys) == limit else None
