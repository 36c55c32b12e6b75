"""A waiting query goes first, and bulk work still gets its turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from signal import SIGINT, default_int_handler, pthread_kill, signal
from threading import Barrier, Event, Thread, get_ident

import pytest

from commonplace.embedding.turns import QUERIES_IN_A_ROW, Turns

# Nobody waits for so long, unless something is wrong.
WAIT_SECONDS = 60.0


class Crowd:
    """Threads that wait for a turn and note the order in which they got it."""

    def __init__(self, places: int = 1) -> None:
        self.turns = Turns(places)
        self.order: list[str] = []
        self._threads: list[Thread] = []

    def join_queue(self, name: str, turn: Callable[[], AbstractContextManager[None]]) -> None:
        before = self._waiting()
        thread = Thread(target=self._take, args=(name, turn))
        self._threads.append(thread)
        thread.start()
        pause = Event()
        while self._waiting() == before:
            pause.wait(0.001)

    def finish(self) -> list[str]:
        for thread in self._threads:
            thread.join()
        return self.order

    def _take(self, name: str, turn: Callable[[], AbstractContextManager[None]]) -> None:
        with turn():
            self.order.append(name)

    def _waiting(self) -> int:
        return self.turns._queries_waiting + self.turns._bulk_waiting


def test_query_overtakes_waiting_bulk_work() -> None:
    crowd = Crowd()
    with crowd.turns.bulk():
        crowd.join_queue("bulk", crowd.turns.bulk)
        crowd.join_queue("query", crowd.turns.query)
    assert crowd.finish() == ["query", "bulk"]


def test_queries_do_not_starve_bulk_work() -> None:
    crowd = Crowd()
    with crowd.turns.bulk():
        crowd.join_queue("bulk", crowd.turns.bulk)
        for _ in range(QUERIES_IN_A_ROW + 4):
            crowd.join_queue("query", crowd.turns.query)
    assert crowd.finish().index("bulk") == QUERIES_IN_A_ROW


def test_so_many_have_a_turn_at_once() -> None:
    turns, together = Turns(places=2), Barrier(2)

    def take(turn: Callable[[], AbstractContextManager[None]]) -> None:
        with turn():
            together.wait(WAIT_SECONDS)

    for one, other in ((turns.query, turns.bulk), (turns.bulk, turns.bulk)):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(take, (one, other)))


def test_nobody_has_a_turn_more_than_there_are() -> None:
    crowd = Crowd(places=2)
    with crowd.turns.bulk(), crowd.turns.query():
        crowd.join_queue("query", crowd.turns.query)
        assert crowd.order == []
    assert crowd.finish() == ["query"]


@pytest.mark.parametrize("kind", ["query", "bulk"])
def test_a_failed_turn_is_given_back(kind: str) -> None:
    turns = Turns()
    turn: Callable[[], AbstractContextManager[None]] = getattr(turns, kind)
    with pytest.raises(RuntimeError), turn():
        raise RuntimeError
    with turns.query(), pytest.raises(RuntimeError):
        raise RuntimeError
    with turns.bulk():
        pass


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell that starts the suite in the background has it ignore the signal."""
    before = signal(SIGINT, default_int_handler)
    yield
    signal(SIGINT, before)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("kind", ["query", "bulk"])
def test_who_leaves_the_queue_keeps_nobody_from_a_turn(kind: str) -> None:
    """By the key that stops a command, which only the main thread hears."""
    crowd = Crowd()
    turn: Callable[[], AbstractContextManager[None]] = getattr(crowd.turns, kind)

    waiter = get_ident()

    def stop_who_waits() -> None:
        pause = Event()
        while not crowd._waiting():
            pause.wait(0.001)
        pthread_kill(waiter, SIGINT)

    with crowd.turns.bulk():
        stopping = Thread(target=stop_who_waits)
        stopping.start()
        with pytest.raises(KeyboardInterrupt), turn():
            pass
        stopping.join()
        assert crowd._waiting() == 0
        for _ in range(QUERIES_IN_A_ROW + 1):
            crowd.join_queue("query", crowd.turns.query)
        crowd.join_queue("bulk", crowd.turns.bulk)
    assert crowd.finish().count("query") == QUERIES_IN_A_ROW + 1
