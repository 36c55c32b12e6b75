"""What a service knows about the call it works for: time left, cancellation, progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.model.activity import GivenOut

Progress = Callable[[int, int, str], None]


def _keep_going() -> None:
    """Nothing can stop a call that has no client waiting."""


def _unheard(done: int, total: int, message: str) -> None:
    """Nobody listens to the progress of this call."""


def _uncounted(_handed: GivenOut) -> None:
    """Nobody keeps account of what this call hands out."""


@dataclass(frozen=True, slots=True)
class Call:
    """`check` raises CallStopped when the client cancelled or the deadline passed; `hands_out`
    takes down what the caller is given."""

    check: Callable[[], None] = _keep_going
    progress: Progress = _unheard
    hands_out: Callable[[GivenOut], None] = _uncounted


PLAIN_CALL = Call()
