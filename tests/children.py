"""Reuses child processes across the applications of different tests.

They keep no state between requests, and starting one takes longer than most requests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from subprocess import Popen

import pytest

from commonplace.reading.child_process import PipedChildProcess, ProcessLimits

_Kind = tuple[str, ProcessLimits]


class IdleChildren:
    """Idle processes by function and limits; ended ones are not reused."""

    def __init__(self) -> None:
        self._idle: dict[_Kind, list[Popen[bytes]]] = defaultdict(list)

    def give(self, to: PipedChildProcess) -> None:
        idle = self._idle[to._function, to._limits]
        if to._process is None and idle:
            to._process = idle.pop()

    def take(self, of: PipedChildProcess) -> None:
        if of._process is not None and of._process.poll() is None:
            self._idle[of._function, of._limits].append(of._process)
            of._process = None

    def end(self) -> None:
        for (function, limits), idle in self._idle.items():
            for process in idle:
                last = PipedChildProcess(function, limits)
                last._process = process
                last.close()


@pytest.fixture(scope="session")
def idle_children() -> Iterator[IdleChildren]:
    children = IdleChildren()
    yield children
    children.end()


@pytest.fixture(scope="module")
def kept_children(idle_children: IdleChildren) -> Iterator[None]:
    """Keep the child processes of closed applications for the next one, unless they failed."""
    running, close = PipedChildProcess._running, PipedChildProcess.close

    def reuse_or_start(child: PipedChildProcess) -> tuple[Popen[bytes], bool]:
        idle_children.give(child)
        return running(child)

    def keep(child: PipedChildProcess) -> None:
        with child._one:
            idle_children.take(child)
        close(child)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(PipedChildProcess, "_running", reuse_or_start)
        patched.setattr(PipedChildProcess, "close", keep)
        yield
