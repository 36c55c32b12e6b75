"""Who would wait for too long is refused at once, and told when to come again; others are not."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable

import anyio
import pytest
from anyio import wait_all_tasks_blocked

from commonplace.errors import ServerBusy, retry_seconds
from commonplace.model.actor import Actor
from commonplace.surfaces.turns import Turns

LOUD, CALM, STRANGER = Actor("acme", "loud"), Actor("acme", "calm"), Actor("zeta", "one")
SECONDS_A_CALL, PATIENCE = 2.0, 10.0
GIVING_UP = 60.0


class Busy:
    """Threads whose calls end one by one, each of them when the test says so, after two seconds
    of a clock of the test's own."""

    def __init__(self, threads: int) -> None:
        self.seconds = 0.0
        self.turns = Turns(reading=threads, patience=PATIENCE, clock=lambda: self.seconds)
        self._may_end = threading.Semaphore(0)
        self.accepted = self.ended = 0

    async def call(self, actor: Actor) -> None:
        self.accepted += 1
        try:
            await self.turns.run(actor, self._stay, reads=True)
        except ServerBusy:
            self.accepted -= 1
            raise
        self.ended += 1

    def _stay(self) -> None:
        assert self._may_end.acquire(timeout=GIVING_UP)

    async def let_end(self, calls: int) -> None:
        for _ in range(calls):
            self.seconds += SECONDS_A_CALL
            before = self.ended
            self._may_end.release()
            while self.ended == before:
                await anyio.lowlevel.checkpoint()


def played(
    scenario: Callable[[Busy, anyio.abc.TaskGroup], Awaitable[None]], threads: int = 1
) -> None:
    async def bounded() -> None:
        busy = Busy(threads)
        with anyio.fail_after(GIVING_UP):
            async with anyio.create_task_group() as group:
                await scenario(busy, group)
                await busy.let_end(busy.accepted - busy.ended)

    anyio.run(bounded)


async def queue(busy: Busy, group: anyio.abc.TaskGroup, actor: Actor, calls: int) -> None:
    for _ in range(calls):
        group.start_soon(busy.call, actor)
    await wait_all_tasks_blocked()


def test_who_would_wait_too_long_is_told_when_to_come_again() -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        await queue(busy, group, LOUD, 10)
        await busy.let_end(2)
        await wait_all_tasks_blocked()
        assert busy.turns.waiting == 7
        with pytest.raises(ServerBusy) as refused:
            await busy.call(LOUD)
        assert retry_seconds(refused.value) == 7 * SECONDS_A_CALL
        assert busy.turns.waiting == 7

    played(scenario)


def test_what_is_accepted_waits_no_longer_than_was_promised() -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        await queue(busy, group, LOUD, 10)
        await busy.let_end(4)
        await wait_all_tasks_blocked()
        # Five wait, for ten seconds: one more is let in, and the next is not.
        await queue(busy, group, LOUD, 1)
        with pytest.raises(ServerBusy):
            await busy.call(LOUD)
        await busy.let_end(1)
        await queue(busy, group, LOUD, 1)

    played(scenario)


@pytest.mark.parametrize("other", [CALM, STRANGER], ids=["another agent", "another org"])
def test_nobody_is_refused_for_what_others_send(other: Actor) -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        await queue(busy, group, LOUD, 30)
        await busy.let_end(2)
        await wait_all_tasks_blocked()
        with pytest.raises(ServerBusy):
            await busy.call(LOUD)
        await queue(busy, group, other, 1)
        assert busy.turns.waiting == 28

    played(scenario)


def test_who_finds_a_free_thread_is_not_refused_however_slow_others_are() -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        # Of four threads an agent has one, and an org two.
        await queue(busy, group, LOUD, 10)
        await busy.let_end(2)
        await wait_all_tasks_blocked()
        busy.seconds += 100 * PATIENCE
        await busy.let_end(1)
        await wait_all_tasks_blocked()
        with pytest.raises(ServerBusy):
            await busy.call(LOUD)
        await queue(busy, group, CALM, 1)
        await queue(busy, group, STRANGER, 1)

    played(scenario, threads=4)


def test_slow_calls_of_earlier_refuse_nobody_later() -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        await queue(busy, group, LOUD, 10)
        await busy.let_end(10)
        await queue(busy, group, LOUD, 30)
        assert busy.turns.waiting == 29

    played(scenario)


def test_a_crowd_is_refused_before_anything_is_known_of_it() -> None:
    async def scenario(busy: Busy, group: anyio.abc.TaskGroup) -> None:
        await queue(busy, group, LOUD, 1_001)
        with pytest.raises(ServerBusy) as refused:
            await busy.call(LOUD)
        assert retry_seconds(refused.value) == 1

    played(scenario)
