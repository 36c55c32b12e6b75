"""What auto_capture keeps out: secrets, what the server said itself, and what is known already."""

from __future__ import annotations

import random

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.contents import stored_text
from tests.surfaces.institutional.reports import (
    CLEARED,
    SURE,
    auto_capture,
    flagged,
    newcomers,
    saved,
)
from tests.surfaces.institutional.steps import (
    CONFIDENCE,
    DETECT,
    PROVIDE,
    SEARCH,
    SENTIMENT,
    TIERED,
    captured_id,
    delete,
    get,
    listed,
    update,
)
from tests.surfaces.nearness import embedded_at
from tests.unit.capture.made_secrets import Case, cases

KNOWN = "Already Known, Not Captured"
REMOVED = "Secrets Removed"
STORY = (
    "The nightly import was broken for days and nobody had an idea why. Finally got it working "
    "after hours of debugging: the loader read dates in local time, so the fix was to parse them "
    "as UTC. It works now and the report is good."
)


def some_secrets() -> list[Case]:
    """A dozen of all kinds; short enough to stand in one moment."""
    short = [case for case in cases(7) if len(case.text) < 150]
    return random.Random(7).sample(short, 12)


@pytest.mark.requirement(
    "institutional.auto-capture.saved-content", "institutional.auto-capture.flagged-details"
)
def test_no_secret_reaches_the_store_or_the_report(premises: Premises) -> None:
    callers, known = newcomers(premises), some_secrets()
    for case in known:
        text = f"{CLEARED} {case.text}"
        for auto_save in (True, False):
            report = auto_capture(next(callers), text, threshold=0, auto_save=auto_save)
            assert sum(report.counts[1:]) == 1, case.kind
            assert REMOVED in report.headings, case.kind
            assert case.secret not in report.text
    held = stored_text(premises.settings)
    assert CLEARED in held, "the store was read"
    assert [case.kind for case in known if case.secret in held] == []


@pytest.mark.requirement("institutional.auto-capture.saved-content")
def test_the_words_around_a_secret_stay(alice: Caller) -> None:
    (case,) = [case for case in cases(7) if case.kind == "aws access key"]
    item = get(alice, saved(alice, f"{CLEARED} {case.text}"))
    assert item["content"].startswith(CLEARED)
    assert case.kept in item["content"]
    assert "[secret removed: " in item["content"]


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm", "institutional.auto-capture.flagged-near"
)
def test_a_secret_is_gone_before_a_moment_waits(premises: Premises, alice: Caller) -> None:
    (case,) = [case for case in cases(11) if case.kind == "google api"]
    id = flagged(alice, f"{SURE} {case.text}", threshold=0.5)
    alice.text(PROVIDE, item_id=id, action="confirm")
    assert case.kept in get(alice, listed(alice)[0])["content"]
    assert case.secret not in stored_text(premises.settings)


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_what_the_server_returned_is_not_captured(alice: Caller, eve: Caller) -> None:
    """Though the item is gone: an agent that read it may still repeat it."""
    id = captured_id(alice, content=STORY)
    get(alice, id)
    delete(alice, id)
    for text in (STORY, f"As noted before: {STORY}", STORY.replace(" ", "\n")):
        report = auto_capture(alice, text, threshold=0.3, auto_save=True)
        assert report.counts == (1, 0, 0)
        assert "returned by this server" in report.section(KNOWN)
    assert listed(alice) == []
    assert auto_capture(eve, STORY, threshold=0.3, auto_save=True).counts == (1, 1, 0)


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_a_text_put_together_from_answers_is_an_echo(alice: Caller) -> None:
    ids = [captured_id(alice, content=text, summary=text[:20]) for text in (SURE, STORY)]
    for id in ids:
        get(alice, id)
        delete(alice, id)
    report = auto_capture(alice, f"{SURE} {STORY}", threshold=0, auto_save=True)
    assert report.counts == (1, 0, 0)
    assert KNOWN in report.headings


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_what_the_caller_said_before_is_news(premises: Premises) -> None:
    """Answers repeat texts and queries; these are not the server's own words."""
    said = {SENTIMENT: "text", DETECT: "text", CONFIDENCE: "text", SEARCH: "query", TIERED: "query"}
    for caller, (tool, argument) in zip(newcomers(premises), said.items(), strict=False):
        caller.call(tool, **{argument: STORY})
        assert auto_capture(caller, STORY, threshold=0.3, auto_save=True).counts == (1, 1, 0), tool


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_common_words_do_not_make_an_echo(alice: Caller) -> None:
    """Eight of its twelve words were returned in a row, and say nothing."""
    get(alice, captured_id(alice, content="Finally got it working: the solution was to renew it."))
    assert auto_capture(alice, CLEARED, threshold=0.7, auto_save=True).counts == (1, 1, 0)


@pytest.mark.requirement(
    "institutional.auto-capture.captured", "institutional.auto-capture.flagged-without-save"
)
def test_what_is_stored_already_is_not_captured_again(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    """After a restart, when nobody remembers what was returned."""
    known = captured_id(premises.caller(), content=STORY)
    premises.close()
    alice = open_premises(**embedded_at(endpoint)).caller()
    alike = [
        STORY,
        STORY.upper(),
        STORY.replace("nightly import", "nightly imports"),
    ]
    for text in alike:
        for auto_save in (True, False):
            report = auto_capture(alice, text, threshold=0.3, auto_save=auto_save)
            assert report.counts == (1, 0, 0), text
            assert known in report.section(KNOWN)
    assert listed(alice) == [known]


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_a_correction_is_no_duplicate(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    rule = f"{STORY} Keep 30 days of loads."
    captured_id(premises.caller(), content=rule)
    premises.close()
    alice = open_premises(**embedded_at(endpoint)).caller()
    for text in (rule.replace("30", "90"), rule.replace("Keep", "Never keep")):
        assert auto_capture(alice, text, threshold=0.3, auto_save=True).counts == (1, 1, 0), text


@pytest.mark.requirement(
    "institutional.auto-capture.max-captures-holds", "institutional.auto-capture.captured"
)
def test_one_text_that_repeats_itself_is_captured_once(alice: Caller) -> None:
    report = auto_capture(alice, f"{STORY}\n\n{SURE}\n\n{STORY}", threshold=0.5, auto_save=True)
    assert len(report.captured) == 2
    assert sorted(get(alice, id)["content"] for id in listed(alice)) == sorted([SURE, STORY])


@pytest.mark.requirement(
    "institutional.auto-capture.captured", "institutional.provide-feedback.modify"
)
def test_a_captured_text_is_captured_once_even_after_an_edit(alice: Caller) -> None:
    id = saved(alice, STORY)
    update(alice, id, summary="Imports read dates as UTC")
    assert auto_capture(alice, STORY, threshold=0.3, auto_save=True).captured == []
    assert listed(alice) == [id]
