"""Ends the server when a signal has asked for it and its own way of stopping does not get there.

A thread busy in C may hold the interpreter, and no handler runs; the signal's number is still
written into a pipe, from which a small process reads it, waits for an orderly stop, and kills.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Reads standard input: numbers of signals as they come; its end, when the server has ended.
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
    told = os.read(0, 100)
    if not told:
        break
    for number in told:
        if number in wanted:
            now = time.monotonic()
            end = now + patience if end is None else min(end, now + second)
"""
_SECOND_SIGNAL_SECONDS = 5.0


@contextmanager
def killed_if_stuck(patience: float) -> Iterator[None]:
    """Kill this process some time after a first signal, soon after a second, unless it ends."""
    if sys.platform == "win32":
        yield
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    arguments = [str(os.getpid()), str(patience), str(_SECOND_SIGNAL_SECONDS)]
    watcher = subprocess.Popen(  # noqa: S603 - our own words
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
