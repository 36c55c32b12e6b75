"""The only place in the tests that sleeps: between two looks, or for as long as chance wants."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import anyio

PATIENCE = 240.0
_LOOK = 0.05


def patiently(seconds: float = PATIENCE, look: float = _LOOK) -> Iterator[None]:
    """Turns to look again until patience runs out."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        yield
        time.sleep(look)


def eventually(
    happened: Callable[[], bool], seconds: float = PATIENCE, look: float = _LOOK
) -> None:
    """Goes on as soon as it has happened; fails where it does not."""
    assert any(happened() for _ in patiently(seconds, look)), "it never happened"


async def eventually_async(happened: Callable[[], bool], look: float = _LOOK) -> None:
    """As long as it takes; the test's own time limit is the only one."""
    while not happened():
        await let_others_run(look)


async def let_others_run(seconds: float = _LOOK) -> None:
    await anyio.sleep(seconds)


def at_some_moment(dice: random.Random, longest: float) -> None:
    """A moment that nobody can foresee, for a process to be killed or a file to be changed in."""
    time.sleep(dice.uniform(0, longest))


def let_pass(seconds: float) -> None:
    """How long something stays away; what comes of it is looked for afterwards, not timed."""
    time.sleep(seconds)
