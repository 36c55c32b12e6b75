"""Threads for calls, given in turn: between orgs, and within an org between its agents.

Nobody has all threads, so that who sends much waits for itself; who would wait for too long is
told so at once, and when to come again.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from anyio import CapacityLimiter, Event, to_thread

from commonplace.errors import ServerBusy
from commonplace.model.actor import Actor

READING_THREADS = 24
WRITING_THREADS = 16
PATIENCE_SECONDS = 10.0
# Of a lane's threads an org has at most one in so many, and each of its agents.
_ORG_SHARE = 2
_AGENT_SHARE = 4
# How much the last call says of how fast calls end.
_NEWS = 0.1
# However fast they end.
_MOST_AHEAD = 1_000

Result = TypeVar("Result")
Clock = Callable[[], float]


class Turns:
    """The threads of one server; used from its event loop alone."""

    def __init__(
        self,
        reading: int = READING_THREADS,
        writing: int = WRITING_THREADS,
        patience: float = PATIENCE_SECONDS,
        clock: Clock = time.monotonic,
    ) -> None:
        self._reading = Lane(reading, patience, clock)
        self._writing = Lane(writing, patience, clock)

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._reading.waiting + self._writing.waiting

    async def run(self, actor: Actor, work: Callable[[], Result], *, reads: bool) -> Result:
        """What the work gives, done in a thread when it is the actor's turn; ServerBusy where that
        would be too late."""
        lane = self._reading if reads else self._writing
        async with lane.turn(actor):
            # The lane has counted already.
            return await to_thread.run_sync(work, limiter=CapacityLimiter(1))


class Pace:
    """How fast calls end while others wait; forgotten as soon as nobody does."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: float | None = None
        self._seconds: float | None = None

    def ended(self, *, others_wait: bool) -> None:
        """A call has ended; how long it took after the one before tells how long a turn takes."""
        now = self._clock()
        if not others_wait:
            self._last = self._seconds = None
            return
        if self._last is not None:
            gap, known = now - self._last, self._seconds
            self._seconds = gap if known is None else known + _NEWS * (gap - known)
        self._last = now

    def seconds_for(self, calls: int) -> float:
        """How long so many calls will probably take; nothing where it is not known."""
        return calls * (self._seconds or 0.0)


class Lane:
    """So many at once; whoever waits comes in the order of turns, not of arrival."""

    def __init__(self, threads: int, patience: float, clock: Clock) -> None:
        self._threads = threads
        self._patience = patience
        self._pace = Pace(clock)
        self._most_of_org = max(1, threads // _ORG_SHARE)
        self._most_of_agent = max(1, threads // _AGENT_SHARE)
        self._running: Counter[tuple[str, str]] = Counter()
        self._running_of_org: Counter[str] = Counter()
        # By org, then agent; whoever got a thread last stands last.
        self._waiting: dict[str, dict[str, deque[Event]]] = {}

    @property
    def waiting(self) -> int:
        return sum(map(_waiting_of, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, actor: Actor) -> AsyncIterator[None]:
        self._refuse_if_late(actor)
        mine = Event()
        agents = self._waiting.setdefault(actor.org, {})
        agents.setdefault(actor.agent, deque()).append(mine)
        self._hand_out()
        try:
            await mine.wait()
            yield
        finally:
            # Set also where the caller went away before it could notice.
            if mine.is_set():
                self._count(actor.org, actor.agent, -1)
                self._pace.ended(others_wait=bool(self._waiting))
            else:
                self._leave(actor.org, actor.agent, mine)
            self._hand_out()

    def _refuse_if_late(self, actor: Actor) -> None:
        if self._has_room(actor.org, actor.agent):
            return
        ahead = self._ahead_of(actor)
        seconds = self._pace.seconds_for(ahead)
        if seconds > self._patience or ahead >= _MOST_AHEAD:
            raise ServerBusy(retry_after=max(seconds, 1.0))

    def _has_room(self, org: str, agent: str) -> bool:
        """Whether a thread is free, and the agent and its org have less than their share."""
        return (
            self._running.total() < self._threads
            and self._running_of_org[org] < self._most_of_org
            and self._running[org, agent] < self._most_of_agent
        )

    def _ahead_of(self, actor: Actor) -> int:
        """How many of those who wait have their turn before one more call of the actor."""
        agents = self._waiting.get(actor.org, {})
        mine = len(agents.get(actor.agent, ()))
        others = [len(some) for agent, some in agents.items() if agent != actor.agent]
        of_org = mine + sum(min(some, mine + 1) for some in others)
        of_others = [_waiting_of(a) for org, a in self._waiting.items() if org != actor.org]
        return of_org + sum(min(some, of_org + 1) for some in of_others)

    def _hand_out(self) -> None:
        while following := self._following():
            org, agent = following
            agents = self._waiting.pop(org)
            waiting = agents.pop(agent)
            waiting.popleft().set()
            if waiting:
                agents[agent] = waiting
            if agents:
                self._waiting[org] = agents
            self._count(org, agent, 1)

    def _following(self) -> tuple[str, str] | None:
        """The org and agent whose turn it is; None where all that wait have their share."""
        turns = ((org, agent) for org, agents in self._waiting.items() for agent in agents)
        return next((turn for turn in turns if self._has_room(*turn)), None)

    def _count(self, org: str, agent: str, change: int) -> None:
        self._running[org, agent] += change
        self._running_of_org[org] += change
        # Counts of nothing would be kept for everybody who ever called.
        self._running += Counter()
        self._running_of_org += Counter()

    def _leave(self, org: str, agent: str, mine: Event) -> None:
        agents = self._waiting[org]
        agents[agent].remove(mine)
        if not agents[agent]:
            del agents[agent]
        if not agents:
            del self._waiting[org]


def _waiting_of(agents: dict[str, deque[Event]]) -> int:
    return sum(map(len, agents.values()))
