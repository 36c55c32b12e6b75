"""The port for shared state that may be lost at any moment: values, rate counts, digests.

Nothing here is authoritative; readers must cope with a miss.
"""

from __future__ import annotations

from typing import Protocol

from commonplace.model.access import Rate


class SharedCache(Protocol):
    """A thread-safe cache; raises CacheUnavailable."""

    @property
    def is_local(self) -> bool:
        """Whether it answers without waiting for another process, so that an event loop may call
        it."""
        ...

    def get(self, key: str) -> bytes | None: ...

    def put(self, key: str, value: bytes, seconds: float) -> None: ...

    def drop(self, key: str) -> None: ...

    def take(self, key: str, rate: Rate, amount: int) -> float:
        """Take from the named bucket; returns 0, or the seconds to wait if nothing was taken.

        The wait is infinite for more than the bucket's size.
        """
        ...

    def close(self) -> None: ...


class DigestSet(Protocol):
    """A set of digests, safe for threads and processes; it may forget any of them."""

    def has(self, digest: bytes) -> bool: ...

    def add(self, digest: bytes) -> None: ...

    def close(self) -> None: ...
