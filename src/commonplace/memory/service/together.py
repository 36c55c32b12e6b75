"""The services of the one memory, put together."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.memory.service.adding import AddService
from commonplace.memory.service.opening import OpenService
from commonplace.memory.service.recent import RecentService
from commonplace.memory.service.remembering import RememberService
from commonplace.memory.service.revising import ReviseService
from commonplace.memory.service.tracing import TraceService


@dataclass(frozen=True, slots=True)
class MemoryServices:
    opening: OpenService
    remembering: RememberService
    revising: ReviseService
    tracing: TraceService
    adding: AddService
    recent: RecentService
