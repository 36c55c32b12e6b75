"""Logs: one JSON object a line, on stderr, never on stdout; at a terminal, lines for people."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import pytest

from commonplace.logs import start_logging

LOGGER = logging.getLogger("commonplace.test")


@pytest.fixture(autouse=True)
def untouched_logging() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in ("commonplace", "uvicorn")]
    before = [(logger.handlers, logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, state in zip(loggers, before, strict=True):
        logger.handlers, logger.level, logger.propagate = state


def test_lines_are_json_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("info")
    LOGGER.info("stored %s\nin two lines", "Grüße", extra={"chunk": 7, "at_hand": object})
    LOGGER.debug("not wanted")
    logging.getLogger("uvicorn.error").warning("from the web server")
    printed = capsys.readouterr()
    assert printed.out == ""
    first, second = (json.loads(line) for line in printed.err.splitlines())
    assert first["message"] == "stored Grüße\nin two lines"
    assert (first["level"], first["logger"], first["chunk"]) == ("info", "commonplace.test", 7)
    assert first["at"].endswith("+00:00")
    assert second["logger"] == "uvicorn.error"


def test_an_exception_is_part_of_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("error")
    try:
        int("broken")
    except ValueError:
        LOGGER.exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: invalid literal" in json.loads(line)["exception"]


def test_starting_twice_does_not_double_the_lines(capsys: pytest.CaptureFixture[str]) -> None:
    start_logging("info")
    start_logging("info")
    LOGGER.info("once")
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_people_at_a_terminal_get_plain_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    start_logging("info")
    start_logging("info")
    LOGGER.info("serving", extra={"url": "http://127.0.0.1:8765/"})
    LOGGER.warning("odd %s", "a\n\x1b[2Jb")
    plain, odd = capsys.readouterr().err.splitlines()
    assert plain[8:] == "  serving  url=http://127.0.0.1:8765/"
    assert odd[8:] == "  warning: odd a\\n\\x1b[2Jb"
    try:
        int("broken")
    except ValueError:
        LOGGER.exception("failed")
    assert "ValueError: invalid literal" in capsys.readouterr().err
