"""Background work, the bytes that it works on, and the terms that it counts."""

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
        """Those that are not kept, each once; the others stay for a while, named or not."""
        ...

    def named_by(self, entry: Entry) -> list[str]:
        """What the files of a skill are kept in, those of its earlier revisions too."""
        ...

    def release(self, digests: Iterable[str]) -> None:
        """Forget those that no source, no file and no skill stands on."""
        ...

    def sweep(self, before: datetime, limit: int) -> int:
        """Release some that nothing stands on, unless given or asked for since; how many."""
        ...


class Runs(Protocol):
    """Background work on targets."""

    def start(self, kind: RunKind, subjects: Sequence[Mapping[str, Any]]) -> Run: ...

    def get(self, run_id: str) -> Run | None: ...

    def recent(self, limit: int) -> list[Run]: ...

    def claim(self, lease_until: datetime) -> Target | None:
        """Take one that is due; the attempt is counted now, because it may never end."""
        ...

    def hold(self, target: Target, due: datetime) -> None:
        """Keep a claimed target from others until then, without counting an attempt."""
        ...

    def give_back(self, target: Target, due: datetime) -> None:
        """Let a claimed target wait, as if it had never been claimed."""
        ...

    def finish(self, target: Target) -> None: ...

    def record_failure(self, target: Target, due: datetime | None, error: str) -> None: ...

    def retry_failed(self) -> int:
        """Queue the targets again that were given up; how many."""
        ...

    def bring_forward(self, latest: datetime) -> None:
        """Make due what would wait longer than until then."""
        ...


class Statistics(Protocol):
    """What scoring needs to know about an org as a whole."""

    def load(self) -> CorpusStatistics | None: ...

    def save(self, statistics: CorpusStatistics) -> None: ...
