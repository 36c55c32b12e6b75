"""Calls a function in a child process, over a pipe.

Starts, awaits and ends the process. If the function crashes or takes too long, only that question
fails.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from commonplace.errors import SourceError, SourceTooLarge, SourceUnreadable
from commonplace.model.call import PLAIN_CALL, Call

_COMMAND = (sys.executable, "-X", "utf8", "-P", "-m", "commonplace.reading.child")
_LOOK_SECONDS = 0.2
_PORTION = 1 << 16
CRASHED = "The file crashed the program that reads it."


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits per question. With `forked`, each is answered by a fork, as files may be hostile."""

    seconds: float = 20.0
    memory_bytes: int = 1_500_000_000
    answer_bytes: int = 1_000_000_000
    forked: bool = False


class PipedChildProcess:
    """Implements port.ChildProcess: one question at a time; the process ends when idle."""

    def __init__(self, function: str, limits: ProcessLimits) -> None:
        self._function = function
        self._limits = limits
        self._one = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        head = json.dumps({"question": question, "bytes": len(data)}).encode() + b"\n"
        with self._one:
            try:
                said = self._answer(head + data, call)
            except BaseException:
                # Any further output would be taken for the next answer.
                self._end()
                raise
        if "answer" in said:
            answer: dict[str, Any] = said["answer"]
            return answer
        kinds = {kind.code: kind for kind in (SourceTooLarge, SourceUnreadable)}
        raise kinds.get(said["code"], SourceError)(said["error"])

    def close(self) -> None:
        with self._one:
            self._end()

    def _answer(self, message: bytes, call: Call) -> dict[str, Any]:
        """Ask, and ask once more if an idle process was just about to end."""
        for _ in range(2):
            process, fresh = self._running()
            try:
                line = self._exchange(process, message, call)
            except BrokenPipeError:
                line = b""
            if line:
                return _parsed_answer(line)
            self._end()
            if fresh:
                break
        raise SourceUnreadable(CRASHED)

    def _exchange(self, process: subprocess.Popen[bytes], message: bytes, call: Call) -> bytes:
        deadline = time.monotonic() + self._limits.seconds
        try:
            _send(process, message, deadline)
            return _line(process, deadline, self._limits.answer_bytes, call)
        except TimeoutError:
            problem = f"Reading it takes longer than {self._limits.seconds:g} seconds."
            raise SourceTooLarge(problem) from None

    def _running(self) -> tuple[subprocess.Popen[bytes], bool]:
        if self._process is not None and self._process.poll() is None:
            return self._process, False
        self._end()
        # Without this process's environment: a file must not have access to its secrets.
        self._process = subprocess.Popen(  # noqa: S603 - our own module and function
            (*_COMMAND, self._function, json.dumps(asdict(self._limits))),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        return self._process, True

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _send(process: subprocess.Popen[bytes], message: bytes, deadline: float) -> None:
    """Send in portions that fit the pipe, so that a hanging process is noticed."""
    assert process.stdin is not None, "asked for when it was started"
    pipe = process.stdin.fileno()
    os.set_blocking(pipe, False)
    rest = memoryview(message)
    while rest:
        if not select.select([], [pipe], [], max(0.0, deadline - time.monotonic()))[1]:
            raise TimeoutError
        rest = rest[os.write(pipe, rest[:_PORTION]) :]


def _line(process: subprocess.Popen[bytes], deadline: float, most: int, call: Call) -> bytes:
    """The answer; empty if the process ended without one."""
    assert process.stdout is not None, "asked for when it was started"
    pipe = process.stdout.fileno()
    parts, length = list[bytes](), 0
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([pipe], [], [], min(left, _LOOK_SECONDS))[0]:
            call.check()
            continue
        part = os.read(pipe, _PORTION)
        if not part:
            return b""
        parts.append(part)
        length += len(part)
        if length > most:
            raise SourceTooLarge("Its contents are too large to be processed.")
        if part.endswith(b"\n"):
            return b"".join(parts)
    raise TimeoutError


def _parsed_answer(line: bytes) -> dict[str, Any]:
    """Parse an answer; a malformed one counts as none."""
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:
        raise SourceUnreadable(CRASHED) from None
    return said
