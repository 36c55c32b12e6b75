"""Learns how likely a text is a moment: python -m tools.moments.train CLONES; see README.md."""

from __future__ import annotations

import argparse
import json
from importlib.resources import files
from pathlib import Path

import numpy as np

from benchmarks.quality.moments.labelled import TUNE
from commonplace.analysis.likelihood import TYPES
from tools.moments.examples import Examples, Numbers, read

# Directions of the vectors that are kept, how much they count beside signs, how free weights are.
DIRECTIONS, STRESS = 64, 2.0
FREEDOM, FREEDOM_OF_TYPES = 1.0, 0.3
_ROUNDS, _TYPE_ROUNDS, _RATE = 12, 800, 0.5
_PLACES = 4
FOLDS = 8


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.moments.train", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of bare clones, each as OWNER+NAME")
    parser.add_argument("--kept", type=Path, default=Path(".data/vectors"))
    given = parser.parse_args()
    examples = read(given.clones, given.kept)
    tune = examples.part(np.array([one.half == TUNE for one in examples.given]))
    print(_told(tune, *crossed(tune)))
    target = Path(str(files("commonplace.analysis").joinpath("lexicons", "likelihood.json")))
    target.write_text(json.dumps(learned(tune)) + "\n", encoding="utf-8")


def learned(examples: Examples) -> dict[str, object]:
    """What `likelihood.py` reads: a column for "moment", and one for each type."""
    turn, middle = _directions(examples)
    columns = np.vstack([_moment(examples, turn, middle), _types(examples, turn, middle)])
    width, signs = DIRECTIONS, examples.signs.shape[1]
    vector = STRESS * columns[:, :width] @ turn
    bias = columns[:, -1] - vector @ middle
    return {
        "model": _model(),
        "bias": _rounded(bias),
        "vector": _rounded(vector),
        "signs": _rounded(columns[:, width : width + signs]),
        "shape": _rounded(columns[:, width + signs : -1]),
    }


def crossed(examples: Examples) -> tuple[Numbers, Numbers]:
    """The probability of each example, and the scores of its types, by what the others teach."""
    order = np.random.default_rng(0).permutation(len(examples.given))
    likely = np.zeros(len(order))
    scores = np.zeros((len(order), len(TYPES)))
    for number in range(FOLDS):
        unseen = np.zeros(len(order), dtype=bool)
        unseen[order[number::FOLDS]] = True
        taught, asked = examples.part(~unseen), examples.part(unseen)
        turn, middle = _directions(taught)
        features = _features(asked, turn, middle)
        likely[unseen] = _sigmoid(features @ _moment(taught, turn, middle))
        scores[unseen] = features @ _types(taught, turn, middle).T
    return likely, scores


def _told(examples: Examples, likely: Numbers, scores: Numbers) -> str:
    moments = examples.moments > 0
    found = likely >= 0.5
    precision, recall = moments[found].mean(), found[moments].mean()
    types = (scores.argmax(axis=1) == examples.types)[moments].mean()
    sure = likely >= 0.8
    return (
        f"{len(moments)} examples, {int(moments.sum())} moments; crossed: precision "
        f"{precision:.3f}, recall {recall:.3f}, type {types:.3f}; "
        f"from .8 on: {moments[sure].mean():.3f} and {sure[moments].mean():.3f}"
    )


def _directions(examples: Examples) -> tuple[Numbers, Numbers]:
    """The directions in which the vectors differ most, and their middle."""
    middle = examples.vectors.mean(axis=0)
    _, _, turn = np.linalg.svd(examples.vectors - middle, full_matrices=False)
    return turn[:DIRECTIONS], middle


def _features(examples: Examples, turn: Numbers, middle: Numbers) -> Numbers:
    place = STRESS * (examples.vectors - middle) @ turn.T
    one = np.ones((len(examples.given), 1))
    return np.hstack([place, examples.signs, examples.shapes, one])


def _moment(examples: Examples, turn: Numbers, middle: Numbers) -> Numbers:
    """Logistic regression by Newton's steps; the bias alone is free."""
    features, targets = _features(examples, turn, middle), examples.moments
    restraint = np.eye(features.shape[1]) / FREEDOM
    restraint[-1, -1] = 1e-6
    weights = np.zeros(features.shape[1])
    for _ in range(_ROUNDS):
        likely = _sigmoid(features @ weights)
        slope = features.T @ (likely - targets) + restraint @ weights
        bend = (features * (likely * (1 - likely) + 1e-6)[:, None]).T @ features + restraint
        weights -= np.linalg.solve(bend, slope)
    return weights


def _types(examples: Examples, turn: Numbers, middle: Numbers) -> Numbers:
    """Multinomial regression over the moments alone, by plain descent; a row for each type."""
    moments = examples.part(examples.moments > 0)
    features = _features(moments, turn, middle)
    targets: Numbers = np.eye(len(TYPES))[moments.types]
    weights = np.zeros((len(TYPES), features.shape[1]))
    rate = _RATE / np.linalg.norm(features, 2) ** 2 * len(features)
    for _ in range(_TYPE_ROUNDS):
        scores = features @ weights.T
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        wrong = powers / powers.sum(axis=1, keepdims=True) - targets
        slope = (wrong.T @ features + weights / FREEDOM_OF_TYPES) / len(features)
        weights -= rate * slope
    return weights


def _sigmoid(scores: Numbers) -> Numbers:
    likely: Numbers = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return likely


def _rounded(values: Numbers) -> list[object]:
    rounded: list[object] = np.round(values, _PLACES).tolist()
    return rounded


def _model() -> str:
    from commonplace.embedding.bundled import BundledEmbedder

    return BundledEmbedder().identity.key


if __name__ == "__main__":
    main()
