"""The child process that answers questions about files: `python -m commonplace.reading.child`.

Limits itself first. A question is a line of JSON followed by bytes, an answer is a line of JSON.
For possibly hostile files, each question is answered by a fork, which can only harm itself.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO

from commonplace.errors import SourceError, SourceTooLarge, SourceUnreadable
from commonplace.reading.child_process import CRASHED, ProcessLimits

IDLE_SECONDS = 30.0
_GRACE_SECONDS = 2

Function = Callable[[dict[str, Any], bytes], dict[str, Any]]


def main() -> None:
    """Answer questions until the parent closes the pipe or is gone."""
    named, given = sys.argv[1:]
    limits = ProcessLimits(**json.loads(given))
    _limit_memory(limits)
    module, _, name = named.partition(":")
    function: Function = getattr(import_module(module), name)
    questions = sys.stdin.buffer
    if not limits.forked:
        gc.disable()
    while _handle_question(questions):
        line = questions.readline()
        if not line:
            return
        head = json.loads(line)
        data = questions.read(head["bytes"])
        if limits.forked:
            _answer_in_fork(function, head["question"], data, limits)
        else:
            _say(answered(function, head["question"], data))
            # Once an answer, and not while working on it, when hardly anything is garbage.
            gc.collect(0)


def answered(function: Function, question: dict[str, Any], data: bytes) -> dict[str, Any]:
    """The function's answer, or the error that the file caused."""
    try:
        return {"answer": function(question, data)}
    except SourceError as error:
        return {"code": error.code, "error": error.message}
    except (MemoryError, RecursionError):
        problem = "Reading it takes more memory than is allowed."
        return {"code": SourceTooLarge.code, "error": problem}
    except Exception:  # noqa: BLE001 - any exception that a file provokes in a parser
        return {"code": SourceUnreadable.code, "error": "It cannot be read."}


def _answer_in_fork(
    function: Function, question: dict[str, Any], data: bytes, limits: ProcessLimits
) -> None:
    process = os.fork()
    if process:
        if os.waitpid(process, 0)[1]:
            _say({"code": SourceUnreadable.code, "error": CRASHED})
        return
    try:
        _limit_fork(limits)
        _say(answered(function, question, data))
        os._exit(0)
    finally:
        # This copy of the loop must not continue, whatever happens.
        os._exit(1)


def _handle_question(questions: BinaryIO) -> bool:
    return bool(select.select([questions], [], [], IDLE_SECONDS)[0])


def _say(answer: dict[str, Any]) -> None:
    rest = memoryview(json.dumps(answer).encode() + b"\n")
    while rest:
        rest = rest[os.write(1, rest) :]


def _limit_memory(limits: ProcessLimits) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))


def _limit_fork(limits: ProcessLimits) -> None:
    """Limit the fork, also in time in case no parent is left to end it, and forbid writing
    files."""
    import resource

    seconds = int(limits.seconds) + _GRACE_SECONDS
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    main()
