"""The process that reads files for a server: `python -m commonplace.reading.child`.

It has the parsers loaded, and forks for each file a process that takes its limits upon itself
before it looks at the file, so that a hostile one can only end that.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any

from commonplace.errors import SourceError, SourceTooLarge
from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.reading.extraction import Limits, extract
from commonplace.reading.port import Original

IDLE_SECONDS = 30.0
DONE = b"\n"
_PARSERS = tuple(f"commonplace.reading.{name}" for name in ("docx", "html", "markdown", "pdf"))
_MOST_WRITTEN = 8
_GRACE_SECONDS = 2


def main() -> None:
    """A line with the path of a task in, a line out when it is done; ends when nobody asks."""
    for parser in _PARSERS:
        import_module(parser)
    while select.select([sys.stdin], [], [], IDLE_SECONDS)[0]:
        task_file = sys.stdin.readline().strip()
        if not task_file:
            return
        _read_apart(task_file)
        os.write(1, DONE)


def _read_apart(task_file: str) -> None:
    process = os.fork()
    if process:
        os.waitpid(process, 0)
        return
    try:
        read_task(task_file)
    finally:
        # Whatever happened: this copy of the loop must not go on.
        os._exit(0)


def read_task(task_file: str) -> None:
    task = json.loads(Path(task_file).read_text("utf-8"))
    limits = Limits(**task["limits"])
    _limit(limits)
    original = Original(Path(task["data"]).read_bytes(), task["name"], task["media_type"])
    try:
        answer: dict[str, Any] = {"extract": asdict(extract(original, limits))}
    except SourceError as error:
        answer = {"error": error.message, "code": error.code}
    except (MemoryError, RecursionError):
        problem = SourceTooLarge("Reading it takes more memory than is allowed.")
        answer = {"error": problem.message, "code": problem.code}
    Path(task["answer"]).write_text(json.dumps(answer), "utf-8")


def extract_of(answer: dict[str, Any]) -> Extract:
    """What `read_task` wrote, read back."""
    blocks = tuple(Block(**{**b, "kind": BlockKind(b["kind"])}) for b in answer["blocks"])
    return Extract(answer["text"], blocks, tuple(answer["pages"]), answer["title"])


def _limit(limits: Limits) -> None:
    import resource

    seconds = int(limits.seconds) + _GRACE_SECONDS
    # Also when the server is no longer there to end it.
    signal.alarm(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    written = _MOST_WRITTEN * limits.chars + (1 << 20)
    resource.setrlimit(resource.RLIMIT_FSIZE, (written, written))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory_bytes, limits.memory_bytes))


if __name__ == "__main__":
    main()
