"""Who gets the next thread: orgs in turn, agents in turn, nobody all of them; at every door."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
import httpx
import pytest
from anyio import wait_all_tasks_blocked

from commonplace.model.actor import Actor
from commonplace.settings import Settings
from commonplace.surfaces.turns import READING_THREADS, WRITING_THREADS, Turns
from tests.access.house import House, house
from tests.waiting import eventually

LOUD, CALM = Actor("acme", "loud"), Actor("acme", "calm")
STRANGER = Actor("zeta", "one")
PATIENCE = 60.0
CAPTURES = 45


class Stage:
    """Work that stays in its thread until it may go on, and notes who was there."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._lock = threading.Lock()
        self.go_on = threading.Event()
        self.begun: list[str] = []
        self.inside = self.most_inside = 0

    async def stay(self, actor: Actor, reads: bool = False) -> None:
        await self._turns.run(actor, partial(self._stay, actor.agent), reads=reads)

    def _stay(self, name: str) -> None:
        with self._lock:
            self.begun.append(name)
            self.inside += 1
            self.most_inside = max(self.inside, self.most_inside)
        assert self.go_on.wait(PATIENCE)
        with self._lock:
            self.inside -= 1


def played(scenario: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        with anyio.fail_after(PATIENCE):
            await scenario()

    anyio.run(bounded)


def test_threads_are_given_to_orgs_and_agents_in_turn() -> None:
    turns = Turns(writing=1)
    stage = Stage(turns)

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            for actor in (LOUD, LOUD, LOUD, LOUD, CALM, STRANGER):
                group.start_soon(stage.stay, actor)
                await wait_all_tasks_blocked()
            assert turns.waiting == 5
            stage.go_on.set()

    played(scenario)
    assert stage.begun == ["loud", "loud", "one", "calm", "loud", "loud"]
    assert stage.most_inside == 1
    assert turns.waiting == 0


@pytest.mark.parametrize("reads", [True, False])
def test_nobody_has_all_threads(reads: bool) -> None:
    """45 large calls of one agent: all others find a thread at once."""
    turns = Turns()
    stage = Stage(turns)

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(CAPTURES):
                group.start_soon(partial(stage.stay, LOUD, reads=reads))
            await wait_all_tasks_blocked()
            for actor in (CALM, STRANGER):
                assert await turns.run(actor, lambda: "found", reads=reads) == "found"
            assert await turns.run(LOUD, lambda: "found", reads=not reads) == "found"
            stage.go_on.set()

    played(scenario)
    assert len(stage.begun) == CAPTURES
    assert stage.most_inside == (READING_THREADS if reads else WRITING_THREADS) // 4


def test_no_org_has_all_threads_however_many_agents_it_has() -> None:
    turns = Turns()
    stage = Stage(turns)

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            for number in range(CAPTURES):
                group.start_soon(stage.stay, Actor("acme", f"agent {number}"))
            await wait_all_tasks_blocked()
            assert await turns.run(STRANGER, lambda: "found", reads=False) == "found"
            stage.go_on.set()

    played(scenario)
    assert stage.most_inside == WRITING_THREADS // 2


def test_who_gives_up_waiting_leaves_the_queue() -> None:
    turns = Turns(writing=1)
    stage = Stage(turns)

    async def scenario() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(stage.stay, LOUD)
            await wait_all_tasks_blocked()
            async with anyio.create_task_group() as impatient:
                for actor in (LOUD, CALM, STRANGER):
                    impatient.start_soon(stage.stay, actor)
                await wait_all_tasks_blocked()
                assert turns.waiting == 3
                impatient.cancel_scope.cancel()
            assert turns.waiting == 0
            group.start_soon(stage.stay, STRANGER)
            await wait_all_tasks_blocked()
            stage.go_on.set()

    played(scenario)
    assert stage.begun == ["loud", "one"]


def test_who_gives_up_as_its_turn_comes_hands_it_on() -> None:
    turns = Turns(writing=1)

    async def scenario() -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await turns.run(LOUD, lambda: pytest.fail("nobody waits for it"), reads=False)
        assert await turns.run(CALM, lambda: "done", reads=False) == "done"

    played(scenario)


def test_work_that_fails_gives_its_thread_back() -> None:
    turns = Turns(writing=1)

    def fail() -> None:
        raise ValueError("on purpose")

    async def scenario() -> None:
        for _ in range(2):
            with pytest.raises(ValueError, match="on purpose"):
                await turns.run(LOUD, fail, reads=False)

    played(scenario)


# 400 is MCP's word for the resource, which is nobody's.
ANSWERED = {200, 201, 400}
DATA = b"some bytes of a file"
READS: tuple[Callable[[House, str], httpx.Response], ...] = (
    lambda house, token: house.call("search_knowledge", token, query="harvest"),
    lambda house, token: house.mcp("resources/list", token),
    lambda house, token: house.mcp("resources/read", token, uri="commonplace://knowledge/x"),
    lambda house, token: house.rpc(token),
    lambda house, token: house.get("/api/sources", token),
    lambda house, token: house.get("/", token),
)
WRITES: tuple[Callable[[House, str], httpx.Response], ...] = (
    lambda house, token: house.store(token),
    lambda house, token: house.send(
        "PUT", f"/api/push/{hashlib.sha256(DATA).hexdigest()}", token, content=DATA
    ),
)


@pytest.fixture
def turns() -> Turns:
    """One thread a lane for each agent."""
    return Turns(reading=4, writing=4)


@pytest.fixture
def opened(tmp_path: Path, turns: Turns) -> Iterator[House]:
    with house(Settings(home=tmp_path, worker=False), turns=turns) as server:
        yield server


@pytest.mark.parametrize(("doors", "reads"), [(READS, True), (WRITES, False)])
def test_calls_wait_for_their_turn_at_every_door(
    opened: House,
    turns: Turns,
    doors: tuple[Callable[[House, str], httpx.Response], ...],
    reads: bool,
) -> None:
    loud = opened.token(org=LOUD.org, agent=LOUD.agent)
    stage = Stage(turns)
    held = opened.start(partial(stage.stay, LOUD, reads))
    with ThreadPoolExecutor(len(doors)) as pool:
        try:
            waiting = [pool.submit(door, opened, loud) for door in doors]
            eventually(lambda: turns.waiting == len(doors))
            for actor in (CALM, STRANGER):
                token = opened.token(org=actor.org, agent=actor.agent)
                answered = [door(opened, token).status_code for door in doors]
                assert set(answered) <= ANSWERED
            assert not any(call.done() for call in waiting)
        finally:
            stage.go_on.set()
        held.result(PATIENCE)
        assert {call.result(PATIENCE).status_code for call in waiting} <= ANSWERED
