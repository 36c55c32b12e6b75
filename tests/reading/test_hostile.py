"""Hostile files: each ends as a clear error, within its limits, and nothing else is hurt."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.errors import CallCancelled, SourceError, SourceTooLarge, SourceUnreadable
from commonplace.model.call import Call
from commonplace.reading.extraction import ReadingLimits
from commonplace.reading.port import Original
from commonplace.reading.sandbox import SandboxedReader
from tests.reading import hostile
from tests.reading.hostile import Make

FILES = hostile.every()
TEXT = Original(b"text", "a.txt")
Replace = Callable[..., SandboxedReader]


@pytest.fixture(scope="module")
def reader() -> Iterator[SandboxedReader]:
    """One for all of them: what a file breaks must not hurt the next."""
    reader = SandboxedReader(ReadingLimits(seconds=20, memory_bytes=700_000_000))
    yield reader
    assert reader.read(Original(b"still there", "a.txt")).text == "still there"
    reader.close()


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> Iterator[Replace]:
    """A reader with a shell script in place of the program that reads."""

    made: list[SandboxedReader] = []

    def replace(script: str, seconds: float = 20) -> SandboxedReader:
        monkeypatch.setattr("commonplace.reading.child_process._COMMAND", ("/bin/sh", "-c", script))
        made.append(SandboxedReader(ReadingLimits(seconds=seconds)))
        return made[-1]

    yield replace
    for reader in made:
        reader.close()


def test_there_are_fifty() -> None:
    assert len(FILES) >= 50
    assert len({what for what, _, _ in FILES}) == len(FILES)


@pytest.mark.parametrize(("name", "make"), [f[1:] for f in FILES], ids=[f[0] for f in FILES])
def test_a_hostile_file_ends_in_a_clear_error(
    reader: SandboxedReader, name: str, make: Make
) -> None:
    with pytest.raises(SourceError) as refused:
        reader.read(Original(make(), name))
    message = refused.value.message
    assert 10 < len(message) < 120
    assert message.endswith(".")
    assert not any(word in message for word in ("Traceback", "/", "Error", "line "))


def test_reading_that_takes_too_long_is_ended(replaced: Replace) -> None:
    with pytest.raises(SourceTooLarge, match=r"longer than 0\.3 seconds"):
        replaced("sleep 300", 0.3).read(TEXT)


def test_reading_that_nobody_waits_for_is_ended(replaced: Replace) -> None:
    def stop() -> None:
        raise CallCancelled

    with pytest.raises(CallCancelled):
        replaced("sleep 300").read(TEXT, Call(check=stop))


@pytest.mark.parametrize("script", ["kill -SEGV $$", "read task; kill -KILL $$", "read task; echo"])
def test_a_reader_that_breaks_off_is_told(replaced: Replace, script: str) -> None:
    with pytest.raises(SourceUnreadable, match="crashed"):
        replaced(script).read(TEXT)


def test_a_reader_that_went_is_started_again() -> None:
    reader = SandboxedReader(ReadingLimits())
    assert reader.read(TEXT).text == "text"
    process = reader._process._process
    assert process is not None
    assert reader.read(TEXT).text == "text"
    assert reader._process._process is process, "one process reads many files"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert reader.read(TEXT).text == "text"
    reader.close()
    reader.close()


def test_the_reader_is_told_no_secrets(
    replaced: Replace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMMONPLACE_DATABASE_URL", "postgresql://secret")
    seen = tmp_path / "seen"
    with pytest.raises(SourceUnreadable):
        replaced(f"env > {seen}; read task; echo").read(TEXT)
    assert "PYTHONPATH" in seen.read_text()
    assert "secret" not in seen.read_text()
