"""How a search goes on when the replica that answers it is lost in the middle."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from commonplace.errors import ReplicaLost

Found = TypeVar("Found")


def wherever_answered(search: Callable[[], Found]) -> Found:
    """Repeat a search that lost its replica; each is lost for a while, so this ends."""
    while True:
        try:
            return search()
        except ReplicaLost:
            continue
