"""A child process answers many questions; one that breaks or hangs it loses only its own."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.errors import CallCancelled, SourceTooLarge, SourceUnreadable
from commonplace.model.call import Call
from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
from commonplace.reading.pool import PooledProcesses

LIMITS = ProcessLimits(seconds=5.0)


class _Loop:
    """Refers to itself."""

    itself: _Loop


_LOOPS: list[weakref.ref[_Loop]] = []


def answer(question: dict[str, Any], data: bytes) -> dict[str, Any]:
    """What the process runs."""
    match question["do"]:
        case "crash":
            os.abort()
        case "hang":
            threading.Event().wait(60)
        case "raise":
            raise KeyError("something")
        case "write":
            Path(question["file"]).write_text("anything")
        case "loop":
            loop = _Loop()
            loop.itself = loop
            _LOOPS.append(weakref.ref(loop))
        case "loops":
            return {"left": sum(each() is not None for each in _LOOPS)}
        case "refuse":
            raise SourceTooLarge("Far too large.")
    processes = {"process": os.getpid(), "parent": os.getppid()}
    return {"length": len(data), "text": data.decode(), **processes}


@pytest.fixture(scope="module")
def child() -> Iterator[PipedChildProcess]:
    process = PipedChildProcess(f"{__name__}:answer", LIMITS)
    yield process
    process.close()


def test_one_process_answers_many_questions(child: PipedChildProcess) -> None:
    first = child.ask({"do": "echo"}, b"one\ntwo")
    second = child.ask({"do": "echo"}, b"x" * 3_000_000)

    assert first["text"] == "one\ntwo"
    assert second["length"] == 3_000_000
    assert first["process"] == second["process"] != os.getpid()


def test_what_an_answer_leaves_behind_is_collected(child: PipedChildProcess) -> None:
    child.ask({"do": "loop"}, b"")
    assert child.ask({"do": "loops"}, b"") == {"left": 0}


def test_a_pool_asks_the_process_that_runs_already() -> None:
    processes = [PipedChildProcess(f"{__name__}:answer", LIMITS) for _ in range(2)]
    pool = PooledProcesses(processes)
    try:
        asked = {pool.ask({"do": "echo"}, b"")["process"] for _ in range(3)}
    finally:
        pool.close()
    assert len(asked) == 1


def test_a_crash_costs_one_question(child: PipedChildProcess) -> None:
    with pytest.raises(SourceUnreadable):
        child.ask({"do": "crash"}, b"")
    assert child.ask({"do": "echo"}, b"again")["text"] == "again"


def test_what_it_raises_is_told(child: PipedChildProcess) -> None:
    before = child.ask({"do": "echo"}, b"")["process"]
    with pytest.raises(SourceUnreadable):
        child.ask({"do": "raise"}, b"")
    with pytest.raises(SourceTooLarge, match="Far too large"):
        child.ask({"do": "refuse"}, b"")
    assert child.ask({"do": "echo"}, b"")["process"] == before


def test_a_question_that_takes_too_long_is_given_up() -> None:
    impatient = PipedChildProcess(f"{__name__}:answer", ProcessLimits(seconds=2.0))
    try:
        with pytest.raises(SourceTooLarge):
            impatient.ask({"do": "hang"}, b"")
        assert impatient.ask({"do": "echo"}, b"again")["text"] == "again"
    finally:
        impatient.close()


def test_who_no_longer_wants_an_answer_need_not_wait(child: PipedChildProcess) -> None:
    def cancelled() -> None:
        raise CallCancelled

    with pytest.raises(CallCancelled):
        child.ask({"do": "hang"}, b"", Call(check=cancelled))
    assert child.ask({"do": "echo"}, b"again")["text"] == "again"


def test_alone_a_question_can_hurt_and_write_nothing(tmp_path: Path) -> None:
    alone = PipedChildProcess(f"{__name__}:answer", ProcessLimits(seconds=5.0, forked=True))
    try:
        first = alone.ask({"do": "echo"}, b"one")
        for harm in ("crash", "raise", "write"):
            with pytest.raises(SourceUnreadable):
                alone.ask({"do": harm, "file": str(tmp_path / "file")}, b"")
        second = alone.ask({"do": "echo"}, b"two")
    finally:
        alone.close()
    assert first["process"] != second["process"]
    assert first["parent"] == second["parent"]
    assert not (tmp_path / "file").read_bytes()


def test_an_answer_has_a_limit() -> None:
    terse = PipedChildProcess(f"{__name__}:answer", ProcessLimits(seconds=5.0, answer_bytes=1000))
    try:
        with pytest.raises(SourceTooLarge):
            terse.ask({"do": "echo"}, b"x" * 100_000)
        assert terse.ask({"do": "echo"}, b"again")["text"] == "again"
    finally:
        terse.close()
