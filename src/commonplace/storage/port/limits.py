"""What is counted against a limit, and what is answered once more: replays and usage."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol


class Replays(Protocol):
    """Calls that carry a token and must act once, however often they are repeated."""

    def claim(self, operation: str, token: str, until: datetime) -> Mapping[str, Any] | None:
        """None for the first caller with the token; else the answer that the first one got.

        Whoever comes second while the first is still at work waits for it to end.
        """
        ...

    def settle(self, operation: str, token: str, answer: Mapping[str, Any]) -> None: ...


class Usage(Protocol):
    """How much an org has used of what is limited."""

    def spend(self, metric: str, period: str, limit: int | None, amount: int = 1) -> bool:
        """Use so much more, unless that would exceed the limit."""
        ...

    def used(self, metric: str, period: str) -> int: ...
