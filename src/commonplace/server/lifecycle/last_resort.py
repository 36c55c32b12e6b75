"""Kills the server if it does not stop in time after a signal.

A thread busy in C code may hold the interpreter, so that no signal handler runs. The number of the
signal is still written to a pipe: a small process reads it, waits for an orderly stop, then kills.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Reads the numbers of signals from standard input; end of file means that the server has ended.
_WATCHER = """
import os, select, signal, sys, time
server, patience, second = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
wanted = {int(signal.SIGINT), int(signal.SIGTERM)}
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
end = None
while True:
    left = None if end is None else max(0.0, end - time.monotonic())
    if not select.select([0], [], [], left)[0]:
        if os.getppid() == server:
            os.kill(server, signal.SIGKILL)
        break
    received = os.read(0, 100)
    if not received:
        break
    for number in received:
        if number in wanted:
            now = time.monotonic()
            end = now + patience if end is None else min(end, now + second)
"""
_SECOND_SIGNAL_SECONDS = 5.0


@contextmanager
def killed_if_stuck(patience: float) -> Iterator[None]:
    """Kill this process if it still runs `patience` seconds after a signal, or 5 after a second."""
    if sys.platform == "win32":
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    arguments = [str(os.getpid()), str(patience), str(_SECOND_SIGNAL_SECONDS)]
    watcher = subprocess.Popen(  # noqa: S603 - no outside input
        [sys.executable, "-I", "-S", "-c", _WATCHER, *arguments],
        stdin=reading,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(reading)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(writing)
        watcher.wait()
