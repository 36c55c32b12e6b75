"""A program on the other end of a pipe: what it answers, and what that costs."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.latency.greeting import INITIALIZE

_PATIENCE_SECONDS = 180.0
_REFUSED = {"code": -32601, "message": "not offered by this client"}


class PeerError(Exception):
    """The program ended, took too long or answered with an error; the message is for people."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Processor seconds: `own` of the program and what it began, `lent` of who works for it."""

    result: Mapping[str, Any]
    wall: float
    own: float
    lent: float = 0.0

    @property
    def cpu(self) -> float:
        return self.own + self.lent

    @property
    def text(self) -> str:
        """What a model would read of it."""
        return "\n".join(part.get("text", "") for part in self.result.get("content", ()))


class Spoken:
    """One program that answers JSON by lines, one question after the other."""

    def __init__(self, process: subprocess.Popen[bytes], beside: Sequence[int] = ()) -> None:
        """`beside` are programs that work for it, and whose time counts as its own."""
        self._process = process
        self._beside = beside
        self._number = 0

    def ask(self, method: str, params: Mapping[str, Any]) -> Answer:
        own, lent, started = self.cpu(), self._lent(), time.perf_counter()
        self._number += 1
        self._say({"id": self._number, "method": method, "params": params})
        result = self._heard(self._number)
        wall = time.perf_counter() - started
        return Answer(result, wall, self.cpu() - own, self._lent() - lent)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def greet(self) -> Answer:
        """The greeting; its processor time counts from the start of the program."""
        answer = self.ask("initialize", INITIALIZE["params"])
        self._say({"method": "notifications/initialized"})
        return Answer(answer.result, answer.wall, self.cpu())

    def cpu(self) -> float:
        """Of the program and of all that it began."""
        return sum(map(_seconds, _family(self._process.pid)))

    def memory(self) -> int:
        """Bytes, what processes share counted once, with those that work for it."""
        every = (pid for root in (self._process.pid, *self._beside) for pid in _family(root))
        return sum(psutil.Process(pid).memory_full_info().pss for pid in every)

    def _lent(self) -> float:
        return sum(map(_seconds, self._beside))

    def _say(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PeerError("it ended") from error

    def _heard(self, number: int) -> dict[str, Any]:
        with _ended_after(self._process, _PATIENCE_SECONDS):
            for message in self._messages():
                if "method" in message and "id" in message:
                    self._say({"id": message["id"], "error": _REFUSED})
                elif message.get("id") == number:
                    if "error" in message:
                        raise PeerError(json.dumps(message["error"])[:500])
                    result: dict[str, Any] = message["result"]
                    return result
        raise PeerError("it ended, or took too long")

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Lines that are no JSON are somebody's greeting to a person."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.lstrip().startswith(b"{"):
                yield json.loads(line)


@contextmanager
def _ended_after(process: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _family(pid: int) -> Iterator[int]:
    """A process and all below it, as Linux lists them: looking through all processes is dear."""
    yield pid
    for listed in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from _family(int(child))


def _seconds(pid: int) -> float:
    """By the clock that Linux keeps of a process; those of its ended children in hundredths."""
    try:
        ended = psutil.Process(pid).cpu_times()
        own = time.clock_gettime((~pid << 3) | 2)
    except (psutil.NoSuchProcess, OSError):
        return 0.0
    return own + float(ended.children_user + ended.children_system)


@contextmanager
def spoken(
    command: Sequence[str],
    environment: Mapping[str, str],
    home: Path,
    beside: Sequence[int] = (),
) -> Iterator[Spoken]:
    """Started in its home; what it says to people goes into a file there."""
    pipe = subprocess.PIPE
    with (home / "stderr.txt").open("ab") as said:
        process = subprocess.Popen(
            command, env=dict(environment), cwd=home, stdin=pipe, stdout=pipe, stderr=said
        )
    try:
        yield Spoken(process, beside)
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """By closing its input, as a client does; what does not take the hint is killed."""
    left = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
    for child in left:
        if child.is_running():
            child.kill()
