"""What agents asked and how their calls went, for a while."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from commonplace.model.activity import AskedQuestion, CallCount, Outcome, QuestionDraft


class Questions(Protocol):
    """What agents asked; no canonical writes, so that nothing of it stands in the audit."""

    def add(self, drafts: Iterable[QuestionDraft]) -> None: ...

    def newest(
        self, limit: int, before: int | None = None, outcome: Outcome | None = None
    ) -> list[AskedQuestion]:
        """Newest first, from a key on; those that ended in one way, or all."""
        ...

    def get(self, key: int) -> AskedQuestion | None: ...

    def tally(self, since: datetime) -> dict[Outcome, int]: ...

    def forget(self, before: datetime) -> None: ...


class CallCounts(Protocol):
    """Calls of each hour."""

    def add(self, counts: Iterable[CallCount]) -> None: ...

    def since(self, hour: datetime) -> list[CallCount]: ...

    def forget(self, before: datetime) -> None: ...
