"""The ports for idempotency records and for quota usage."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol


class Replays(Protocol):
    """Idempotency records: a repeated call with the same token acts once."""

    def claim(self, operation: str, token: str, until: datetime) -> Mapping[str, Any] | None:
        """None for the first call with the token; for later ones, the first one's answer.

        A second call waits while the first is still running.
        """
        ...

    def settle(self, operation: str, token: str, answer: Mapping[str, Any]) -> None: ...

    def drop(self, operation: str, token: str) -> None:
        """Forget the answer, so that the next call with the token is the first one."""
        ...


class Usage(Protocol):
    """How much an org has used of its quotas."""

    def spend(self, metric: str, period: str, limit: int | None, amount: int = 1) -> bool:
        """Add to the usage; False, without a change, if that would exceed the limit."""
        ...

    def spend_last(self, metric: str, period: str, amount: int = 1) -> None:
        """Add to usage without a limit when the transaction commits, since all writers of the org
        wait for whoever has added to it."""
        ...

    def used(self, metric: str, period: str) -> int: ...
