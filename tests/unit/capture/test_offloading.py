"""What a child process answers about a text is what would be found here."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from commonplace.analysis.confidence import PRESETS, Assessment, Weights, assess
from commonplace.analysis.detection import Detection, detect
from commonplace.analysis.likelihood import TextForm
from commonplace.analysis.sentiment import MOST_SEGMENTS, Sentiment, analyse_sentiment
from commonplace.capture.finding import Drafted, Sought, decide, draft, tone
from commonplace.capture.moments import MomentAction, drafts
from commonplace.capture.offloading import WORKS, answer_of, question_of, work_on
from commonplace.capture.secrets import Masked, mask_secrets
from commonplace.errors import CallStopped

MOMENT = "This was terrible. Finally got it working! The solution was to clear the cache é {}."
TEXT = "\n\n".join(
    [
        MOMENT.format(1),
        "The password: 'hunter2-Zebra9' and nobody should read it.",
        MOMENT.format(1),
        "Nothing of note happened on that day, and nobody said a word about anything at all.",
        MOMENT.format(2),
        "a \ud800 half of a pair",
    ]
)
SOUGHT = Sought(Weights(pattern=2), PRESETS["moderate"], threshold=0.7, auto_save=True)
ASKED: list[tuple[type, Callable[..., Any], dict[str, Any]]] = [
    (Drafted, draft, {"weights": Weights(pattern=2)}),
    (Detection, detect, {"require_both": True}),
    (Sentiment, tone, {"detect_shifts": True, "min_delta": 0.1}),
    (Masked, mask_secrets, {}),
    (Assessment, assess, {"weights": Weights(structure=1), "thresholds": PRESETS["aggressive"]}),
]


class StoppedAfter:
    """A call that is stopped when it has been looked at so many times."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise CallStopped


@pytest.mark.parametrize(
    ("kind", "work", "given"), ASKED, ids=[one.__name__ for _, one, _ in ASKED]
)
def test_an_answer_travels_whole(
    kind: type, work: Callable[..., Any], given: dict[str, Any]
) -> None:
    question = json.loads(json.dumps(question_of(work.__name__, given)))
    answer = json.loads(json.dumps(work_on(question, TEXT.encode("utf-8", "surrogatepass"))))
    assert answer_of(kind, answer) == work(TEXT, **given)


def test_all_that_is_done_with_texts_is_asked_here() -> None:
    assert set(WORKS.values()) == {work for _, work, _ in ASKED}


def test_what_is_found_says_what_to_do_and_what_repeats() -> None:
    drafted = draft(TEXT, SOUGHT.weights)
    found = decide(drafted, [[0.0] * 384 for _ in drafted.spoken()], replace(SOUGHT, threshold=0))
    assert found.processed == len(drafts(mask_secrets(TEXT).text))
    assert [secret.count for secret in found.secrets] == [1]
    assert {one.verdict for one in found.candidates} == {MomentAction.CAPTURE}
    assert [one.repeats for one in found.candidates][:3] == [False, False, True]
    assert found.candidates[0].words == found.candidates[2].words
    assert found.best.score == max(one.moment.score for one in found.candidates)


FINDING = "We moved the cache to Redis because the nodes held different answers."
SUBJECT = "cache: share it between nodes"
LONG = "So it is, and so it has been for a very long time. "


def titles(text: str, threshold: float, form: TextForm) -> list[str]:
    drafted = draft(text, SOUGHT.weights)
    vectors = [[0.0] * 384 for _ in drafted.spoken()]
    found = decide(drafted, vectors, replace(SOUGHT, threshold=threshold, form=form))
    return [one.moment.summary for one in found.candidates]


def test_the_subject_of_a_message_is_the_title_of_one_moment() -> None:
    message = f"{SUBJECT}\n\n{LONG * 9}\n\n{FINDING}"
    assert titles(message, 0, TextForm.COMMIT) == [SUBJECT, FINDING]
    assert titles(message, 0.3, TextForm.DOCUMENT) == [SUBJECT]
    assert SUBJECT not in titles(message, 0, TextForm.TALK)
    assert FINDING in titles(f"{message}\n\n{LONG * 40}", 0.3, TextForm.DOCUMENT)


def test_masking_ends_with_its_call() -> None:
    with pytest.raises(CallStopped):
        mask_secrets("a token: ", StoppedAfter(20).check)


def test_looking_for_moments_ends_with_its_call() -> None:
    text = "\n\n".join(f"We decided to use gateway {n} because it never fails." for n in range(40))
    with pytest.raises(CallStopped):
        drafts(text, check=StoppedAfter(3).check)


def test_of_very_many_sentences_the_first_are_shown_and_all_are_weighed() -> None:
    sentiment = analyse_sentiment("A word. " * MOST_SEGMENTS + "Terrible failure. Great success.")
    assert len(sentiment.timeline) == MOST_SEGMENTS
    assert sentiment.overall.negative_count > 0
    assert sentiment.has_problem_to_solution
    assert sentiment.shifts == ()
