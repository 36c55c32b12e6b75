"""analyze_sentiment: the tone of a text, sentence by sentence, and where it turns."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import SENTIMENT, data, refuse

pytestmark = ONE_STORE

TURN = "This was terrible and awful. Finally good and working!"
WORSENED = "Great start. Then it was terrible."
GENTLE = "It was good. It was slightly good."


def analyse(caller: Caller, text: str, **given: Any) -> dict[str, Any]:
    return data(caller, SENTIMENT, text=text, **given)


def tone(caller: Caller, text: str) -> tuple[float, str, int, int]:
    overall = analyse(caller, text)["overall"]
    counts = overall["positive_count"], overall["negative_count"]
    return (overall["score"], overall["label"], *counts)


def label(caller: Caller, text: str) -> str:
    return tone(caller, text)[1]


@pytest.mark.requirement("institutional.sentiment.text-min")
def test_one_character_is_enough(alice: Caller) -> None:
    refuse(alice, SENTIMENT, "text")
    wrong: list[Any] = ["", None, 7, ["text"], {"text": "text"}]
    for text in wrong:
        refuse(alice, SENTIMENT, "text", text=text)
    for text in ("x", "漢", "!", " ", "🦊"):
        assert tone(alice, text) == (0, "neutral", 0, 0)


@pytest.mark.requirement(
    "institutional.sentiment.output-fields",
    "institutional.sentiment.overall-fields",
    "institutional.sentiment.timeline-fields",
    "institutional.sentiment.shift-fields",
)
def test_every_answer_has_the_same_shape(alice: Caller) -> None:
    labels = {"positive", "negative", "neutral"}
    for text in (TURN, WORSENED, GENTLE, "The harbour lies east of town.", "?"):
        shown = analyse(alice, text)
        assert shown.keys() == {"overall", "timeline", "shifts", "has_problem_to_solution"}
        overall = shown["overall"]
        assert overall.keys() == {"score", "label", "positive_count", "negative_count"}
        assert -1 <= overall["score"] <= 1
        assert overall["label"] in labels
        for entry in shown["timeline"]:
            assert entry.keys() == {"text", "score", "label"}
            assert -1 <= entry["score"] <= 1
            assert entry["label"] in labels
        assert [entry["text"] for entry in shown["timeline"]] == sorted(
            (entry["text"] for entry in shown["timeline"]), key=text.index
        )
        for shift in shown["shifts"]:
            assert shift.keys() == {"from", "to", "delta", "at_index"}


@pytest.mark.requirement(
    "institutional.sentiment.detect-shifts-default", "institutional.sentiment.detect-shifts-off"
)
def test_shifts_are_looked_for_unless_switched_off(alice: Caller) -> None:
    usual, without = analyse(alice, TURN), analyse(alice, TURN, detect_shifts=False)
    assert usual == analyse(alice, TURN, detect_shifts=True)
    assert (len(usual["shifts"]), usual["has_problem_to_solution"]) == (1, True)
    assert (without["shifts"], without["has_problem_to_solution"]) == ([], False)
    assert without["timeline"] == usual["timeline"]
    wrong: list[Any] = ["true", "maybe", 1, 0, []]
    for value in wrong:
        refuse(alice, SENTIMENT, "detect_shifts", text=TURN, detect_shifts=value)


@pytest.mark.requirement(
    "institutional.sentiment.min-delta-default", "institutional.sentiment.min-delta"
)
def test_a_shift_has_at_least_the_wanted_size(alice: Caller) -> None:
    assert analyse(alice, GENTLE)["shifts"] == []
    assert analyse(alice, GENTLE) == analyse(alice, GENTLE, min_delta=0.3)
    found = {0: 1, 0.1: 1, 0.2: 1, 0.21: 0, 0.3: 0, 2: 0}
    for least, count in found.items():
        assert len(analyse(alice, GENTLE, min_delta=least)["shifts"]) == count, least
    several = "It was good. It was slightly good. It was bad. It was slightly bad."
    for least in (0.1, 0.3, 1.5, 1.9):
        deltas = [shift["delta"] for shift in analyse(alice, several, min_delta=least)["shifts"]]
        assert all(abs(delta) >= least for delta in deltas)
    assert len(analyse(alice, TURN, min_delta=2)["shifts"]) == 1
    wrong: list[Any] = ["0.3", -0.1, True, [0.3]]
    for value in wrong:
        refuse(alice, SENTIMENT, "min_delta", text=GENTLE, min_delta=value)


@pytest.mark.requirement("institutional.sentiment.labels")
def test_a_small_score_is_neutral(alice: Caller) -> None:
    words = {
        "good": (1, "positive"),
        "good easy bad": (1 / 3, "positive"),
        "good easy simple bad sad": (0.2, "neutral"),
        "good bad": (0, "neutral"),
        "good easy bad sad wrong": (-0.2, "neutral"),
        "good bad sad": (-1 / 3, "negative"),
        "bad": (-1, "negative"),
    }
    for text, (score, expected) in words.items():
        assert tone(alice, text)[0] == pytest.approx(score), text
        assert label(alice, text) == expected, text


@pytest.mark.requirement(
    "institutional.sentiment.timeline-per-sentence", "institutional.sentiment.timeline-fields"
)
def test_one_entry_for_each_sentence(alice: Caller) -> None:
    text = "It was bad. Was it broken? Yes! Now it works"
    entries = analyse(alice, text)["timeline"]
    assert [entry["text"] for entry in entries] == [
        "It was bad.",
        "Was it broken?",
        "Yes!",
        "Now it works",
    ]
    assert [entry["score"] for entry in entries] == [-1, -1, 0, 1]
    assert len(analyse(alice, "One sentence of version 1.2.3 in app.py only")["timeline"]) == 1
    assert len(analyse(alice, "Short. " * 40)["timeline"]) == 40


@pytest.mark.requirement("institutional.sentiment.timeline-limit")
def test_of_very_many_sentences_the_first_are_shown(alice: Caller) -> None:
    said = analyse(alice, "A word. " * 5_000 + "It was bad. Now it works.")
    assert (len(said["timeline"]), said["shifts"]) == (5_000, [])
    assert (said["overall"]["positive_count"], said["overall"]["negative_count"]) == (1, 1)
    assert said["has_problem_to_solution"]


@pytest.mark.requirement(
    "institutional.sentiment.shift-labels",
    "institutional.sentiment.shift-delta-signed",
    "institutional.sentiment.shift-at-index",
)
def test_a_shift_says_from_where_to_where(alice: Caller) -> None:
    text = "It lies east. It was good. It was bad. It was so bad. All is easy. It lies west."
    assert analyse(alice, text)["shifts"] == [
        {"from": "neutral", "to": "positive", "delta": 1, "at_index": 1},
        {"from": "positive", "to": "negative", "delta": -2, "at_index": 2},
        {"from": "negative", "to": "positive", "delta": 2, "at_index": 4},
        {"from": "positive", "to": "neutral", "delta": -1, "at_index": 5},
    ]


@pytest.mark.requirement("institutional.sentiment.problem-to-solution")
def test_only_a_direct_turn_to_the_better_is_a_solution(alice: Caller) -> None:
    worsened = analyse(alice, WORSENED)
    assert (len(worsened["shifts"]), worsened["has_problem_to_solution"]) == (1, False)
    solved = {
        TURN: True,
        "It was bad. It works.": True,
        "Good. It was bad. It works.": True,
        "It was bad. It lies east. It works.": False,
        "It lies east. It works.": False,
        "It was bad. It lies east.": False,
        "It was bad and it works.": False,
    }
    shown = {text: analyse(alice, text)["has_problem_to_solution"] for text in solved}
    assert shown == solved
    assert analyse(alice, TURN, min_delta=2)["has_problem_to_solution"] is True


@pytest.mark.requirement(
    "institutional.sentiment.word-values",
    "institutional.sentiment.problem-only-words",
    "institutional.sentiment.counts",
    "institutional.sentiment.no-scored-words",
)
def test_the_score_is_the_mean_of_telling_words(alice: Caller) -> None:
    expected = {
        TURN: (0.2, "neutral", 3, 2),
        "crash": (-0.7, "negative", 0, 1),
        "a crash, then good": (0.15, "neutral", 1, 1),
        "not good": (-1, "negative", 0, 1),
        "not bad": (1, "positive", 1, 0),
        "good, GOOD and Good": (1, "positive", 3, 0),
        "goodness of badness": (0, "neutral", 0, 0),
        "The harbour lies east of town.": (0, "neutral", 0, 0),
    }
    assert {text: tone(alice, text) for text in expected} == expected


@pytest.mark.requirement(
    "institutional.sentiment.negation", "institutional.sentiment.soft-negators"
)
def test_a_negator_turns_the_words_after_it(alice: Caller) -> None:
    expected = {
        "not good": -1,
        "never a good": -1,
        "not a very good": -1,
        "nobody at all is good": 1,
        "good, not": 1,
        "it isn't good": -1,
        "it isn’t good": -1,
        "not not good": -1,
    }
    assert {text: tone(alice, text)[0] for text in expected} == expected
    for negator in ("hardly", "barely", "scarcely"):
        assert label(alice, f"{negator} good") == "negative"


@pytest.mark.requirement("institutional.sentiment.intensifiers")
def test_an_intensifier_nearby_multiplies(alice: Caller) -> None:
    expected = {
        "slightly good": 0.8,
        "somewhat good": 0.8,
        "good, slightly": 0.8,
        "slightly more good": 0.8,
        "slightly more than good": 1,
        "very good": 1,
        "extremely bad": -1,
        "slightly bad": -0.8,
        "very good, and it was bad, sad": -0.1667,
    }
    for text, score in expected.items():
        assert tone(alice, text)[0] == pytest.approx(score, abs=1e-4), text


@pytest.mark.requirement(
    "institutional.sentiment.example", "institutional.sentiment.example-values"
)
def test_the_documented_call(alice: Caller) -> None:
    assert analyse(alice, TURN, detect_shifts=True) == {
        "overall": {"score": 0.2, "label": "neutral", "positive_count": 3, "negative_count": 2},
        "timeline": [
            {"text": "This was terrible and awful.", "score": -1, "label": "negative"},
            {"text": "Finally good and working!", "score": 1, "label": "positive"},
        ],
        "shifts": [{"from": "negative", "to": "positive", "delta": 2, "at_index": 1}],
        "has_problem_to_solution": True,
    }


@pytest.mark.requirement("institutional.sentiment.secrets")
def test_a_secret_is_not_shown_again(alice: Caller) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    shown = analyse(alice, f"The upload was terrible with {secret} in it. Now it is great.")
    assert secret not in str(shown)
    assert "[secret removed: GitHub token] in it" in str(shown)
    assert [entry["label"] for entry in shown["timeline"]] == ["negative", "positive"]
