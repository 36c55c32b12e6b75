"""Threads for calls, given in turn: between orgs, and within an org between its agents.

Reading and writing have threads of their own, and no org or agent has all of them: whoever sends
much waits for itself, and a search gets through while others' captures are large.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from anyio import CapacityLimiter, Event, to_thread

from commonplace.model.actor import Actor

READING_THREADS = 24
WRITING_THREADS = 16
# Of a lane's threads an org has at most one in so many, and each of its agents.
_ORG_SHARE = 2
_AGENT_SHARE = 4

Result = TypeVar("Result")


class Turns:
    """The threads of one server; used from its event loop alone."""

    def __init__(self, reading: int = READING_THREADS, writing: int = WRITING_THREADS) -> None:
        self._reading = Lane(reading)
        self._writing = Lane(writing)

    @property
    def waiting(self) -> int:
        """How many wait for their turn."""
        return self._reading.waiting + self._writing.waiting

    async def run(self, actor: Actor, work: Callable[[], Result], *, reads: bool) -> Result:
        """What the work gives, done in a thread when it is the actor's turn."""
        lane = self._reading if reads else self._writing
        async with lane.turn(actor):
            # The lane has counted already.
            return await to_thread.run_sync(work, limiter=CapacityLimiter(1))


class Lane:
    """So many at once; whoever waits comes in the order of turns, not of arrival."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._most_of_org = max(1, threads // _ORG_SHARE)
        self._most_of_agent = max(1, threads // _AGENT_SHARE)
        self._running: Counter[tuple[str, str]] = Counter()
        self._running_of_org: Counter[str] = Counter()
        # By org, then agent; whoever got a thread last stands last.
        self._waiting: dict[str, dict[str, deque[Event]]] = {}

    @property
    def waiting(self) -> int:
        return sum(len(mine) for agents in self._waiting.values() for mine in agents.values())

    @asynccontextmanager
    async def turn(self, actor: Actor) -> AsyncIterator[None]:
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
            else:
                self._leave(actor.org, actor.agent, mine)
            self._hand_out()

    def _hand_out(self) -> None:
        while self._running.total() < self._threads and (following := self._following()):
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
        for org, agents in self._waiting.items():
            if self._running_of_org[org] < self._most_of_org:
                for agent in agents:
                    if self._running[org, agent] < self._most_of_agent:
                        return org, agent
        return None

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
