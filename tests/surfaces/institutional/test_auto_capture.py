"""auto_capture: its arguments, its report, and what it saves, flags or leaves alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mcp_types import TextContent

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.reports import (
    CLEARED,
    SAID,
    SURE,
    Report,
    auto_capture,
    newcomers,
    saved,
)
from tests.surfaces.institutional.steps import (
    AUTO_CAPTURE,
    CONFIDENCE,
    data,
    error,
    get,
    listed,
    page,
    refuse,
)

BILLING = (
    "Finally got it working for billing after hours of debugging, see file src/cache/store.ts now."
)
PLAIN = "The harbour lies east of town, and the ships lie to the west of it."
# Seven moments of a long text, each a paragraph of its own.
MANY = """\
The login page was broken and I was stuck for days. Finally got it working: the solution was to
renew the signing key, and logins are good again.

Nightly imports failed and nobody had an idea why, a nightmare. It works now: the fix was to
read dates as UTC, after hours of debugging time zones.

Search was slow and a pain to use. We fixed it with an index on the title column; queries are
40x faster and the problem is solved.

The upload test was flaky and frustrating. Finally fixed: the root cause was a temporary folder
that two workers shared, so each has a good one of its own.

Mails went missing, which was bad and confusing. The solution is to wait for the broker's
receipt before the row is deleted; it works like a charm.

The memory of the worker grew until it crashed, an awful mess. Got it working by closing each
cursor after a page, and the graph is perfect now.

Deploys were blocked by a wrong lock file for ages. Figured it out: the mirror served an old
index, and to fix it we clear the proxy first. All good."""
MOMENTS = MANY.split("\n\n")


def refuse_all(caller: Caller, argument: str, *values: Any) -> None:
    for value in values:
        refuse(caller, AUTO_CAPTURE, argument, **{"text": CLEARED, argument: value})


@pytest.mark.requirement("institutional.auto-capture.text-min")
def test_a_text_has_at_least_fifty_characters(premises: Premises, alice: Caller) -> None:
    refuse(alice, AUTO_CAPTURE, "text")
    refuse_all(alice, "text", "", "x" * 49, "漢" * 49, None, 7, [CLEARED], "a\0" * 50)
    refuse_all(alice, "text", " " * 50, "\n \t" * 50)
    assert "50" in error(alice, AUTO_CAPTURE, text="x" * 49)
    for text in ("x" * 50, "漢" * 50):
        assert auto_capture(alice, text).counts == (1, 0, 0)
    assert premises.count() == 0


@pytest.mark.requirement("institutional.auto-capture.threshold-bounds")
def test_a_threshold_is_a_share(premises: Premises, alice: Caller) -> None:
    refuse_all(alice, "threshold", -0.1, 1.1, "0.5", True, [0.5])
    assert premises.count() == 0
    assert auto_capture(alice, PLAIN, threshold=1, auto_save=True).counts == (1, 0, 0)
    assert auto_capture(alice, PLAIN, threshold=0, auto_save=True).counts == (1, 1, 0)


@pytest.mark.requirement("institutional.auto-capture.threshold-default")
def test_the_threshold_is_090_by_default(alice: Caller) -> None:
    assert auto_capture(alice, CLEARED, auto_save=True).counts == (1, 0, 1)
    assert listed(alice) == []
    assert auto_capture(alice, SURE, auto_save=True).counts == (1, 1, 0)


@pytest.mark.requirement("institutional.auto-capture.auto-save-default")
def test_nothing_is_saved_unless_asked_for(premises: Premises, alice: Caller) -> None:
    given: list[dict[str, Any]] = [{}, {"auto_save": False}, {"threshold": 0}]
    for caller, arguments in zip(newcomers(premises), given, strict=False):
        assert auto_capture(caller, SURE, **arguments).counts == (1, 0, 1)
        assert listed(caller) == []
    refuse_all(alice, "auto_save", "true", "yes", 1)


@pytest.mark.requirement("institutional.auto-capture.notify-default")
def test_notifications_are_shown_unless_switched_off(alice: Caller) -> None:
    assert "Notifications" in auto_capture(alice, CLEARED).headings
    assert "Notifications" in auto_capture(alice, CLEARED, notify=True).headings
    assert "Notifications" not in auto_capture(alice, CLEARED, notify=False).headings
    refuse_all(alice, "notify", "false", 0)


@pytest.mark.requirement("institutional.auto-capture.preset-values")
def test_there_are_three_presets(alice: Caller) -> None:
    refuse_all(alice, "preset", "", "Moderate", "bold", 7, ["moderate"])
    for preset in ("conservative", "moderate", "aggressive"):
        auto_capture(alice, CLEARED, preset=preset)


@pytest.mark.requirement(
    "institutional.expect.preset-sets-threshold", "institutional.auto-capture.preset-values"
)
def test_a_preset_is_a_threshold_unless_one_is_given(premises: Premises) -> None:
    flagged, saved_at_once = (1, 0, 1), (1, 1, 0)
    expected: list[tuple[dict[str, Any], tuple[int, int, int]]] = [
        ({"preset": "conservative"}, flagged),
        ({"preset": "moderate"}, saved_at_once),
        ({"preset": "aggressive"}, saved_at_once),
        ({"preset": "aggressive", "threshold": 1}, flagged),
        ({"preset": "aggressive", "threshold": 0.9}, flagged),
        ({"preset": "conservative", "threshold": 0.7}, saved_at_once),
    ]
    for caller, (given, counts) in zip(newcomers(premises), expected, strict=False):
        assert auto_capture(caller, CLEARED, auto_save=True, **given).counts == counts, given


@pytest.mark.requirement(
    "institutional.auto-capture.max-captures-bounds",
    "institutional.auto-capture.max-captures-holds",
)
def test_one_call_saves_no_more_than_it_may(premises: Premises) -> None:
    refuse_all(premises.caller(), "max_captures", 0, 11, -1, 2.5, "5", True, [5])
    allowed = {1: 1, 2: 2, 10: len(MOMENTS), None: 5}
    for caller, (most, count) in zip(newcomers(premises), allowed.items(), strict=False):
        given = {} if most is None else {"max_captures": most}
        report = auto_capture(caller, MANY, threshold=0.6, auto_save=True, **given)
        assert report.counts == (len(MOMENTS), count, len(MOMENTS) - count)
        assert page(caller, limit=100)["total"] == count


@pytest.mark.requirement(
    "institutional.auto-capture.output", "institutional.auto-capture.section-results"
)
def test_the_answer_is_one_text_in_markdown(alice: Caller) -> None:
    result = alice.ask(AUTO_CAPTURE, text=CLEARED)
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.structured_content is None
    assert content.text.startswith("# ")
    assert Report(content.text).headings[0] == "Auto-Capture Results"


@pytest.mark.requirement(
    "institutional.auto-capture.section-results",
    "institutional.auto-capture.section-captured",
    "institutional.auto-capture.section-flagged",
    "institutional.auto-capture.section-statistics",
    "institutional.auto-capture.section-next-steps",
    "institutional.auto-capture.section-order",
)
def test_the_sections_and_their_order(alice: Caller) -> None:
    report = auto_capture(alice, MANY, threshold=0.6, auto_save=True, max_captures=1)
    assert report.headings == [
        "Auto-Capture Results",
        "Captured",
        "Flagged for Review",
        "Summary",
        "Notifications",
        "Next Steps",
    ]
    assert "Auto-save" in report.section("Auto-Capture Results")
    assert [get(alice, id)["id"] for id in report.captured] == listed(alice)
    assert len(report.flagged) == len(MOMENTS) - 1
    review = auto_capture(alice, BILLING, threshold=0.7)
    assert "Review mode" in review.section("Auto-Capture Results")
    assert review.counts == (1, 0, 1)
    assert review.section("Next Steps").strip()
    assert review.text.rstrip().endswith(review.section("Next Steps").strip())


@pytest.mark.requirement("institutional.auto-capture.results-header")
def test_the_header_says_what_the_text_is_about(alice: Caller) -> None:
    figures = auto_capture(alice, BILLING).figures("Auto-Capture Results")
    assert figures == {
        "Text length": f"{len(BILLING)} characters",
        "Suggested type": get(alice, saved(alice, BILLING))["type"],
        "Project": "billing",
        "File context": "src/cache/store.ts",
    }


@pytest.mark.requirement("institutional.auto-capture.flagged-details")
def test_a_flagged_moment_says_how_sure_and_why(alice: Caller) -> None:
    shown = auto_capture(alice, SURE, threshold=0.7).section("Flagged for Review")
    assert SURE[:100] in shown
    assert SURE[:110] not in shown
    near = auto_capture(alice, CLEARED, threshold=0.9, preset="moderate", auto_save=True)
    shown = near.section("Flagged for Review")
    (percent,) = re.findall(r"([\d.]+)%", shown)
    likely = data(alice, CONFIDENCE, text=CLEARED)["probability"]
    assert float(percent) == pytest.approx(100 * likely, abs=0.1)
    assert "(high)" in shown
    assert CLEARED in shown
    assert "close to the threshold" in shown


@pytest.mark.requirement("institutional.auto-capture.one-candidate")
def test_a_short_text_is_one_moment(alice: Caller) -> None:
    for text in (CLEARED, SURE, PLAIN, BILLING, f"{CLEARED}\n\n{PLAIN}"):
        assert auto_capture(alice, text).counts[0] == 1


@pytest.mark.requirement(
    "institutional.auto-capture.one-candidate", "institutional.auto-capture.max-captures-holds"
)
def test_a_long_text_may_hold_several_moments(alice: Caller) -> None:
    ids = auto_capture(alice, MANY, threshold=0.6, auto_save=True, max_captures=10).captured
    contents = [get(alice, id)["content"] for id in ids]
    assert contents == [*MOMENTS[:-1], MOMENTS[-1].removesuffix(" All good.")]


@pytest.mark.requirement("institutional.auto-capture.captured")
def test_what_reaches_the_threshold_is_saved(alice: Caller) -> None:
    report = auto_capture(alice, CLEARED, threshold=0.7, auto_save=True)
    assert report.counts == (1, 1, 0)
    (id,) = report.captured
    assert get(alice, id)["content"] == CLEARED
    assert listed(alice) == [id]


@pytest.mark.requirement(
    "institutional.auto-capture.flagged-without-save", "institutional.auto-capture.flagged-near"
)
def test_what_is_flagged_is_not_saved(premises: Premises) -> None:
    given: list[dict[str, Any]] = [
        {"threshold": 0.7},
        {"threshold": 0.9, "auto_save": True},
        {"threshold": 0.94},
    ]
    for caller, arguments in zip(newcomers(premises), given, strict=False):
        assert auto_capture(caller, CLEARED, **arguments).counts == (1, 0, 1)
        assert listed(caller) == []


@pytest.mark.requirement("institutional.auto-capture.below")
def test_what_is_far_below_is_left_alone(premises: Premises, alice: Caller) -> None:
    for given in ({"threshold": 1}, {"threshold": 1, "auto_save": True}, {"threshold": 0.5}):
        assert auto_capture(alice, PLAIN, **given).counts == (1, 0, 0)
    assert premises.count() == 0


@pytest.mark.requirement(
    "institutional.auto-capture.saved-tag",
    "institutional.auto-capture.saved-content",
    "institutional.auto-capture.saved-type",
)
def test_what_is_saved_of_a_moment(alice: Caller) -> None:
    item = get(alice, saved(alice, CLEARED))
    assert (item["tags"], item["solution_verified"]) == (["auto-captured"], False)
    assert (item["content"], item["summary"]) == (CLEARED, SAID)
    assert (item["type"], item["project"], item["file_context"]) == ("win", "default", "unknown")


@pytest.mark.requirement("institutional.auto-capture.saved-summary-cut")
def test_a_long_first_sentence_is_cut(alice: Caller) -> None:
    longest = "x" * 99 + " " + "y" * 100
    assert get(alice, saved(alice, longest))["summary"] == longest
    item = get(alice, saved(alice, f"{longest}z and more."))
    assert item["summary"] == f"{longest}…"
    assert item["content"] == f"{longest}z and more."


@pytest.mark.requirement(
    "institutional.auto-capture.saved-content", "institutional.auto-capture.flagged-without-save"
)
def test_a_text_of_signs_alone_has_a_summary_too(premises: Premises) -> None:
    signs = (
        "!" * 50,
        "* * *\n" * 10,
        "`" * 50,
        "> " * 30 + ">",
        "🦊" * 50,
        "```\nx = 1\n```\n" * 5,
    )
    for caller, text in zip(newcomers(premises), signs, strict=False):
        item = get(caller, saved(caller, text))
        assert item["summary"].strip()
        assert item["content"] == text


@pytest.mark.requirement(
    "institutional.auto-capture.saved-project", "institutional.auto-capture.saved-file-context"
)
def test_project_and_file_are_read_from_the_text(alice: Caller) -> None:
    expected = {
        BILLING: ("billing", "src/cache/store.ts"),
        "The retry loop in atlas spins when the queue at lib/queue.py is empty.": (
            "atlas",
            "lib/queue.py",
        ),
        "A note on project zephyr: the lock file in web/app.lock goes stale.": (
            "zephyr",
            "web/app.lock",
        ),
        "Nothing here says where the harbour or the ships might be found.": ("default", "unknown"),
    }
    for text, (project, file_context) in expected.items():
        item = get(alice, saved(alice, text))
        assert (item["project"], item["file_context"]) == (project, file_context), text


@pytest.mark.requirement("institutional.auto-capture.same-score")
def test_the_score_is_the_probability_of_evaluate_confidence(
    premises: Premises, alice: Caller
) -> None:
    """Captured at exactly the score, flagged just above it."""
    assert data(alice, CONFIDENCE, text=CLEARED)["score"] == 0.7595
    callers = newcomers(premises)
    for text in (CLEARED, SURE, BILLING):
        score = data(alice, CONFIDENCE, text=text)["probability"]
        for threshold, counts in ((score, (1, 1, 0)), (score + 0.0001, (1, 0, 1))):
            report = auto_capture(next(callers), text, threshold=threshold, auto_save=True)
            assert report.counts == counts


@pytest.mark.requirement(
    "institutional.auto-capture.example", "institutional.auto-capture.example-flagged"
)
def test_the_documented_call(premises: Premises, alice: Caller) -> None:
    assert len(CLEARED) == 68
    report = auto_capture(alice, CLEARED, threshold=0.8, auto_save=True, preset="moderate")
    headings = {"Auto-Capture Results", "Summary", "Notifications", "Next Steps"}
    assert headings <= set(report.headings)
    assert report.counts == (1, 1, 0)
    assert premises.count() == 1
