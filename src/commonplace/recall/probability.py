"""Estimates how likely a hit answers the question, and whether anything here answers it. Pure.

Three logistic functions of the evidence. Their parameters are in probability.toml, fitted by
tools/recall on judged questions; docs/explain/recall.md describes what they can tell and what not.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from commonplace.recall.evidence import Evidence

QUESTION_LOOKS_AT = 10
# The default number of hits; the fitted probability is that one of this many answers.
LISTED = 8


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic function of features; features without a weight do not count."""

    intercept: float
    weights: Mapping[str, float]
    kinds: Mapping[str, float]

    def probability(self, evidence: Evidence, kind: str = "") -> float:
        values = features(evidence)
        total = self.intercept + self.kinds.get(kind, 0.0)
        total += sum(weight * values[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The fitted functions and thresholds.

    `nothing_below` applies to the probability that the subject is known here, `answers_from` to
    the probability that the question is answered. `unread` is for questions in a language that the
    model does not know.
    """

    hit: Logistic
    hit_by_words: Logistic
    known: Logistic
    known_by_words: Logistic
    answered: Logistic
    answered_by_words: Logistic
    answered_unread: Logistic
    nothing_below: float
    nothing_below_by_words: float
    nothing_below_unread: float
    answers_from: float


@cache
def calibrated() -> Calibrated:
    source = files("commonplace.recall").joinpath("probability.toml").read_text(encoding="utf-8")
    data = tomllib.loads(source)
    numbers: dict[str, Any] = data.pop("limits")
    return Calibrated(**numbers | {name: _logistic(table) for name, table in data.items()})


def features(evidence: Evidence) -> dict[str, float]:
    """All features that can have a weight, each roughly between 0 and 1."""
    return {
        "similarity": evidence.similarity,
        "coverage": evidence.coverage,
        "share": evidence.share,
        "named": evidence.named,
        "ahead_in_meaning": evidence.ahead_in_meaning,
        "ahead_in_words": evidence.ahead_in_words,
        "relative_score": evidence.relative_score,
        "both": evidence.similarity * evidence.share,
        "length": math.log1p(evidence.terms) / 5,
    }


def hit_probability(evidence: Evidence, kind: str) -> float:
    numbers = calibrated()
    model = numbers.hit_by_words if evidence.alone else numbers.hit
    return model.probability(evidence, kind)


def non_increasing(probabilities: Iterable[float]) -> Iterator[float]:
    """Cap each probability by those before it, so that no hit is likelier than a better one."""
    return accumulate(probabilities, min)


def raised_to(probabilities: Sequence[float], answered: float) -> Callable[[float], float]:
    """A function that raises hit probabilities to be consistent with that of the whole answer.

    Afterwards at least one of the listed hits answers with probability `answered`, and the order
    is unchanged: each hit's probability of failing is raised to the same power.
    """
    failing = math.prod(1 - one for one in probabilities[:LISTED])
    if 1 - failing >= answered or failing == 1:
        return lambda one: one
    power = math.log(1 - answered) / math.log(failing)
    return lambda one: 1 - (1 - one) ** power


def known_probability(found: Sequence[Evidence]) -> float:
    """How likely the subject of the question is known here, judged by the best evidence."""
    if not found:
        return 0.0
    best, numbers = best_of(found), calibrated()
    model = numbers.known_by_words if _by_words(best) else numbers.known
    return model.probability(best)


def is_known(found: Sequence[Evidence], *, is_read: bool = True) -> bool:
    """Whether the subject of the question is likely enough to be known here.

    `is_read`: the model knows the language of the question.
    """
    if not found:
        return False
    numbers, by_words = calibrated(), _by_words(best_of(found))
    least = numbers.nothing_below_by_words if by_words else numbers.nothing_below
    return known_probability(found) >= (least if is_read else numbers.nothing_below_unread)


def answered_probability(
    found: Sequence[Evidence], likely: Sequence[float] = (), *, is_read: bool = True
) -> float:
    """How likely one of the listed hits answers; at least the probability of each alone."""
    if not found:
        return 0.0
    best, numbers = best_of(found), calibrated()
    model = numbers.answered_by_words if _by_words(best) else numbers.answered
    model = model if is_read else numbers.answered_unread
    return max(model.probability(best), *likely, 0.0)


def _by_words(evidence: Evidence) -> bool:
    """Whether only words count: nothing is embedded, or the model finds nothing similar."""
    return evidence.alone or evidence.similarity <= 0


def best_of(found: Sequence[Evidence]) -> Evidence:
    """The best value of each kind of evidence among the first hits, whichever hit has it."""
    first = found[:QUESTION_LOOKS_AT]
    return Evidence(
        similarity=max(one.similarity for one in first),
        coverage=max(one.coverage for one in first),
        share=max(one.share for one in first),
        named=max(one.named for one in first),
        ahead_in_meaning=max(one.ahead_in_meaning for one in first),
        ahead_in_words=max(one.ahead_in_words for one in first),
        relative_score=first[0].share,
        alone=all(one.alone for one in first),
        terms=first[0].terms,
    )


def _logistic(table: Mapping[str, float | Mapping[str, float]]) -> Logistic:
    kinds = table.get("kinds", {})
    assert isinstance(kinds, Mapping), "a table of its own"
    plain = {
        name: value
        for name, value in table.items()
        if name != "intercept" and not isinstance(value, Mapping)
    }
    intercept = table["intercept"]
    assert not isinstance(intercept, Mapping), "one number"
    return Logistic(intercept, plain, kinds)
