"""Retrying a search whose replica was lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from commonplace.errors import ReplicaLost

Found = TypeVar("Found")


def retry_lost_replica(search: Callable[[], Found]) -> Found:
    """Run a search, and repeat it when its replica is lost. Lost replicas are avoided, so it
    ends."""
    while True:
        try:
            return search()
        except ReplicaLost:
            continue
