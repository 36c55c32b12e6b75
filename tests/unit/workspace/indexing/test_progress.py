"""What is told rises over all phases, and never says the same twice."""

from __future__ import annotations

from commonplace.model.call import Call
from commonplace.workspace.indexing.progress import Phases


def test_phases_go_on_from_each_other() -> None:
    told: list[tuple[int, int]] = []
    phases = Phases(Call(progress=lambda done, total, _message: told.append((done, total))))

    first = phases.next()
    for done in (0, 1, 1, 3):
        first.progress(done, 3, "files")
    second = phases.next()
    for done in (0, 2):
        second.progress(done, 2, "chunks")

    assert told == [(1, 3), (3, 3), (5, 5)]


def test_of_many_files_some_steps_are_told_and_the_last() -> None:
    told: list[int] = []
    files = Phases(Call(progress=lambda done, _total, _message: told.append(done))).next()
    for done in range(20_001):
        files.progress(done, 20_000, "files")

    assert len(told) < 400
    assert told == sorted(set(told))
    assert told[-1] == 20_000


def test_the_end_is_told_once() -> None:
    told: list[tuple[int, int, str]] = []
    phases = Phases(Call(progress=lambda *given: told.append(given)))
    phases.end("nothing was to be done")
    linking = phases.next()
    for done in (0, 40):
        linking.progress(done, 60, "linking")
    phases.end("done")
    phases.end("done")

    assert told == [(40, 60, "linking"), (60, 60, "done")]
