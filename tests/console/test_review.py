"""The review queue in a browser: what waits, with its reasons; decided by keyboard and in bulk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from commonplace.capture.finding import CaptureRequest
from commonplace.model.capture import ReviewStatus
from tests.console.library import ONE_LIBRARY, PERSON, Library, Reader

Read = Callable[..., Reader]
TEXTS = """\
Gotcha: the pump stalled because the valve was closed. Root cause was a stale lock file. \
Fixed by removing the lock at start; verified on two machines.
The bug was that lamps went dark at noon, an error in the time zone. The solution is to \
store UTC everywhere and convert when shown. It works now, finally!
Root cause of the slow ferry: the queue was unbounded and memory ran out. Fixed by a limit \
of 200 and a clear error; lesson learned, never trust a default queue.
Gotcha: exports failed on Mondays because the calendar job held the table. The fix was to \
move the job to Sunday night. Solved after two days of searching.""".splitlines()


@pytest.fixture
def waiting(library: Library) -> list[str]:
    """Four moments, each of a session of its own; none was decided on by an earlier test."""
    return [
        id
        for number, text in enumerate(TEXTS)
        for id in flagged(library, f"agent-{number}", f"{text} ({number})")
    ]


def flagged(library: Library, agent: str, text: str) -> list[str]:
    asked = CaptureRequest(text, 0.5, False, None, 5)
    found = library.application.capture.auto_capture(replace(PERSON, agent=agent), asked)
    return [one.id for one in found.flagged]


def left(library: Library) -> int:
    return library.application.reviewing.reviews(PERSON, ReviewStatus.WAITING, 1)[1]


def test_moments_are_decided_by_keyboard_one_after_the_other(
    library: Library, read: Read, waiting: list[str]
) -> None:
    assert len(waiting) == 4
    reader = read()
    reader.goto("/review")
    reader.sees("4 moments wait")
    article = reader.page.get_by_role("article")
    for told in ("Confidence", "Because it", "agent-3", "calendar job"):
        assert told in article.inner_text(), told
    reader.page.keyboard.press("a")
    reader.sees("Accepted.")
    reader.sees("3 moments wait")
    reader.page.wait_for_load_state("load")
    reader.page.keyboard.press("r")
    reader.sees("Rejected.")
    reader.sees("2 moments wait")
    reader.page.wait_for_load_state("load")
    reader.page.keyboard.press("e")
    reader.fill("Title", "Lamps keep UTC")
    reader.fill("Text", "Store UTC, convert when shown.")
    reader.press("Accept this wording")
    reader.sees("Accepted.")
    found = library.application.reviewing.review(PERSON, waiting[1])
    assert found.status is ReviewStatus.CONFIRMED
    assert found.entry_id
    kept = library.current(found.entry_id).content
    assert (kept.title, kept.body) == ("Lamps keep UTC", "Store UTC, convert when shown.")
    statuses = [library.application.reviewing.review(PERSON, id).status for id in waiting]
    assert statuses[2:] == [ReviewStatus.REJECTED, ReviewStatus.CONFIRMED]
    reader.goto("/review")
    reader.page.locator("[data-all]").check()
    reader.press("Accept")
    reader.sees("Nothing to review")
    assert left(library) == 0


@ONE_LIBRARY
def test_a_long_queue_scrolls_by_itself(library: Library, read: Read) -> None:
    names = ("Kafka", "Redis", "MySQL", "nginx", "mypy", "Docker", "podman", "Consul", "Vault")
    text = "We decided to use {} instead of {} for the hall because {} lost letters in storm {}."
    for number, (new, old) in enumerate(pairwise(names)):
        assert flagged(library, f"queue-{number}", text.format(new, old, old, number))
    reader = read()
    reader.goto("/review")
    reader.sees("8 moments wait")
    script = """() => {
        const queue = document.querySelector(".timeline-list");
        const page = document.documentElement.scrollHeight;
        return [queue.scrollHeight > queue.clientHeight, page - document.body.offsetHeight];
    }"""
    assert reader.page.evaluate(script) == [True, 0]
    reader.page.locator("[data-all]").check()
    reader.press("Reject")
    reader.sees("Nothing to review")


@ONE_LIBRARY
def test_decisions_are_taken_back_by_keyboard_and_in_bulk(library: Library, read: Read) -> None:
    texts = (
        (
            "Gotcha: the bell rang twice because two timers ran. Root cause was a copied cron "
            "line. Fixed by removing one; verified for a week."
        ),
        (
            "The bug was that maps stood on their heads, an error in the projection. The solution "
            "is to flip the axis once, when a map is read. It works now, finally!"
        ),
    )
    ids = [id for n, text in enumerate(texts) for id in flagged(library, f"undo-{n}", text)]
    assert len(ids) == left(library) == 2
    reader = read()
    for key, told, decided in (
        ("a", "Accepted.", ReviewStatus.CONFIRMED),
        ("r", "Rejected.", ReviewStatus.REJECTED),
    ):
        reader.goto(f"/review?id={ids[0]}")
        reader.page.keyboard.press(key)
        reader.sees(told)
        assert library.application.reviewing.review(PERSON, ids[0]).status is decided
        reader.page.wait_for_load_state("load")
        reader.page.keyboard.press("u")
        reader.sees("Back in review.")
        reader.sees("2 moments wait")
    assert "copied cron line" in reader.page.get_by_role("article").inner_text()
    reader.page.locator("[data-all]").check()
    reader.press("Reject")
    reader.sees("Nothing to review")
    reader.page.locator("[data-undo]").click()
    reader.sees("2 entries back in review.")
    assert left(library) == 2


@ONE_LIBRARY
def test_words_that_cannot_be_kept_leave_the_moment_waiting(library: Library, read: Read) -> None:
    text = (
        "Gotcha: the crane stopped because its brake was wet. Root cause was a torn cover. "
        "Fixed by a new cover; verified in the rain."
    )
    [id] = flagged(library, "crane", text)
    reader = read()
    reader.goto(f"/review?id={id}")
    reader.page.keyboard.press("e")
    reader.fill("Title", "x" * 5000)
    reader.press("Accept this wording")
    reader.page.get_by_role("alert").wait_for()
    found = library.application.reviewing.review(PERSON, id)
    assert (found.status, found.entry_id) == (ReviewStatus.WAITING, None)
