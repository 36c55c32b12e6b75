"""The port for recent activity: what agents asked and how their calls ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from commonplace.model.activity import AskedQuestion, CallCount, Outcome, QuestionDraft


class Questions(Protocol):
    """Questions that agents asked. They are not canonical, so no audit records them."""

    def add(self, drafts: Iterable[QuestionDraft]) -> None: ...

    def newest(
        self, limit: int, before: int | None = None, outcome: Outcome | None = None
    ) -> list[AskedQuestion]:
        """Questions before a key, newest first; with an outcome, only those that ended so."""
        ...

    def get(self, key: int) -> AskedQuestion | None: ...

    def tally(self, since: datetime) -> dict[Outcome, int]: ...

    def forget(self, before: datetime) -> None: ...


class CallCounts(Protocol):
    """Counts of calls, by hour."""

    def add(self, counts: Iterable[CallCount]) -> None: ...

    def since(self, hour: datetime) -> list[CallCount]: ...

    def forget(self, before: datetime) -> None: ...
