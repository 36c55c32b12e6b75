"""The services of the one memory, put together."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.memory.service.opening import OpenService
from commonplace.storage.port import Store


@dataclass(frozen=True, slots=True)
class MemoryServices:
    opening: OpenService


def memory_services(store: Store) -> MemoryServices:
    return MemoryServices(opening=OpenService(store))
