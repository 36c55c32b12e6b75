"""Long texts take turns; whoever waits for one can still be stopped."""

from __future__ import annotations

import threading

import pytest

from commonplace.capture.long_texts import LongTexts
from commonplace.capture.moments import moments
from commonplace.capture.secrets import mask_secrets
from commonplace.errors import CallStopped
from commonplace.model.call import PLAIN_CALL, Call

LONG = "word " * 10_000


class StoppedAfter:
    """A call that is stopped when it has been looked at so many times."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise CallStopped


def test_a_second_long_text_waits_until_its_call_ends() -> None:
    turns = LongTexts()
    with (
        turns.turn(LONG, PLAIN_CALL),
        pytest.raises(CallStopped),
        turns.turn(LONG, Call(StoppedAfter(2).check)),
    ):
        pytest.fail("two at once")


def test_a_short_text_does_not_wait() -> None:
    turns = LongTexts()
    with turns.turn(LONG, PLAIN_CALL), turns.turn("short", Call(StoppedAfter(0).check)):
        pass


def test_a_turn_that_fails_is_given_back() -> None:
    turns = LongTexts()
    with pytest.raises(ValueError, match="broken"), turns.turn(LONG, PLAIN_CALL):
        raise ValueError("broken")
    with turns.turn(LONG, Call(StoppedAfter(0).check)):
        pass


def test_many_texts_are_worked_on_one_at_a_time() -> None:
    turns, at_work, together = LongTexts(), [], []

    def work() -> None:
        with turns.turn(LONG, PLAIN_CALL):
            at_work.append(1)
            together.append(len(at_work))
            mask_secrets(LONG)
            at_work.pop()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert together == [1] * 8


def test_masking_ends_with_its_call() -> None:
    with pytest.raises(CallStopped):
        mask_secrets("a token: ", StoppedAfter(20).check)


def test_looking_for_moments_ends_with_its_call() -> None:
    text = "\n\n".join(f"We decided to use gateway {n} because it never fails." for n in range(40))
    with pytest.raises(CallStopped):
        moments(text, check=StoppedAfter(3).check)
