"""The port to the code graph, which is updated after the chunks of a source tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.workspace import FileState, Resource

ReadFile = Callable[[FileState], bytes]


class GraphIndexer(Protocol):
    """Reads the files again by itself, so that words are searchable before symbols are linked."""

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
    ) -> None:
        """`changed` are the paths of written or moved files, or None for all files; `removed` are
        the keys of deleted files.

        After an interrupted run, files are reported again, so some may have the content they had.
        """
        ...
