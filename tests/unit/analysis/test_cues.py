"""Cues: each shows where it should, patterns go first, and long texts are read in passages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from commonplace.analysis.cues import read_cues
from commonplace.analysis.detection import detect
from commonplace.analysis.lexicon import NO_MOMENT, cue_phrases, cues, phrases
from commonplace.analysis.patterns import find_patterns
from commonplace.analysis.spelling import plain

FIXTURES = Path(__file__).parent / "fixtures"
SIDES = tomllib.loads((FIXTURES / "cues.toml").read_text(encoding="utf-8"))
PATTERN_TEXTS = [
    text
    for sides in tomllib.loads((FIXTURES / "patterns.toml").read_text(encoding="utf-8")).values()
    for text in sides["match"]
]
TYPES = {"solution", "pattern", "gotcha", "win", "troubleshooting"}
MOMENTS = {
    "solution": "Raised the idle timeout of the proxy to 75 s; the dropped requests are gone.",
    "pattern": "Prefer one small table per feature instead of a shared one. Keep them separate.",
    "gotcha": "Beware: the driver silently ignores unknown keys by default, even in strict mode.",
    "win": "The new index is live! Search dropped from 900 ms to 40 ms, we are really proud.",
    "troubleshooting": (
        "Traced it with strace: the worker read the wrong file because the variable was unset, "
        "and the access log showed the same."
    ),
}
NO_MOMENTS = [
    "Tomorrow we'll look into the slow build and maybe try to split it.",
    "Does anybody know how the cache is filled?",
    "Still no luck, the same result after the upgrade.",
    "nit: please rename this variable",
    "Thanks a lot, see you on Monday!",
    "feat(api): add support for pages (#12)",
    "The harbour lies east of town.",
]


@pytest.mark.parametrize("name", cue_phrases())
def test_every_cue_shows_where_it_should(name: str) -> None:
    expression = phrases(cue_phrases()[name])
    assert expression.search(plain(SIDES[name]["match"]))
    assert not expression.search(plain(SIDES[name]["miss"]))


def test_every_cue_has_a_fixture_and_a_weight_for_every_label() -> None:
    known = cues()
    assert SIDES.keys() == cue_phrases().keys()
    assert known.bias.keys() == known.weights.keys() == {*TYPES, NO_MOMENT}
    assert {len(weights) for weights in known.weights.values()} == {len(SIDES)}


@pytest.mark.parametrize("name", cue_phrases())
def test_no_phrase_repeats_without_a_bound_or_captures(name: str) -> None:
    assert not any(re.search(r"[*+]|\{\d*,\}", phrase) for phrase in cue_phrases()[name])
    assert phrases(cue_phrases()[name]).groups == 0


@pytest.mark.parametrize("text", PATTERN_TEXTS)
def test_cues_never_change_what_patterns_say(text: str) -> None:
    assert find_patterns(text)
    assert detect(text).matches == find_patterns(text)


@pytest.mark.parametrize(("suggests", "text"), MOMENTS.items())
def test_a_moment_without_any_pattern_is_read(suggests: str, text: str) -> None:
    (match,) = read_cues(text)
    assert not find_patterns(text)
    assert (match.pattern, match.suggests) == (f"reads-like-{suggests}", suggests)
    assert (match.start, match.end) == (0, len(text))
    found = detect(text)
    assert found.detected
    assert found.suggested_type == suggests


@pytest.mark.parametrize("text", ["", " ", *NO_MOMENTS])
def test_other_texts_are_not(text: str) -> None:
    assert read_cues(text) == ()


def test_a_long_text_has_a_match_for_each_passage_that_reads_like_a_moment() -> None:
    filler = "The harbour lies east of town. " * 18
    text = "\n\n".join([MOMENTS["win"], filler, MOMENTS["gotcha"], filler])
    found = read_cues(text)
    assert {match.suggests for match in found} == {"win", "gotcha"}
    assert [match.confidence for match in found] == sorted(
        (match.confidence for match in found), reverse=True
    )
    for match in found:
        assert MOMENTS[match.suggests] in text[match.start : match.end]


def test_only_the_beginning_of_a_very_long_text_is_read() -> None:
    assert read_cues("x" * 50_000 + "\n\n" + MOMENTS["win"]) == ()


def test_words_without_a_blank_are_cut_where_a_passage_ends() -> None:
    assert read_cues("word." * 1_000) == ()
