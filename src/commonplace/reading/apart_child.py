"""The process that answers questions about files: `python -m commonplace.reading.apart_child`.

Takes its limits upon itself first. A question is a line of JSON with bytes behind it; the answer is
a line of JSON.
"""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO

from commonplace.errors import SourceError, SourceTooLarge, SourceUnreadable

IDLE_SECONDS = 30.0

Function = Callable[[dict[str, Any], bytes], dict[str, Any]]


def main() -> None:
    """Ends when nobody asks any more, or when who asked has gone."""
    named, memory_bytes = sys.argv[1:]
    _limit(int(memory_bytes))
    module, _, name = named.partition(":")
    function: Function = getattr(import_module(module), name)
    questions = sys.stdin.buffer
    while _asked(questions):
        line = questions.readline()
        if not line:
            return
        head = json.loads(line)
        data = questions.read(head["bytes"])
        _say(answered(function, head["question"], data))


def answered(function: Function, question: dict[str, Any], data: bytes) -> dict[str, Any]:
    """What a file does wrong is an answer, too."""
    try:
        return {"answer": function(question, data)}
    except SourceError as error:
        return {"code": error.code, "error": error.message}
    except (MemoryError, RecursionError):
        return {"code": SourceTooLarge.code, "error": "Reading it takes too much memory."}
    except Exception:  # noqa: BLE001 - whatever a file makes a parser raise, the next one is read
        return {"code": SourceUnreadable.code, "error": "It cannot be read."}


def _asked(questions: BinaryIO) -> bool:
    return bool(select.select([questions], [], [], IDLE_SECONDS)[0])


def _say(answer: dict[str, Any]) -> None:
    rest = memoryview(json.dumps(answer).encode() + b"\n")
    while rest:
        rest = rest[os.write(1, rest) :]


def _limit(memory_bytes: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


if __name__ == "__main__":
    main()
