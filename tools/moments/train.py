"""Train the probability of moments: python -m tools.moments.train CLONES; see README.md."""

from __future__ import annotations

import argparse
import json
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonplace.analysis.likelihood import TYPES, TextForm
from commonplace.embedding.bundled import BundledEmbedder
from tools.moments.examples import Examples, Numbers, read

# How many directions of the vectors are used, and how much they count beside signs and shape.
DIRECTIONS, STRESS = 64, 3.0
# How freely the weights of one form of text may differ from those of all, and weights from zero.
OWN, FREEDOM = 0.7, 0.3
FOLDS = 8
_STEPS, _CLOSE = 12, 1e-4
_PLACES = 4
_FORMS = tuple(TextForm)


class Space(NamedTuple):
    """The directions in which the vectors differ most, and their middle."""

    directions: Numbers
    middle: Numbers

    @classmethod
    def of(cls, examples: Examples) -> Space:
        middle = examples.vectors.mean(axis=0)
        _, _, directions = np.linalg.svd(examples.vectors - middle, full_matrices=False)
        return cls(directions[:DIRECTIONS], middle)

    def placed(self, vectors: Numbers) -> Numbers:
        placed: Numbers = STRESS * (vectors - self.middle) @ self.directions.T
        return placed


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.moments.train", description=__doc__)
    parser.add_argument("clones", type=Path, help="folder of bare clones, each as OWNER+NAME")
    parser.add_argument("--kept", type=Path, default=Path(".data/vectors"))
    given = parser.parse_args()
    examples = read(given.clones, given.kept)
    scores = crossed(examples)
    print(_described(examples, scores))
    target = Path(str(files("commonplace.analysis").joinpath("lexicons", "likelihood.json")))
    target.write_text(json.dumps(trained(examples, scores)) + "\n", encoding="utf-8")


def trained(examples: Examples, crossed: Numbers) -> dict[str, object]:
    """The content of `likelihood.json`: the weights of each form of text.

    `crossed` are the scores of each example by weights that were trained without it.
    """
    space = Space.of(examples)
    columns = _columns(examples, space)
    columns[0] *= _certainty(examples, crossed)
    heads = {form.value: _head(columns, space, form, examples) for form in _FORMS}
    return {"model": BundledEmbedder().identity.key, **heads}


def _certainty(examples: Examples, crossed: Numbers) -> float:
    """The factor that turns scores of unseen texts into log odds; less than 1 if too sure."""
    chosen = np.array([one.evidence for one in examples.given])
    scores = crossed[chosen, :1]
    return float(_weights(scores, examples.moments[chosen], np.ones(len(scores)))[0])


def crossed(examples: Examples) -> Numbers:
    """The scores of each example, "moment" first, by weights learned from the other folds."""
    order = np.random.default_rng(0).permutation(len(examples.given))
    scores = np.zeros((len(order), 1 + len(TYPES)))
    for fold in range(FOLDS):
        unseen = np.zeros(len(order), dtype=bool)
        unseen[order[fold::FOLDS]] = True
        seen = examples.part(~unseen)
        space = Space.of(seen)
        scores[unseen] = _features(examples.part(unseen), space) @ _columns(seen, space).T
    return scores


def _described(examples: Examples, scores: Numbers) -> str:
    moments = examples.moments > 0
    probabilities = _sigmoid(scores[:, 0])
    found, sure = probabilities >= 0.5, probabilities >= 0.8
    types = (scores[:, 1:].argmax(axis=1) == examples.types)[moments].mean()
    return (
        f"{len(moments)} examples, {int(moments.sum())} moments; crossed: precision "
        f"{moments[found].mean():.3f}, recall {found[moments].mean():.3f}, type {types:.3f}; "
        f"from .8 on: {moments[sure].mean():.3f} and {sure[moments].mean():.3f}"
    )


def _features(examples: Examples, space: Space) -> Numbers:
    """What all forms share, the same again for each form alone, which form it is, and 1."""
    common = np.hstack([space.placed(examples.vectors), examples.signs, examples.shapes])
    forms = np.array([[one.form is form for form in _FORMS] for one in examples.given], float)
    own = [OWN * common * forms[:, [place]] for place in range(len(_FORMS))]
    return np.hstack([common, *own, forms, np.ones((len(common), 1))])


def _columns(examples: Examples, space: Space) -> Numbers:
    """The weights of all features: a row for "moment", then one for each type, from moments."""
    features, moments = _features(examples, space), examples.moments > 0
    types = examples.types[moments]
    return np.array(
        [
            _weights(features, examples.moments, examples.repeats),
            *(
                _weights(features[moments], (types == place) * 1.0, examples.repeats[moments])
                for place in range(len(TYPES))
            ),
        ]
    )


def _weights(features: Numbers, targets: Numbers, repeats: Numbers) -> Numbers:
    """Logistic regression by Newton's method; large weights cost, the last one (bias) does not."""
    restraint = np.eye(features.shape[1]) / FREEDOM
    restraint[-1, -1] = 1e-6
    # Half the time with single precision: the bend only leads to where the slope is zero.
    single = features.astype(np.float32)
    weights = np.zeros(features.shape[1])
    for _ in range(_STEPS):
        likely = _sigmoid(features @ weights)
        slope = features.T @ (repeats * (likely - targets)) + restraint @ weights
        spread = (repeats * (likely * (1 - likely) + 1e-6)).astype(np.float32)
        bend = (single * spread[:, None]).T @ single
        step = np.linalg.solve(bend + restraint, slope)
        weights -= step
        if abs(step).max() < _CLOSE:
            break
    return weights


def _head(columns: Numbers, space: Space, form: TextForm, examples: Examples) -> dict[str, object]:
    """The weights of one form of text, with the directions folded back into vectors."""
    signs, place = examples.signs.shape[1], _FORMS.index(form)
    width = DIRECTIONS + signs + examples.shapes.shape[1]
    begin = width * (1 + place)
    common = columns[:, :width] + OWN * columns[:, begin : begin + width]
    vector = STRESS * common[:, :DIRECTIONS] @ space.directions
    biases = columns[:, width * (1 + len(_FORMS)) :]
    return {
        "bias": _rounded(biases[:, place] + biases[:, -1] - vector @ space.middle),
        "vector": _rounded(vector),
        "signs": _rounded(common[:, DIRECTIONS : DIRECTIONS + signs]),
        "shape": _rounded(common[:, DIRECTIONS + signs :]),
    }


def _sigmoid(scores: Numbers) -> Numbers:
    likely: Numbers = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return likely


def _rounded(values: Numbers) -> list[object]:
    rounded: list[object] = np.round(values, _PLACES).tolist()
    return rounded


if __name__ == "__main__":
    main()
