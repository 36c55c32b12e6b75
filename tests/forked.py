"""Runs a module like `python -m`, in a fork of a process that has already imported the product.

Importing takes longer than most of what tests ask for; `tests/cli` tests real starts.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

# Forks start from a process that has imported everything and opened nothing.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.preloaded"])
_NOTHING = Path(os.devnull)


class Running(Protocol):
    """A process, whether from `subprocess` or forked."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, sig: int) -> None: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


class ForkedModule:
    """A forked process that runs a module, with the interface of `Popen`; its streams are files."""

    def __init__(
        self,
        *command: str,
        env: Mapping[str, str],
        cwd: Path | None = None,
        stdin: Path = _NOTHING,
        stdout: Path = _NOTHING,
        stderr: Path = _NOTHING,
    ) -> None:
        stderr.touch()
        streams = ((stdin, "rb"), (stdout, "wb"), (stderr, "wb"))
        given = (command, dict(env), cwd or Path.cwd(), streams)
        self._process = FORKS.Process(target=_run, args=given)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return code

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(
    command: Sequence[str],
    environment: Mapping[str, str],
    folder: Path,
    streams: Sequence[tuple[Path, str]],
) -> None:
    for number, (path, mode) in enumerate(streams):
        with path.open(mode) as stream:
            os.dup2(stream.fileno(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    module, *sys.argv[1:] = command
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
