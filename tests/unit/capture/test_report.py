"""Reports: the documented parts in the documented order, and no text that can break them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.capture.report import (
    Action,
    Captured,
    CapturedBefore,
    CaptureReport,
    FeedbackOutcome,
    Flagged,
    Reason,
    Skipped,
    capture_report,
    escaped,
    feedback_report,
    quoted,
)
from commonplace.capture.secrets import Secret

TEXT = "Finally got it working! The solution was to clear the cache first..."
NOTHING = CaptureReport(
    text_length=68,
    suggested_type="win",
    project="billing",
    file_context="src/session_store.ts",
    threshold=0.9,
    auto_save=False,
    processed=1,
)
FLAGGED = Flagged("rv-1", "win", TEXT, 0.7595, "medium", Reason.NEAR)
EVERYTHING = replace(
    NOTHING,
    auto_save=True,
    processed=5,
    captured=(Captured("ki-1-abc", "win", "Finally got it working!", 0.93),),
    flagged=(FLAGGED, replace(FLAGGED, id="rv-2", reason=Reason.TOO_MANY)),
    skipped=(
        Skipped(TEXT, CapturedBefore.ECHO),
        Skipped(TEXT, CapturedBefore.DUPLICATE, "ki-7-xyz"),
    ),
    secrets=(Secret("github-token", "GitHub token", 2), Secret("password", "password", 1)),
)


def headings(report: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", report, re.MULTILINE)


def test_all_sections_come_in_order() -> None:
    assert headings(capture_report(EVERYTHING, notify=True)) == [
        "Auto-Capture Results",
        "Captured (1)",
        "Flagged for Review (2)",
        "Secrets Removed (3)",
        "Already Known, Not Captured (2)",
        "Summary",
        "Notifications",
        "Next Steps",
    ]


def test_what_there_is_none_of_is_left_out_beyond_the_contract() -> None:
    assert headings(capture_report(NOTHING, notify=False)) == [
        "Auto-Capture Results",
        "Flagged for Review (0)",
        "Summary",
        "Next Steps",
    ]


def test_the_results_say_what_the_text_is_about() -> None:
    report = capture_report(NOTHING, notify=True)
    for line in (
        "- **Text length:** 68 characters",
        "- **Suggested type:** win",
        "- **Project:** billing",
        "- **File context:** src/session_store.ts",
    ):
        assert line in report.splitlines()


def test_the_mode_stands_between_results_and_items() -> None:
    saving, reviewing = (capture_report(one, notify=False) for one in (EVERYTHING, NOTHING))
    assert "**Auto-save:** on. What scores 90.0% or more is saved." in saving
    assert (
        saving.index("File context") < saving.index("**Auto-save:**") < saving.index("## Captured")
    )
    assert "**Review mode:** nothing is saved." in reviewing
    assert "## Captured" not in reviewing


def test_a_captured_item_has_its_id() -> None:
    report = capture_report(EVERYTHING, notify=False)
    assert "1. **win** Finally got it working!\n   - **ID:** `ki-1-abc`\n" in report


def test_a_flagged_item_has_confidence_level_reason_and_its_first_words() -> None:
    report = capture_report(replace(NOTHING, flagged=(FLAGGED,)), notify=False)
    assert (
        f"1. **win** {TEXT}\n   - **Review ID:** `rv-1`\n   - **Confidence:** 75.9% (medium)\n"
        "   - **Reason:** close to the threshold" in report
    )


@pytest.mark.parametrize(
    ("score", "shown"), [(0.89999, "89.9%"), (0.9, "90.0%"), (0.57, "57.0%"), (1.0, "100.0%")]
)
def test_a_score_is_never_shown_above_itself(score: float, shown: str) -> None:
    flagged = replace(FLAGGED, score=score)
    assert f" {shown} (" in capture_report(replace(NOTHING, flagged=(flagged,)), notify=False)


def test_a_long_flagged_text_is_cut_at_100_characters() -> None:
    long = replace(FLAGGED, text="word " * 60)
    report = capture_report(replace(NOTHING, flagged=(long,)), notify=False)
    assert f" {('word ' * 20)}…\n" in report


def test_secrets_and_known_texts_are_listed_but_never_the_secret() -> None:
    lines = capture_report(EVERYTHING, notify=False).splitlines()
    assert {"- GitHub token: 2", "- password: 1"} <= set(lines)
    assert f"- {TEXT} (returned by this server before)" in lines
    assert f"- {TEXT} (says the same as `ki-7-xyz`)" in lines


def test_a_known_text_without_an_item_is_listed_too() -> None:
    report = capture_report(
        replace(NOTHING, skipped=(Skipped(TEXT, CapturedBefore.DUPLICATE),)), notify=False
    )
    assert f"- {TEXT} (is stored already)" in report


def test_the_counts_are_stated() -> None:
    report = capture_report(EVERYTHING, notify=False)
    assert "- **Total processed:** 5\n- **Captured:** 1\n- **Flagged:** 2" in report


def test_notifications_say_what_happened() -> None:
    report = capture_report(EVERYTHING, notify=True)
    news = report.partition("## Notifications")[2].partition("## Next Steps")[0].strip()
    assert news.splitlines() == [
        "- 1 item saved.",
        "- 2 items waiting for review.",
        "- 3 secrets removed; change what was exposed.",
        "- 2 items known already.",
    ]
    assert "- Nothing worth keeping was found." in capture_report(NOTHING, notify=True)


def test_next_steps_follow_from_what_happened() -> None:
    assert "`provide_feedback`" in capture_report(EVERYTHING, notify=False)
    assert "`commonplace review`" in capture_report(EVERYTHING, notify=False)
    assert "lower `threshold`" in capture_report(NOTHING, notify=False)
    known = capture_report(
        replace(NOTHING, skipped=(Skipped(TEXT, CapturedBefore.DUPLICATE, "ki-7"),)), notify=False
    )
    assert "lower `threshold`" not in known, "it would be known at any threshold"
    assert "`update_knowledge`" in known


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Action.CONFIRM, ("Confirmed", "confirmed as valuable and stays")),
        (Action.REJECT, ("Rejected", "was deleted")),
        (Action.MODIFY, ("Marked for Editing", "to be edited", "`update_knowledge`")),
    ],
)
def test_feedback_names_action_and_item(action: Action, words: tuple[str, ...]) -> None:
    outcome = FeedbackOutcome("ki-1-abc", "Clear the cache", action, "This was very helpful!")
    report = feedback_report(outcome)
    assert f"- **Action:** {action.value}\n- **Item:** `ki-1-abc`" in report
    assert "- **Comment:** This was very helpful!" in report
    assert all(word in report for word in words)


@pytest.mark.parametrize("comment", [None, "", "  "])
def test_feedback_without_a_comment_shows_none(comment: str | None) -> None:
    report = feedback_report(FeedbackOutcome("ki-1", "Clear it", Action.CONFIRM, comment))
    assert "Comment" not in report


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TEXT, TEXT),
        ("use snake_case in C:\\new, a < b & c", "use snake_case in C:\\new, a < b & c"),
        ("# no heading", "\\# no heading"),
        ("one\n## two\n- three", "one ## two - three"),
        ("- item", "\\- item"),
        ("1. item", "1\\. item"),
        ("```\ncode", "\\`\\`\\` code"),
        ("**bold** _it_ ~~out~~", "\\*\\*bold\\*\\* \\_it\\_ \\~\\~out\\~\\~"),
        ("[click](https://x.test)", "[click\\](https://x.test)"),
        ("<script>x</script><!-- y -->", "\\<script>x\\</script>\\<!-- y -->"),
        ("&lt;b&gt; \\*", "\\&lt;b\\&gt; \\\\\\*"),
        ("\x1b[31mred\x00", "[31mred"),
    ],
)
def test_only_what_has_a_meaning_is_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_quotation_is_cut_before_it_is_escaped() -> None:
    assert quoted("*" * 101) == "\\*" * 100 + "…"
    assert quoted("*" * 100) == "\\*" * 100


@given(st.text(), st.text(), st.text())
def test_no_text_adds_a_section_or_a_line(text: str, project: str, path: str) -> None:
    plain = replace(
        EVERYTHING, flagged=(replace(FLAGGED, text="x"),), project="p", file_context="f"
    )
    hostile = replace(
        plain, flagged=(replace(FLAGGED, text=text),), project=project, file_context=path
    )
    expected, report = (capture_report(one, notify=True) for one in (plain, hostile))
    assert headings(report) == headings(expected)
    assert len(report.splitlines()) == len(expected.splitlines())
