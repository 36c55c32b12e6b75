"""Fits what the cues are worth to the tune half and rewrites `lexicons/weights.toml`.

python -m benchmarks.quality.moments.fit
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.quality.moments.labelled import TUNE, TYPES, Labelled, cue_texts
from commonplace.analysis.cues import cue_counts
from commonplace.analysis.lexicon import NO_MOMENT, cue_phrases, phrases

LABELS = (*TYPES, NO_MOMENT)
LEAST_CONFIDENCE = 0.6
_RESTRAINT = 0.005
_STEPS, _STEP = 3000, 0.3
_PLACES = 2
_HEAD = """\
# What each cue of cues.toml is worth for each type, and for a text that is no moment ("none").
# Written by `python -m benchmarks.quality.moments.fit` from labelled texts; not meant to be edited.
# A text reads like a moment from this confidence on:
"""
Numbers = npt.NDArray[np.float64]


def main() -> None:
    source = files("commonplace.analysis").joinpath("lexicons", "weights.toml")
    lines = _lines(*fitted([each for each in cue_texts() if each.half == TUNE]))
    Path(str(source)).write_text("\n".join(lines) + "\n", encoding="utf-8")


def fitted(labelled: Sequence[Labelled]) -> tuple[Numbers, Numbers]:
    """The weights, a row per cue and a column per label, and the bias of each label.

    Multinomial regression by plain descent. Large weights cost, so that no few texts rule.
    """
    counts, targets = _counts(labelled), _targets(labelled)
    weights = np.zeros((counts.shape[1], len(LABELS)))
    bias = np.zeros(len(LABELS))
    for _ in range(_STEPS):
        wrong = (_shares(counts @ weights + bias) - targets) / len(labelled)
        weights -= _STEP * (counts.T @ wrong + _RESTRAINT * weights)
        bias -= _STEP * wrong.sum(axis=0)
    return weights, bias


def _counts(labelled: Sequence[Labelled]) -> Numbers:
    expressions = [phrases(alternatives) for alternatives in cue_phrases().values()]
    return np.array([cue_counts(expressions, each.text) for each in labelled], dtype=np.float64)


def _targets(labelled: Sequence[Labelled]) -> Numbers:
    places = [LABELS.index(each.type or NO_MOMENT) for each in labelled]
    chosen: Numbers = np.eye(len(LABELS))[places]
    return chosen


def _shares(scores: Numbers) -> Numbers:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Numbers = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _lines(weights: Numbers, bias: Numbers) -> Iterator[str]:
    yield f"{_HEAD}least_confidence = {LEAST_CONFIDENCE}"
    yield f"bias = {_table(bias)}"
    yield "\n[cues]"
    yield from (f"{name} = {_table(row)}" for name, row in zip(cue_phrases(), weights, strict=True))


def _table(row: Numbers) -> str:
    cells = (f"{label} = {value:.{_PLACES}f}" for label, value in zip(LABELS, row, strict=True))
    return f"{{ {', '.join(cells)} }}"


if __name__ == "__main__":
    main()
