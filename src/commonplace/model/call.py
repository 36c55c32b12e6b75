"""What a service can ask or tell the call that it works for: time left, progress, deliveries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.model.activity import Delivery

Progress = Callable[[int, int, str], None]


def _no_check() -> None:
    """The check of a call without a waiting client: nothing can stop it."""


def _no_progress(done: int, total: int, message: str) -> None:
    """The progress callback of a call that nobody follows."""


def _no_record(_delivery: Delivery) -> None:
    """The delivery callback of a call whose results nobody records."""


@dataclass(frozen=True, slots=True)
class Call:
    """The call that a service works for.

    `check` raises CallStopped if the client has cancelled or the deadline has passed.
    `record_delivery` records what the caller was given.
    """

    check: Callable[[], None] = _no_check
    progress: Progress = _no_progress
    record_delivery: Callable[[Delivery], None] = _no_record


PLAIN_CALL = Call()
