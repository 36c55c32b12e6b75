"""Fair scheduling of calls onto threads: between orgs, and within an org between its agents.

No org or agent can take all threads, so a busy one delays only itself. A call that would wait too
long is refused at once, with a time to retry after.
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
# An org gets at most 1/2 of a lane's threads, each of its agents at most 1/4.
_ORG_SHARE = 2
_AGENT_SHARE = 4
# The weight of the newest interval in the moving average.
_SMOOTHING = 0.1
# More calls ahead than this are refused, however fast they end.
_MAX_AHEAD = 1_000

Key = TypeVar("Key")
Result = TypeVar("Result")
Clock = Callable[[], float]


class Turns:
    """The threads of one server. Not thread-safe: use it from the event loop only."""

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
        """The number of calls that wait for a thread."""
        return self._reading.waiting + self._writing.waiting

    async def run(self, actor: Actor, work: Callable[[], Result], *, reads: bool) -> Result:
        """Run work in a thread when it is the actor's turn, and return its result.

        Raises ServerBusy if the wait would be too long.
        """
        lane = self._reading if reads else self._writing
        async with lane.turn(actor):
            # The lane limits the number of threads; anyio's own limit must not.
            return await to_thread.run_sync(work, limiter=CapacityLimiter(1))


class Pace:
    """The average interval between the ends of calls while others wait; reset when nobody waits."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last: float | None = None
        self._seconds: float | None = None

    def ended(self, *, others_wait: bool) -> None:
        """Record that a call has ended; the interval since the previous end updates the average."""
        now = self._clock()
        if not others_wait:
            self._last = self._seconds = None
            return
        if self._last is not None:
            gap, known = now - self._last, self._seconds
            self._seconds = gap if known is None else known + _SMOOTHING * (gap - known)
        self._last = now

    def seconds_for(self, calls: int) -> float:
        """The estimated time until this many calls have ended; 0 if unknown."""
        return calls * (self._seconds or 0.0)


class Lane:
    """A limited number of threads; waiting calls get them round-robin, not by arrival."""

    def __init__(self, threads: int, patience: float, clock: Clock) -> None:
        self._threads = threads
        self._patience = patience
        self._pace = Pace(clock)
        self._max_of_org = max(1, threads // _ORG_SHARE)
        self._max_of_agent = max(1, threads // _AGENT_SHARE)
        # How many calls run: in all, of an org, of an agent. Only counts above zero are kept.
        self._busy = 0
        self._running: Counter[tuple[str, str]] = Counter()
        self._running_of_org: Counter[str] = Counter()
        # By org, then agent. Order matters: the one that got a thread last stands last.
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
        self._start_next()
        try:
            await mine.wait()
            yield
        finally:
            # It is also set if the caller was cancelled between getting its turn and noticing.
            if mine.is_set():
                self._count(actor.org, actor.agent, -1)
                self._pace.ended(others_wait=bool(self._waiting))
            else:
                self._leave(actor.org, actor.agent, mine)
            self._start_next()

    def _refuse_if_late(self, actor: Actor) -> None:
        if self._has_room(actor.org, actor.agent):
            return
        ahead = self._ahead_of(actor)
        seconds = self._pace.seconds_for(ahead)
        if seconds > self._patience or ahead >= _MAX_AHEAD:
            raise ServerBusy(retry_after=max(seconds, 1.0))

    def _has_room(self, org: str, agent: str) -> bool:
        """Whether a thread is free and neither the agent nor its org has its full share."""
        return (
            self._busy < self._threads
            and self._running_of_org[org] < self._max_of_org
            and self._running[org, agent] < self._max_of_agent
        )

    def _ahead_of(self, actor: Actor) -> int:
        """The number of waiting calls that would start before a new call of the actor."""
        agents = self._waiting.get(actor.org, {})
        mine = len(agents.get(actor.agent, ()))
        others = [len(some) for agent, some in agents.items() if agent != actor.agent]
        of_org = mine + sum(min(some, mine + 1) for some in others)
        of_others = [_waiting_of(a) for org, a in self._waiting.items() if org != actor.org]
        return of_org + sum(min(some, of_org + 1) for some in of_others)

    def _start_next(self) -> None:
        while turn := self._next_turn():
            org, agent = turn
            agents = self._waiting.pop(org)
            waiting = agents.pop(agent)
            waiting.popleft().set()
            if waiting:
                agents[agent] = waiting
            if agents:
                self._waiting[org] = agents
            self._count(org, agent, 1)

    def _next_turn(self) -> tuple[str, str] | None:
        """The org and agent whose turn it is; None if all that wait have their full share."""
        turns = ((org, agent) for org, agents in self._waiting.items() for agent in agents)
        return next((turn for turn in turns if self._has_room(*turn)), None)

    def _count(self, org: str, agent: str, change: int) -> None:
        self._busy += change
        _add(self._running, (org, agent), change)
        _add(self._running_of_org, org, change)

    def _leave(self, org: str, agent: str, mine: Event) -> None:
        agents = self._waiting[org]
        agents[agent].remove(mine)
        if not agents[agent]:
            del agents[agent]
        if not agents:
            del self._waiting[org]


def _waiting_of(agents: dict[str, deque[Event]]) -> int:
    return sum(map(len, agents.values()))


def _add(counts: Counter[Key], key: Key, change: int) -> None:
    """Drops zero counts, which would pile up for everybody who ever called."""
    counts[key] += change
    if not counts[key]:
        del counts[key]
