"""The labelled texts are well formed, their halves alike, and the weights are what they give."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from benchmarks.quality.moments import fit
from benchmarks.quality.moments.judging import Agreement, agreement, confusion, type_accuracy
from benchmarks.quality.moments.labelled import (
    HELD,
    KINDS,
    TUNE,
    TYPES,
    Labelled,
    cue_texts,
    digest,
    rows,
    texts,
    threads,
)
from benchmarks.quality.moments.ways import Judgment
from commonplace.analysis.lexicon import cues

ROWS = list(rows("texts"))
MORE = list(rows("more"))
PUBLIC = list(rows("public"))


def test_there_are_enough_texts_and_none_twice() -> None:
    assert len(ROWS) >= 400
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert all(20 <= len(row["text"]) <= 600 for row in ROWS)
    assert all(row["text"] == row["text"].strip() for row in ROWS)


def test_every_text_has_its_labels_and_no_other() -> None:
    for row in ROWS:
        label, allowed = ("type", TYPES) if row["moment"] else ("kind", KINDS)
        assert row.keys() == {"text", "moment", label, "half", "source"}
        assert row[label] in allowed
        assert row["half"] in {TUNE, HELD}
        assert row["source"] in {"own", "retold"}


def test_the_halves_are_alike() -> None:
    # They were divided evenly; four types that a second reading changed are all in one half.
    counts = Counter((row.get("type") or row["kind"], row["half"]) for row in ROWS)
    for label in (*TYPES, *KINDS):
        assert counts[label, HELD] >= 10
        assert -1 <= counts[label, TUNE] - counts[label, HELD] <= 3


def test_there_are_enough_labels_and_half_is_held_back() -> None:
    halves = Counter(row["half"] for row in (*ROWS, *MORE, *PUBLIC))
    assert halves.total() >= 1500
    assert abs(halves[TUNE] - halves[HELD]) < 0.05 * halves.total()
    assert len({one.text for one in texts()}) == len(ROWS) + len(MORE)


def test_further_texts_have_their_labels_too() -> None:
    for row in MORE:
        label, allowed = ("type", TYPES) if row["moment"] else ("kind", KINDS)
        assert row.keys() - {"about"} == {"text", "moment", label, "half", "source"}
        assert row[label] in allowed
        assert row["source"] in {"own", "documented"}


def test_public_texts_are_labels_without_words() -> None:
    named = {"form", "repository", "commit", "half", "moment", "passes"}
    for row in PUBLIC:
        assert row.keys() - {"type", "about", "path", "lines"} == named
        assert row["moment"] == ("type" in row)
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])
        assert row.get("type", TYPES[0]) in TYPES
        assert len(row["passes"]) == 2
        assert set(row["passes"]) <= {*TYPES, None}


def test_where_both_passes_agree_the_label_is_theirs() -> None:
    for row in PUBLIC:
        one, other = row["passes"]
        assert one != other or row.get("type") == one


def test_every_moment_of_our_own_has_a_second_type() -> None:
    told = [one.text for one in texts() if one.moment]
    told += [moment.text for thread in threads() for moment in thread.moments]
    assert {row["text"] for row in rows("second")} == set(map(digest, told))


def test_threads_are_whole_and_half_of_them_are_held_back() -> None:
    told = threads()
    assert len(told) >= 60
    assert Counter(one.half for one in told) == {TUNE: 30, HELD: 30}
    for one in told:
        assert "<<" not in one.text
        assert all(moment.text in one.text and moment.type in TYPES for moment in one.moments)


def test_the_weights_are_those_that_the_tune_half_gives() -> None:
    weights, bias = fit.fitted([each for each in cue_texts() if each.half == TUNE])
    known = cues()
    assert list(known.bias.values()) == pytest.approx(list(bias), abs=0.011)
    for place, label in enumerate(fit.LABELS):
        assert known.weights[label] == pytest.approx(list(weights[:, place]), abs=0.011)
    assert known.least_confidence == fit.LEAST_CONFIDENCE


def test_agreement_of_judgments_with_labels() -> None:
    judged = [
        (Labelled("a", True, HELD, type="win"), Judgment(True, "win", 0.9)),
        (Labelled("b", True, HELD, type="win"), Judgment(False, "solution", 0.1)),
        (Labelled("c", True, HELD, type="gotcha"), Judgment(True, "win", 0.9)),
        (Labelled("d", False, HELD, kind="plan"), Judgment(True, "win", 0.9)),
    ]
    found = agreement(judged, lambda it: it.detected)
    assert found == Agreement(found=3, right=2, moments=3)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 2 / 3, 2 / 3)
    assert agreement(judged, lambda it: it.score > 1).precision is None
    assert type_accuracy(judged) == 1 / 3
    assert confusion(judged) == {
        ("win", "win"): 1,
        ("win", "solution"): 1,
        ("gotcha", "win"): 1,
    }
