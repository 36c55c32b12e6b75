"""How likely a hit answers the question, and whether the question is answered here at all. Pure.

Three logistic functions over what speaks for a hit; their numbers are in probability.toml, made by
tools/recall from judged questions. What it can tell and what not: docs/explain/recall.md.
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
# So many are listed unless a caller asks for more; that one of them answers was fitted.
LISTED = 8


@dataclass(frozen=True, slots=True)
class Logistic:
    """A probability from weighed features; what has no weight does not count."""

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
    """`nothing_below` is about the subject being here, `answers_from` about its being answered."""

    hit: Logistic
    hit_by_words: Logistic
    known: Logistic
    known_by_words: Logistic
    answered: Logistic
    answered_by_words: Logistic
    nothing_below: float
    nothing_below_by_words: float
    answers_from: float


@cache
def calibrated() -> Calibrated:
    source = files("commonplace.recall").joinpath("probability.toml").read_text(encoding="utf-8")
    data = tomllib.loads(source)
    numbers: dict[str, Any] = data.pop("limits")
    return Calibrated(**numbers | {name: _logistic(table) for name, table in data.items()})


def features(evidence: Evidence) -> dict[str, float]:
    """Everything that a weight may stand for, each about between 0 and 1."""
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


def falling(probabilities: Iterable[float]) -> Iterator[float]:
    """No hit is likelier than one that is ranked before it."""
    return accumulate(probabilities, min)


def raising(probabilities: Sequence[float], answered: float) -> Callable[[float], float]:
    """Raises probabilities, ordered as they were, so that those that are listed say together no
    less than is said of the question.

    The chance that each fails is taken to the power with which all fail together as is said.
    """
    failing = math.prod(1 - one for one in probabilities[:LISTED])
    if 1 - failing >= answered or failing == 1:
        return lambda one: one
    power = math.log(1 - answered) / math.log(failing)
    return lambda one: 1 - (1 - one) ** power


def known_probability(found: Sequence[Evidence]) -> float:
    """How likely the question is about something that is here, by the best that was found."""
    if not found:
        return 0.0
    best, numbers = best_of(found), calibrated()
    model = numbers.known_by_words if _by_words(best) else numbers.known
    return model.probability(best)


def is_known(found: Sequence[Evidence]) -> bool:
    """Whether it is likely enough that something here is about the question."""
    if not found:
        return False
    numbers, by_words = calibrated(), _by_words(best_of(found))
    least = numbers.nothing_below_by_words if by_words else numbers.nothing_below
    return known_probability(found) >= least


def answered_probability(found: Sequence[Evidence], likely: Sequence[float] = ()) -> float:
    """How likely one of what is listed answers the question: no less than each of them alone."""
    if not found:
        return 0.0
    best, numbers = best_of(found), calibrated()
    model = numbers.answered_by_words if _by_words(best) else numbers.answered
    return max(model.probability(best), *likely, 0.0)


def _by_words(evidence: Evidence) -> bool:
    """Whether only words tell: nothing is embedded, or the model finds nothing near to anything."""
    return evidence.alone or evidence.similarity <= 0


def best_of(found: Sequence[Evidence]) -> Evidence:
    """The best of each sort of evidence among the first hits, whichever has it."""
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
