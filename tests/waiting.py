"""Waiting in tests: polling with a time limit, and random delays. No other test file sleeps."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import anyio

PATIENCE = 240.0
_LOOK = 0.05


def patiently(seconds: float = PATIENCE, look: float = _LOOK) -> Iterator[None]:
    """Yield for each poll until the time is up, sleeping in between."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        yield
        time.sleep(look)


def eventually(
    happened: Callable[[], bool], seconds: float = PATIENCE, look: float = _LOOK
) -> None:
    """Wait until a condition holds; fail if it does not in time."""
    assert any(happened() for _ in patiently(seconds, look)), "it never happened"


async def eventually_async(happened: Callable[[], bool], look: float = _LOOK) -> None:
    """Wait until a condition holds, limited only by the time limit of the test."""
    while not happened():
        await let_others_run(look)


async def let_others_run(seconds: float = _LOOK) -> None:
    await anyio.sleep(seconds)


def at_some_moment(dice: random.Random, longest: float) -> None:
    """Sleep for a random time, before a process is killed or a file is changed."""
    time.sleep(dice.uniform(0, longest))


def let_pass(seconds: float) -> None:
    """Sleep, for how long something stays unavailable; no assertion depends on the time."""
    time.sleep(seconds)
