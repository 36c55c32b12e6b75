"""The ports for embedding models: which one serves, and storing vectors of another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from commonplace.model.chunk import PendingChunk
from commonplace.model.embedding import KnownModel, ModelState

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector


class Models(Protocol):
    """The models of the whole database, regardless of the transaction's org."""

    def all(self) -> list[KnownModel]: ...

    def in_state(self, state: ModelState) -> str | None:
        """The model in the state SERVING or PREPARING; there is at most one of each."""
        ...

    def put(self, model: str, state: ModelState) -> None:
        """Set a model's state; Conflict if another model has it already."""
        ...

    def forget(self, model: str) -> None: ...


class Reembedding(Protocol):
    """The org's own chunks under a model that does not serve yet, or no longer."""

    def without_vectors(self, model: str, after: int, limit: int) -> list[PendingChunk]:
        """Chunks after a key that lack vectors of the model, in key order.

        `attempts` counts attempts with this model that never ended.
        """
        ...

    def begin(self, model: str, keys: Sequence[int]) -> None:
        """Count an attempt for each chunk, before it is embedded: it might crash the worker."""
        ...

    def cancel(self, model: str, keys: Sequence[int]) -> None:
        """Uncount attempts that did not take place."""
        ...

    def end(self, model: str, keys: Sequence[int]) -> None:
        """Record that the attempts ended without a crash."""
        ...

    def forget_attempts(self, model: str) -> None: ...

    def count_crashing(self, model: str, least: int) -> int:
        """How many chunks have at least `least` attempts that never ended."""
        ...

    def add(self, model: str, chunk: PendingChunk, windows: Sequence[Vector]) -> bool:
        """Store vectors next to the serving ones; False if the text has changed meanwhile."""
        ...

    def count(self, model: str) -> int:
        """How many chunks have vectors of the model."""
        ...

    def discard(self, model: str, after: int, limit: int) -> int | None:
        """Delete the model's vectors of some chunks; returns the key to continue after, if any."""
        ...
