"""Long texts are worked on one at a time, in turn; whoever waits for one can still be stopped."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from commonplace.errors import (
    CallStopped,
    DeadlineExceeded,
    InternalError,
    SourceTooLarge,
    SourceUnreadable,
)
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.turns import Rotation
from commonplace.reading.in_turn import TextProcessInTurn
from tests.waiting import eventually

LOUD, CALM = Actor("acme", "loud"), Actor("acme", "calm")
STRANGER = Actor("zeta", "one")
PATIENCE = 60.0


class Gate:
    """A child process that answers when it is told to, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go_on = threading.Event()
        self.at_once = self.most_at_once = 0

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.asked.append(question["of"])
        try:
            while not self.go_on.wait(0.01):
                call.check()
            return {"length": len(data)}
        finally:
            self.at_once -= 1

    def close(self) -> None:
        self.go_on.set()


class Broken:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def ask(self, *_: object) -> dict[str, Any]:
        raise self._error

    def close(self) -> None:
        pass


def stopped() -> None:
    raise CallStopped


def ask(texts: TextProcessInTurn, actor: Actor, call: Call = PLAIN_CALL) -> dict[str, Any]:
    return texts.ask(actor, {"of": actor.agent}, "a text é", call)


def test_orgs_and_their_agents_are_served_in_turn() -> None:
    gate = Gate()
    texts = TextProcessInTurn(gate)
    answers: list[Future[dict[str, Any]]] = []
    with ThreadPoolExecutor(6) as pool:
        for waiting, actor in enumerate((LOUD, LOUD, LOUD, LOUD, CALM, STRANGER)):
            answers.append(pool.submit(ask, texts, actor))
            eventually(lambda: (len(gate.asked), texts.waiting) == (1, waiting))  # noqa: B023
        gate.go_on.set()
    assert gate.asked == ["loud", "one", "calm", "loud", "loud", "loud"]
    assert gate.most_at_once == 1
    assert [answer.result(PATIENCE) for answer in answers] == [{"length": 9}] * 6


def test_who_is_stopped_while_it_waits_leaves_the_queue() -> None:
    gate = Gate()
    texts = TextProcessInTurn(gate)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask, texts, LOUD)
        eventually(lambda: gate.asked == ["loud"])
        with pytest.raises(CallStopped):
            ask(texts, STRANGER, Call(stopped))
        assert texts.waiting == 0
        gate.go_on.set()
        assert first.result(PATIENCE) == {"length": 9}
    assert ask(texts, CALM) == {"length": 9}
    assert gate.asked == ["loud", "calm"]


def test_who_is_stopped_while_it_is_served_gives_its_turn_back() -> None:
    gate = Gate()
    texts = TextProcessInTurn(gate)
    with pytest.raises(CallStopped):
        ask(texts, LOUD, Call(stopped))
    gate.go_on.set()
    assert ask(texts, LOUD) == {"length": 9}


@pytest.mark.parametrize(
    ("broken", "told"),
    [(SourceTooLarge("It takes long."), DeadlineExceeded), (SourceUnreadable(), InternalError)],
)
def test_a_text_that_breaks_the_work_is_no_source_to_its_sender(
    broken: Exception, told: type[Exception]
) -> None:
    texts = TextProcessInTurn(Broken(broken))
    for _ in range(2):
        with pytest.raises(told):
            ask(texts, LOUD)


def test_who_was_served_longest_ago_is_next() -> None:
    turns = Rotation[str]()
    assert [turns.next(["a", "b", "c"]) for _ in range(4)] == ["a", "b", "c", "a"]
    assert turns.next(["a", "new"]) == "new"
    assert turns.next(["a", "b"]) == "b"


def test_not_everybody_who_was_ever_served_is_remembered() -> None:
    turns = Rotation[int]()
    for number in range(20_000):
        turns.next([number])
    assert turns.next([19_999, 0]) == 0
    assert turns.next([19_998, 19_999]) == 19_998
    assert len(turns._served) <= 10_000
