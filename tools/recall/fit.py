"""Fits the numbers of recall's probabilities to judged questions, and writes them.

    python -m tools.recall.fit --mirrors DIR --talks FILE --scifact DIR --home DIR [--only TABLE]

Nothing of the half that is held back is asked.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall.further import further
from benchmarks.recall.home import filled
from benchmarks.recall.judged import JudgedQuestion, judged
from benchmarks.recall.languages import judged_unread
from benchmarks.recall.plan import Inputs, Sort, digest
from benchmarks.recall.small import judged_small
from benchmarks.recall.texts import Mirrors
from commonplace.model.query import RetrievalMode
from commonplace.recall.evidence import Evidence
from commonplace.recall.probability import LISTED, best_of, features

UNREAD = "answered_unread"
TARGET = Path(__file__).parents[2] / "src/commonplace/recall/probability.toml"
# Looked at further down, hits are nearly all wrong and say nothing about those that are shown.
_HITS = 4
_RIDGE = 0.1
_STEPS = 30_000
_ALIKE = 40
# How many of the answerable questions may be told that nothing is here.
_REFUSED = 0.03
# From here on it is likelier than not that one of the hits answers.
_ANSWERS_FROM = 0.5
# Chosen on sections of Kubernetes' documentation in Russian, Chinese and Japanese: decision 0294.
_UNREAD_FROM = 0.15
_HIT = (
    "similarity", "share", "coverage", "ahead_in_meaning", "ahead_in_words", "relative_score",
    "both", "length",
)  # fmt: skip
_HIT_BY_WORDS = ("share", "coverage", "ahead_in_words", "relative_score")
_QUESTION = ("similarity", "share", "coverage", "ahead_in_meaning", "ahead_in_words", "both")
_KNOWN = (*_QUESTION, "named")
_UNREAD = ("share", "ahead_in_words", "relative_score")
_QUESTION_BY_WORDS = ("share", "coverage", "ahead_in_words", "relative_score")

Numbers: TypeAlias = NDArray[np.float64]
Tables: TypeAlias = dict[str, Mapping[str, float]]
Example: TypeAlias = tuple[Evidence, str, bool]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("mirrors", "talks", "scifact", "home"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--filling", type=float, default=1.0)
    parser.add_argument("--only", choices=("known", UNREAD), help="the other numbers stay")
    given = parser.parse_args()
    unread: Tables = {UNREAD: _fit(_of_answers(judged_unread(Mirrors(given.mirrors))), _UNREAD)}
    if given.only == UNREAD:
        _write(_written() | unread)
        return
    inputs = Inputs(Mirrors(given.mirrors), given.talks, given.scifact, given.filling)
    with filled("sqlite", inputs, given.home) as home:
        tuning = [one for one in home.plan.asked if not one.held]
        both = list(judged(home, tuning))
        words = list(judged(home, tuning, RetrievalMode.LEXICAL))
        beside = list(judged(home, further(home.plan, inputs, given.home / "checkouts")))
    beside += judged_small()
    tables = fitted_tables(both, words, beside) | unread
    _write(_known_of(tables) if given.only else tables)


def fitted_tables(
    both: Sequence[JudgedQuestion],
    words: Sequence[JudgedQuestion],
    beside: Sequence[JudgedQuestion],
) -> Tables:
    """Numbers by the names of their tables.

    Whether a subject is here is fitted on the questions beside, too: it has to hold in homes of
    every size, and hardly any of the tuning half are refused.
    """
    subjects = [*both, *_alike(beside)]
    tables: Tables = {}
    for suffix, questions, asked, hit, known, question in (
        ("", both, subjects, _HIT, _KNOWN, _QUESTION),
        ("_by_words", words, words, _HIT_BY_WORDS, _QUESTION_BY_WORDS, _QUESTION_BY_WORDS),
    ):
        tables[f"hit{suffix}"] = _fit(_of_hits(questions), hit, by_kind=True)
        tables[f"known{suffix}"] = _fit(_of_subjects(asked), known)
        tables[f"answered{suffix}"] = _fit(_of_answers(questions), question)
    limits = {
        "nothing_below": _refusing(subjects, tables["known"]),
        "nothing_below_by_words": _refusing(words, tables["known_by_words"]),
        "nothing_below_unread": _UNREAD_FROM,
        "answers_from": _ANSWERS_FROM,
    }
    return {"limits": limits, **tables}


def _known_of(tables: Tables) -> Tables:
    """What was written before, but for whether a subject is here."""
    before = _written()
    least = {"nothing_below": tables["limits"]["nothing_below"]}
    return before | {"limits": {**before["limits"], **least}, "known": tables["known"]}


def _written() -> Tables:
    tables = tomllib.loads(TARGET.read_text(encoding="utf-8"))
    for table in tables.values():
        table |= {f"kinds.{kind}": value for kind, value in table.pop("kinds", {}).items()}
    return tables


def _write(tables: Tables) -> None:
    TARGET.write_text(_text(tables), encoding="utf-8")


def _text(tables: Tables) -> str:
    lines = ["# Made by `python -m tools.recall.fit`; do not edit by hand."]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {value:.4f}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _alike(questions: Sequence[JudgedQuestion]) -> list[JudgedQuestion]:
    """As many of each family and sort, so that none outweighs the others."""
    groups: dict[tuple[str, Sort], list[JudgedQuestion]] = {}
    for one in questions:
        groups.setdefault((one.asked.family, one.asked.sort), []).append(one)
    return [
        one
        for group in groups.values()
        for one in sorted(group, key=lambda one: digest(one.asked.text))[:_ALIKE]
    ]


def _refusing(questions: Sequence[JudgedQuestion], table: Mapping[str, float]) -> float:
    """Below this are the least likely of the answerable questions that may be refused."""
    likely = [_value(table, _best(one)) for one in questions if one.asked.sort is Sort.ANSWERABLE]
    return float(np.quantile(likely, _REFUSED))


def _of_hits(questions: Sequence[JudgedQuestion]) -> list[Example]:
    return [(h.evidence, h.kind, h.is_right) for one in questions for h in one.hits[:_HITS]]


def _of_subjects(questions: Sequence[JudgedQuestion]) -> list[Example]:
    """Whether the subject is here; a question whose answer was taken out is neither."""
    return [
        (_best(one), "", one.asked.sort is Sort.ANSWERABLE)
        for one in questions
        if one.asked.sort is not Sort.REMOVED
    ]


def _of_answers(questions: Sequence[JudgedQuestion]) -> list[Example]:
    return [(_best(one), "", any(h.is_right for h in one.hits[:LISTED])) for one in questions]


def _best(one: JudgedQuestion) -> Evidence:
    return best_of([hit.evidence for hit in one.hits]) if one.hits else Evidence()


def _fit(
    examples: Sequence[Example], names: Sequence[str], *, by_kind: bool = False
) -> Mapping[str, float]:
    """Logistic regression with a ridge; no evidence may speak against a hit."""
    values = np.array([[features(e)[name] for name in names] for e, _, _ in examples])
    kinds = sorted({kind for _, kind, _ in examples}) if by_kind else []
    marks = np.array([[float(kind == one) for one in kinds] for _, kind, _ in examples])
    columns = np.hstack([values, marks.reshape(len(examples), -1)])
    right = np.array([float(is_right) for _, _, is_right in examples])
    intercept, weights = _descend(columns, right, positive=len(names))
    found = {name: float(weight) for name, weight in zip(names, weights, strict=False)}
    offsets = {f"kinds.{k}": float(w) for k, w in zip(kinds, weights[len(names) :], strict=True)}
    return {"intercept": intercept, **found, **offsets}


def _descend(columns: Numbers, right: Numbers, positive: int) -> tuple[float, Numbers]:
    """Newton's steps are of no use under bounds; plain steps downhill, cut at zero, are enough."""
    weights, intercept = np.zeros(columns.shape[1]), 0.0
    rate = 4.0 / max(1.0, float((columns**2).sum(axis=1).mean()) + 1)
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-(columns @ weights + intercept)))
        wrong = likely - right
        slope = columns.T @ wrong / len(right) + _RIDGE * weights / len(right)
        weights = weights - rate * slope
        weights[:positive] = np.maximum(weights[:positive], 0.0)
        intercept -= rate * float(wrong.mean())
    return intercept, weights


def _value(table: Mapping[str, float], evidence: Evidence) -> float:
    values = features(evidence)
    total = table["intercept"] + sum(w * values[n] for n, w in table.items() if n in values)
    return float(1 / (1 + np.exp(-total)))


if __name__ == "__main__":
    main()
