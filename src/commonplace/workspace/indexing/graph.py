"""The port to the code graph, which is updated after the chunks of a source tree, and the facts
that come with the chunks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.workspace import FileState, Resource

ReadFile = Callable[[FileState], bytes]
TakeFacts = Callable[[FileState], bytes | None]
# Facts take a byte for each byte of code: those of some 5,000 files.
_MOST_BYTES = 32_000_000


@dataclass(slots=True)
class FactsInPassing:
    """The facts of files that were just chunked, as many as memory allows."""

    _kept: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _bytes: int = 0

    def keep(self, state: FileState, facts: bytes) -> None:
        if self._bytes + len(facts) <= _MOST_BYTES:
            self._kept[state.path, state.content_hash] = facts
            self._bytes += len(facts)

    def take(self, state: FileState) -> bytes | None:
        """The facts of this version of a file, if they are here; each is given away once."""
        return self._kept.pop((state.path, state.content_hash), None)


class GraphIndexer(Protocol):
    """Keeps the code graph of a folder; reads the files whose facts it is not given."""

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
        facts: TakeFacts,
    ) -> None:
        """Update the graph of a folder.

        `changed` are the paths of written or moved files, or None for all files; `removed` are
        the keys of deleted files. After an interrupted run, files are reported again, so some may
        have the content they had.
        """
        ...
