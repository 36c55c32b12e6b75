"""What brings the graph of symbols up to date once the chunks of a source tree are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.workspace import FileState, Resource

ReadFile = Callable[[FileState], bytes]


class GraphIndexer(Protocol):
    """Has its own pass over the files, so that words are found before symbols are linked."""

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
    ) -> None:
        """`changed` are paths of files that were written or moved, None stands for all of them;
        `removed` are keys of files that have gone.

        A run that broke off is told again, so a file may come with the content it had before.
        """
        ...
