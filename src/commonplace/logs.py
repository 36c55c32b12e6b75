"""Logs on stderr, because stdout belongs to MCP: JSON lines for programs, plain ones for people."""

from __future__ import annotations

import json
import logging
import math
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from typing_extensions import override

_PLAIN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName"}


class _OurLines(logging.Formatter):
    """What a handler of ours is known by."""


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """What was given as `extra`."""
    return {k: v for k, v in record.__dict__.items() if k not in _PLAIN}


class JsonLines(_OurLines):
    """Fields given as `extra` become members of the line."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(_fields(record))
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class PeopleLines(_OurLines):
    """The time, what happened, and its fields behind it; the level where it is a bad one."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created).astimezone()
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        fields = "".join(f"  {name}={value}" for name, value in _fields(record).items())
        said = printable(f"{level}{record.getMessage()}{fields}")
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{moment:%H:%M:%S}  {said}{trace}"


def printable(text: str) -> str:
    """One line that moves no cursor: what callers sent may be in it."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class Sparingly:
    """So many in a second, and how many were left out before the next."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._since, self._said, self._left_out = -math.inf, 0, 0

    def left_out(self) -> int | None:
        """None where this one is to be left out too."""
        with self._lock:
            now = self._clock()
            if now - self._since >= 1:
                self._since, self._said = now, 0
            if self._said >= self._most:
                self._left_out += 1
                return None
            self._said += 1
            left_out, self._left_out = self._left_out, 0
            return left_out


class _OnceASecond(logging.Filter):
    """For what libraries say over and over, such as that there are no descriptors left."""

    def __init__(self) -> None:
        super().__init__()
        self._sparingly = Sparingly(1)

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        left_out = self._sparingly.left_out()
        if left_out:
            record.left_out = left_out
        return left_out is not None


class _Stderr(logging.StreamHandler):  # type: ignore[type-arg]
    """Whatever stderr is at the moment of writing."""

    @property
    @override
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _given: Any) -> None:
        pass


def start_logging(level: str) -> None:
    """Send what Commonplace and its web server say to stderr, and what libraries warn of."""
    lines = PeopleLines() if sys.stderr.isatty() else JsonLines()
    handler = _Stderr()
    handler.setFormatter(lines)
    for name in ("commonplace", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level.upper())
        logger.propagate = False
    root = logging.getLogger()
    others = _Stderr()
    others.setFormatter(lines)
    others.setLevel(logging.WARNING)
    kept = [h for h in root.handlers if not isinstance(h.formatter, _OurLines)]
    root.handlers = [*kept, others]
    logging.getLogger("asyncio").filters = [_OnceASecond()]
