"""Logging to stderr (stdout belongs to MCP): JSON lines for programs, plain lines for people."""

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
    """Base class of our formatters, by which our handlers are recognised."""


def _fields(record: logging.LogRecord) -> dict[str, object]:
    """The fields that were passed as `extra`."""
    return {k: v for k, v in record.__dict__.items() if k not in _PLAIN}


class JsonLines(_OurLines):
    """Formats a record as one JSON object; fields passed as `extra` become its members."""

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
    """Formats a record for people: time, level if it is a warning or worse, message, fields."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created).astimezone()
        level = f"{record.levelname.lower()}: " if record.levelno >= logging.WARNING else ""
        fields = "".join(f"  {name}={value}" for name, value in _fields(record).items())
        said = printable(f"{level}{record.getMessage()}{fields}")
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{moment:%H:%M:%S}  {said}{trace}"


def printable(text: str) -> str:
    """The text on one line, with control characters escaped: it may contain what callers sent."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


class LogThrottle:
    """A rate limit for log lines: so many per second, with a count of those it suppressed."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._since, self._said, self._left_out = -math.inf, 0, 0

    def admit(self) -> int | None:
        """How many lines were suppressed before this one; None if this one must be suppressed
        too."""
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
    """Limits messages that libraries repeat rapidly, such as "out of file descriptors"."""

    def __init__(self) -> None:
        super().__init__()
        self._throttle = LogThrottle(1)

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        left_out = self._throttle.admit()
        if left_out:
            record.left_out = left_out
        return left_out is not None


class _Stderr(logging.StreamHandler):  # type: ignore[type-arg]
    """A handler that looks up `sys.stderr` for each line, so that replacing it takes effect."""

    @property
    @override
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _given: Any) -> None:
        pass


def start_logging(level: str) -> None:
    """Log to stderr: our own and the web server's lines at this level, libraries' warnings."""
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
