"""The lexicons as data: every entry is reachable, has its fixture, and cannot be slow."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from commonplace.analysis.lexicon import patterns, phrases, tone_words
from commonplace.analysis.sentiment import analyse_sentiment
from commonplace.analysis.spelling import plain

FIXTURES = Path(__file__).parent / "fixtures"
TYPES = {"win", "troubleshooting", "gotcha", "solution", "pattern"}
KINDS = {"success", "problem", "solution", "gotcha"}


def lexicon_data(name: str) -> dict[str, Any]:
    source = files("commonplace.analysis").joinpath("lexicons", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def fixture(name: str) -> dict[str, Any]:
    return tomllib.loads((FIXTURES / f"{name}.toml").read_text(encoding="utf-8"))


PATTERNS = lexicon_data("patterns")
PATTERN_FIXTURES = fixture("patterns")
PHRASES = [
    pytest.param(id, phrase, id=f"{id}: {phrase:.30}")
    for id, fields in PATTERNS.items()
    for phrase in fields["phrases"]
]
EXPRESSIONS = [
    expression
    for fields in PATTERNS.values()
    for part in ("phrases", "boosters", "dampers")
    for expression in fields.get(part, ())
]


def test_every_pattern_has_a_fixture_with_both_sides() -> None:
    assert PATTERN_FIXTURES.keys() == PATTERNS.keys()
    assert all(sides["match"] and sides["miss"] for sides in PATTERN_FIXTURES.values())


def test_every_word_list_has_a_fixture_with_both_sides() -> None:
    data, cases = lexicon_data("sentiment"), fixture("words")
    assert cases.keys() == {*data["lists"], "intensifiers", "negators", "contractions"}
    assert all(sides["scored"] and sides["unscored"] for sides in cases.values())


@pytest.mark.parametrize(("id", "phrase"), PHRASES)
def test_every_phrase_is_shown_by_a_fixture(id: str, phrase: str) -> None:
    expression = phrases([phrase])
    assert any(expression.search(plain(text)) for text in PATTERN_FIXTURES[id]["match"])


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_no_expression_repeats_without_a_bound(expression: str) -> None:
    assert not re.search(r"[*+]|\{\d*,\}", expression)


def test_patterns_keep_to_the_known_types_and_kinds() -> None:
    assert {pattern.suggests for pattern in patterns()} == TYPES
    assert {pattern.kind for pattern in patterns()} == KINDS
    assert all(0.5 <= pattern.confidence < 1 for pattern in patterns())


def test_no_word_stands_in_two_lists() -> None:
    data = lexicon_data("sentiment")
    words = [word for words in data["lists"].values() for word in words]
    words += [*data["intensifiers"], *data["negators"]]
    assert len(words) == len(set(words))


@pytest.mark.parametrize("word", tone_words().values)
def test_every_word_scores_what_its_list_is_worth(word: str) -> None:
    assert analyse_sentiment(word.upper()).overall.score == tone_words().values[word]


def test_every_intensifier_and_negator_is_a_token_of_its_own() -> None:
    known = tone_words()
    for word in (*known.intensifiers, *known.negators):
        assert known.tokens.findall(f"so {word} it")[1] == word
