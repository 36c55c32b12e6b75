"""Moments: one short text is one; a long one is cut between paragraphs, items and turns only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.confidence import Weights, assess
from commonplace.analysis.learning import contributing
from commonplace.analysis.likelihood import TextForm
from commonplace.capture.blocks import LEAST_MOMENT, SHORT_TEXT, candidates
from commonplace.capture.moments import Moment, MomentAction, drafts, moments, verdict_of
from commonplace.embedding.bundled import BundledEmbedder

CACHE = "Finally got it working! The solution was to clear the cache first..."
BILLING = (
    "Finally got it working for billing after hours of debugging, see file src/cache/store.ts now."
)
FILLER = (
    "The report runs every night over all tables and writes one file per customer into the bucket, "
    "where the mail job picks it up in the morning and sends it out before the office opens."
)
PROBLEM = (
    "The login page failed with error 500 whenever two people signed in together, and I was stuck "
    "on it for hours because the log showed nothing at all."
)
SOLUTION = (
    "The solution was to lock the session row for the length of the request. Since then it works "
    "like a charm, also under load."
)
EXPORT = (
    "Unrelated, the nightly export is 12x faster since the rows are inserted in batches of a "
    "thousand instead of one by one."
)


@pytest.mark.parametrize(
    "text",
    [
        CACHE,
        BILLING,
        "Finally got it working after hours of debugging!",
        "Finally working! The solution was to use async/await properly.",
        "This was terrible and awful. Finally good and working!",
        "Two short paragraphs.\n\nThey are one moment.\n\n- with\n- a list",
    ],
)
def test_a_short_text_is_one_candidate_as_it_stands(text: str) -> None:
    assert candidates(text) == (text,)


def test_one_long_paragraph_is_one_candidate() -> None:
    text = " ".join([FILLER] * 6)
    assert len(text) > SHORT_TEXT
    assert candidates(text) == (text,)


def test_a_blank_text_has_none() -> None:
    assert candidates(" \n ") == ()


def test_paragraphs_are_candidates_of_their_own() -> None:
    assert candidates(f"{FILLER}\n\n{EXPORT}\n\n{FILLER}\n") == (FILLER, EXPORT, FILLER)


def test_a_problem_stays_with_its_solution() -> None:
    text = f"{PROBLEM}\n\n{SOLUTION}\n\n{EXPORT}\n\n{FILLER}"
    assert candidates(text) == (f"{PROBLEM}\n\n{SOLUTION}", EXPORT, FILLER)


def test_a_solved_problem_does_not_take_the_next_success() -> None:
    solved = f"{PROBLEM} {SOLUTION}"
    assert candidates(f"{solved}\n\n{EXPORT}\n\n{FILLER}") == (solved, EXPORT, FILLER)


def test_fenced_code_stays_with_the_paragraph_before_it() -> None:
    code = "```python\nwith lock(row):\n\n    # not a heading\n    write()\n```"
    text = f"{SOLUTION}\n\n{code}\n\n{FILLER}\n\n{FILLER}"
    assert candidates(text) == (f"{SOLUTION}\n\n{code}", FILLER, FILLER)


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    text = f"{SOLUTION}\n\n{FILLER}\n\n~~~\ncode\n\n{FILLER}"
    assert candidates(text) == (SOLUTION, f"{FILLER}\n\n~~~\ncode\n\n{FILLER}")


def test_a_heading_belongs_to_what_follows_it() -> None:
    text = f"# Notes\n\n{FILLER}\n\n## Export\n{EXPORT}\n\n{FILLER}"
    assert candidates(text) == (f"# Notes\n\n{FILLER}", f"## Export\n{EXPORT}", FILLER)


def test_steps_stay_together_with_the_line_that_leads_to_them() -> None:
    steps = (
        "What to do, in this order and on every server:\n- stop it\n- clear it\n- start it again"
    )
    assert candidates(f"{FILLER}\n\n{steps}\n\n{FILLER}\n\n{EXPORT}")[1] == steps


def test_items_that_are_moments_are_candidates_of_their_own() -> None:
    first = (
        "- Lesson learned: never order events by the clock of a client, use the server's sequence."
    )
    second = (
        "- Watch out: the exporter drops rows without an id, so compare the counts afterwards.\n"
    )
    second += "\n  They differ by one in most runs, which is the header."
    text = f"{FILLER}\n\n{first}\n{second}\n\n{FILLER}"
    assert candidates(text) == (FILLER, first, second, FILLER)


def test_turns_of_a_conversation_are_told_apart() -> None:
    turns = (f"User: {FILLER}", f"**Assistant:** {EXPORT}", f"[10:32] user: {FILLER}")
    assert candidates("\n".join(turns)) == turns


def test_a_question_and_its_answer_in_two_turns_stay_together() -> None:
    talk = f"User: {PROBLEM}\nAssistant: {SOLUTION}"
    assert candidates(f"{talk}\nUser: {FILLER}\nAssistant: {EXPORT}")[0] == talk


def test_what_says_too_little_goes_with_its_neighbour() -> None:
    text = f"{FILLER}\n\nThanks!\n\n{EXPORT}\n\n{FILLER}"
    assert candidates(text) == (f"{FILLER}\n\nThanks!", EXPORT, FILLER)


def test_a_flood_of_short_lines_is_no_trap() -> None:
    found = candidates("ok\n\n- a:\n\n" * 20_000)
    assert "".join("".join(found).split()) == "ok-a:" * 20_000


@given(st.lists(st.sampled_from(["\n", "\n\n", "- ", "# ", "```\n", "User: ", FILLER, "ok", ":"])))
def test_no_word_is_lost_or_doubled(parts: list[str]) -> None:
    text = "".join(parts)
    assert " ".join(" ".join(candidates(text)).split()) == " ".join(text.split())


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


def found_in(model: BundledEmbedder, text: str) -> list[Moment]:
    """All moments of a text, however unlikely."""
    found: list[Moment] = []
    for draft in drafts(text):
        windows = model.embed_passages(draft.spoken())
        found += moments(draft, [one[0].tolist() for one in windows])
    return found


def test_a_moment_knows_what_it_is_about(model: BundledEmbedder) -> None:
    (moment,) = found_in(model, BILLING)
    assert moment.text == BILLING
    assert (moment.project, moment.file_context) == ("billing", "src/cache/store.ts")
    assert moment.summary == BILLING


def test_the_documented_factors_that_spoke_for_a_moment_are_remembered() -> None:
    weights = Weights(pattern=1, sentiment=0)
    (draft,) = drafts(CACHE, weights)
    assert draft.detected_by == contributing(assess(CACHE, weights=weights))


def test_a_project_that_is_called_one_holds_for_every_moment(model: BundledEmbedder) -> None:
    found = found_in(
        model, f"Project: atlas. {FILLER}\n\n{EXPORT}\n\nFixed it for billing. {EXPORT}"
    )
    assert {moment.project for moment in found} == {"atlas"}
    found = found_in(
        model, f"{FILLER} Fixed in checkout.\n\nProject a1: {EXPORT}\n\nProject b2: {FILLER}"
    )
    assert [moment.project for moment in found] == ["a1", "a1", "b2"]


def test_a_moment_is_cut_from_the_chatter_around_it(model: BundledEmbedder) -> None:
    carried = (
        "The cookie was set with SameSite=Strict, so the redirect from the identity provider lost "
        "it. I changed it to Lax in auth/session.py and the login works."
    )
    talk = (
        "User: the login is broken since the update\nAssistant: Let me look.\n"
        f"Assistant: I see. {carried} Running the tests now.\nOutput: ERROR in test_login\n"
        "User: That works!"
    )
    kept = [moment for moment in found_in(model, talk) if moment.score >= 0.72]
    assert [moment.text for moment in kept] == [carried]
    assert kept[0].summary.startswith("The cookie was set")
    assert (kept[0].type, kept[0].file_context) == ("solution", "auth/session.py")


def test_what_programs_print_is_context(model: BundledEmbedder) -> None:
    printed = (
        "2024-03-05 02:00:11 ERROR loader: never call flush() inside the loop\n"
        "Traceback (most recent call last):\n"
        '  File "/app/main.py", line 12, in run\n'
        "ValueError: we decided to use Kafka instead of RabbitMQ because we need replay\n"
    )
    assert [draft.spoken() for draft in drafts(printed)] == [()]
    assert [moment.score for moment in found_in(model, printed)] == [0.0]


def test_one_long_stretch_may_hold_several_moments(model: BundledEmbedder) -> None:
    decided = "We decided to use Kafka instead of RabbitMQ because we need to replay a month."
    ruled = "From now on we always run migrations in a job of their own, never at start."
    dull = "The office is on the second floor. Lunch is at noon. The trains run every hour. " * 2
    found = [m for m in found_in(model, f"{decided} {dull}{ruled} {dull}") if m.score >= 0.72]
    assert [moment.text for moment in found] == [decided, ruled]


DECIDED = "We decided to use Kafka instead of RabbitMQ because we need replay."
FLUSH = "Gotcha: never call flush() inside the loop"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{DECIDED} {FLUSH}", [DECIDED, FLUSH]),
        (f"{DECIDED}\n**Gotcha:** never call flush() inside the loop", 2),
        (f"{DECIDED} {EXPORT} {FLUSH}, it expires every object.", 2),
        # What belongs together stays together: a cause and its cure, a warning and its reason.
        ("Gotcha: the clock of a client lies. Lesson: order events by the server's sequence.", 1),
        ("Root cause: the pool was exhausted. Fix: close connections in a finally block.", 1),
        (f"{DECIDED} Also, thanks for the review.", 1),
        (f"Let me look at it. {FLUSH}, it expires every object.", 1),
    ],
)
def test_an_announced_moment_is_one_of_its_own(
    model: BundledEmbedder, text: str, expected: list[str] | int
) -> None:
    found = [moment.text for moment in found_in(model, text)]
    assert found == expected if isinstance(expected, list) else len(found) == expected


@pytest.mark.parametrize("lead_in", ["Fixed it", "Solution", "**Workaround**"])
def test_a_cure_that_is_called_one_is_no_decision(model: BundledEmbedder, lead_in: str) -> None:
    text = (
        f"{lead_in}: the env var had a trailing newline, so the signature never matched. Use "
        "`printf` instead of `echo` when you write secrets to files."
    )
    (found,) = found_in(model, text)
    assert (found.type, "decision" in found.tags) == ("solution", False)


def test_the_subject_of_a_document_is_its_title(model: BundledEmbedder) -> None:
    text = f"ascii: fix a leak\n\n{PROBLEM} {SOLUTION}"
    (draft,) = drafts(text)
    vectors = [one[0].tolist() for one in model.embed_passages(draft.spoken())]
    (talk,) = moments(draft, vectors)
    (document,) = moments(draft, vectors, form=TextForm.DOCUMENT)
    assert document.summary == "ascii: fix a leak"
    assert talk.summary != document.summary
    assert talk.score != document.score


@pytest.mark.parametrize(
    ("score", "threshold", "auto_save", "verdict"),
    [
        (0.9, 0.9, True, MomentAction.CAPTURE),
        (0.9, 0.9, False, MomentAction.REVIEW),
        (0.89, 0.9, True, MomentAction.REVIEW),
        (0.72, 0.9, True, MomentAction.REVIEW),
        (0.7199, 0.9, True, MomentAction.IGNORE),
        (0.7595, 1.0, True, MomentAction.IGNORE),
        (0.0, 0.0, True, MomentAction.CAPTURE),
    ],
)
def test_the_verdict_follows_the_threshold(
    score: float, threshold: float, auto_save: bool, verdict: MomentAction
) -> None:
    assert verdict_of(score, threshold=threshold, auto_save=auto_save) is verdict


def test_the_least_moment_is_the_least_text() -> None:
    assert LEAST_MOMENT == 50
