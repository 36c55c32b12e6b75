"""The ports for background work: blobs, runs, and term statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from commonplace.model.entry import Entry
from commonplace.model.run import Run, RunKind, Target
from commonplace.storage.port.values import CorpusStatistics


class Blobs(Protocol):
    """Uploaded bytes, addressed by their SHA-256."""

    def put(self, data: bytes, media_type: str) -> str: ...

    def get(self, digest: str) -> bytes | None: ...

    def missing(self, digests: Sequence[str]) -> list[str]:
        """The digests that are not stored, each once. The others stay stored for a while, even
        unused."""
        ...

    def digests_of(self, entry: Entry) -> list[str]:
        """The digests of a skill's files, including those of earlier revisions."""
        ...

    def release(self, digests: Iterable[str]) -> None:
        """Delete those blobs that no source, file or skill uses."""
        ...

    def sweep(self, before: datetime, limit: int) -> int:
        """Delete some blobs that are unused and were not put or asked for since; returns how
        many."""
        ...


class Runs(Protocol):
    """Runs of background work, and the queue of their targets."""

    def start(self, kind: RunKind, subjects: Sequence[Mapping[str, Any]]) -> Run: ...

    def get(self, run_id: str) -> Run | None: ...

    def recent(self, limit: int) -> list[Run]:
        """The newest runs that queued targets."""
        ...

    def claim(self, lease_until: datetime) -> Target | None:
        """Take a due target; the attempt is counted now, because the process may die."""
        ...

    def hold(self, target: Target, due: datetime) -> None:
        """Extend the lease on a claimed target, without counting an attempt."""
        ...

    def give_back(self, target: Target, due: datetime) -> None:
        """Return a claimed target to the queue, as if it had never been claimed."""
        ...

    def finish(self, target: Target) -> None: ...

    def record_failure(self, target: Target, due: datetime | None, error: str) -> None: ...

    def retry_failed(self) -> int:
        """Queue again the targets that were given up; returns how many."""
        ...

    def bring_forward(self, latest: datetime) -> None:
        """Make targets due at `latest`, if they would wait longer."""
        ...


class Statistics(Protocol):
    """Term statistics of the org, for scoring."""

    def load(self) -> CorpusStatistics | None: ...

    def save(self, statistics: CorpusStatistics, instead_of: CorpusStatistics | None) -> None:
        """Replace the statistics that were loaded before; those that are newer stay."""
        ...

    def forget(self) -> None:
        """Empty the statistics, which may contain words of a text that is being erased."""
        ...
