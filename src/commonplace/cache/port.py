"""What may be forgotten at any moment: short-lived values, how much was taken of a rate, digests.

Nothing here is the truth about anything; whoever reads must be able to do without.
"""

from __future__ import annotations

from typing import Protocol

from commonplace.model.access import Rate


class SharedCache(Protocol):
    """Safe to be used by many threads; raises CacheUnavailable."""

    @property
    def is_near(self) -> bool:
        """Whether it answers without waiting for anybody, so that an event loop may ask it."""
        ...

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes, seconds: float) -> None: ...

    def drop(self, key: str) -> None: ...

    def take(self, key: str, rate: Rate, amount: int) -> float:
        """Take from the bucket of that name; 0, or how many seconds to wait, and nothing taken.

        More than the bucket holds can never be taken at once: the wait is infinite.
        """
        ...

    def close(self) -> None: ...


class DigestSet(Protocol):
    """Safe to be used by many threads and processes; what cannot be kept is forgotten."""

    def has(self, digest: bytes) -> bool: ...

    def add(self, digest: bytes) -> None: ...

    def close(self) -> None: ...
