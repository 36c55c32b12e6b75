"""Which model serves a database, and making the vectors of another beside its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from commonplace.model.chunk import PendingChunk
from commonplace.model.embedding import KnownModel, ModelState

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector


class Models(Protocol):
    """One for the whole database, whichever org the transaction is bound to."""

    def all(self) -> list[KnownModel]: ...

    def in_state(self, state: ModelState) -> str | None:
        """The model that serves or is prepared: there is at most one of each."""
        ...

    def put(self, model: str, state: ModelState) -> None:
        """Conflict where another model is in that state already."""
        ...

    def forget(self, model: str) -> None: ...


class Reembedding(Protocol):
    """The org's own chunks under a model that does not serve yet, or no longer."""

    def lacking(self, model: str, after: int, limit: int) -> list[PendingChunk]:
        """Chunks after a key that the model has no vectors of, in key order.

        `attempts` are those with this model that never ended.
        """
        ...

    def begin(self, model: str, keys: Sequence[int]) -> None:
        """Count an attempt at each of these chunks, which may end its worker."""
        ...

    def take_back(self, model: str, keys: Sequence[int]) -> None:
        """Let the attempts at these chunks be as if they had never begun."""
        ...

    def end(self, model: str, keys: Sequence[int]) -> None:
        """Say that nobody died of these chunks."""
        ...

    def forget_attempts(self, model: str) -> None: ...

    def deadly(self, model: str, least: int) -> int:
        """How many chunks have had at least so many attempts that never ended."""
        ...

    def add(self, model: str, chunk: PendingChunk, windows: Sequence[Vector]) -> bool:
        """Store vectors beside those that serve; False when the text has changed meanwhile."""
        ...

    def count(self, model: str) -> int:
        """How many chunks have vectors of the model."""
        ...

    def discard(self, model: str, after: int, limit: int) -> int | None:
        """Drop the model's vectors of some chunks; the key to go on after, if there are more."""
        ...
