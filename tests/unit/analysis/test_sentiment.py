"""Tone: word values, negation and emphasis, the timeline and its shifts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.sentiment import Shift, Tone, analyse_sentiment, label_of

WORDS = tomllib.loads(
    (Path(__file__).parent / "fixtures" / "words.toml").read_text(encoding="utf-8")
)
TURN = "This was terrible and awful. Finally good and working!"
TOLD_TEXT = st.lists(
    st.sampled_from(
        ["good", "bad", "not", "hardly", "very", "slightly", "a bit", "isn’t", "crash",
         "workaround", "no idea", "the", "it.", "then!", "so?", "e.g.", "…"]
    ),
    max_size=40,
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "score"),
    [(text, score) for sides in WORDS.values() for text, score in sides["scored"].items()],
)
def test_words_of_the_lexicon_are_scored(text: str, score: float) -> None:
    assert analyse_sentiment(text).overall.score == score


@pytest.mark.parametrize("text", [text for sides in WORDS.values() for text in sides["unscored"]])
def test_texts_without_telling_words(text: str) -> None:
    assert analyse_sentiment(text).overall == Tone(0.0, "neutral", 0.0, 0, 0)


@pytest.mark.parametrize(
    ("score", "label"),
    [(1, "positive"), (0.21, "positive"), (0.2, "neutral"), (0, "neutral"), (-0.2, "neutral"),
     (-0.21, "negative"), (-1, "negative")],
)  # fmt: skip
def test_a_score_beyond_a_fifth_has_a_tone(score: float, label: str) -> None:
    assert label_of(score) == label


def test_the_documented_turn() -> None:
    sentiment = analyse_sentiment(TURN)
    assert sentiment.overall == Tone(0.2, "neutral", 1.0, 3, 2)
    assert [(each.text, each.score, each.label) for each in sentiment.timeline] == [
        ("This was terrible and awful.", -1.0, "negative"),
        ("Finally good and working!", 1.0, "positive"),
    ]
    assert sentiment.shifts == (Shift("negative", "positive", 2.0, 1),)
    assert sentiment.has_problem_to_solution


def test_counts_follow_the_sign_after_negation() -> None:
    overall = analyse_sentiment("not good").overall
    assert (overall.label, overall.positive_count, overall.negative_count) == ("negative", 0, 1)


def test_negation_and_emphasis_stay_within_their_sentence() -> None:
    assert analyse_sentiment("Surely not. Good slightly. Bad.").overall.score == -0.1


def test_without_shifts_asked_for_there_are_none_but_the_timeline_stays() -> None:
    sentiment = analyse_sentiment(TURN, detect_shifts=False)
    assert len(sentiment.timeline) == 2
    assert sentiment.shifts == ()
    assert not sentiment.has_problem_to_solution


@pytest.mark.parametrize(("min_delta", "shifts"), [(0.3, 0), (0.2, 1), (0.1, 1)])
def test_small_changes_are_shifts_only_if_asked_for(min_delta: float, shifts: int) -> None:
    text = "It was good. It was slightly good."
    assert len(analyse_sentiment(text, min_delta=min_delta).shifts) == shifts


def test_no_change_is_no_shift() -> None:
    assert analyse_sentiment("It was good. It was great.", min_delta=0).shifts == ()


def test_a_turn_is_seen_however_large_a_shift_must_be() -> None:
    sentiment = analyse_sentiment("The crash. A workaround.", min_delta=1.9)
    assert sentiment.shifts == ()
    assert sentiment.has_problem_to_solution


def test_a_turn_for_the_worse_is_a_shift_but_no_solution() -> None:
    sentiment = analyse_sentiment("Great start. Then it was terrible.")
    assert sentiment.shifts == (Shift("positive", "negative", -2.0, 1),)
    assert not sentiment.has_problem_to_solution


def test_a_blank_text_has_no_timeline() -> None:
    assert analyse_sentiment(" ").timeline == ()


@given(TOLD_TEXT | st.text(st.characters(), max_size=80), st.floats(0, 2))
def test_laws_of_tone(text: str, min_delta: float) -> None:
    sentiment = analyse_sentiment(text, min_delta=min_delta)
    overall = sentiment.overall
    assert -1 <= overall.score <= 1
    assert overall.confidence == min(1, (overall.positive_count + overall.negative_count) / 5)
    assert overall.label == label_of(overall.score)
    assert all(each.label == label_of(each.score) for each in sentiment.timeline)
    for shift in sentiment.shifts:
        earlier, later = sentiment.timeline[shift.at_index - 1 : shift.at_index + 1]
        assert (shift.before, shift.after) == (earlier.label, later.label)
        assert shift.delta == pytest.approx(later.score - earlier.score)
        assert abs(shift.delta) >= min_delta
