"""What a service knows about the call it works for: time left, cancellation, progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int, int, str], None]


def _keep_going() -> None:
    """Nothing can stop a call that has no client waiting."""


def _unheard(done: int, total: int, message: str) -> None:
    """Nobody listens to the progress of this call."""


@dataclass(frozen=True, slots=True)
class Call:
    """`check` raises CallStopped when the client cancelled or the deadline passed."""

    check: Callable[[], None] = _keep_going
    progress: Progress = _unheard


PLAIN_CALL = Call()
