"""The training examples of the probability of moments: labelled texts, and turns of threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.kept_vectors import KeptVectors
from benchmarks.quality.moments.labelled import TUNE, Labelled, Thread, public, rows, texts, threads
from commonplace.analysis.likelihood import TYPES, TextForm, shape_of, together
from commonplace.capture.blocks import turns_of
from commonplace.capture.carrying import sentences_in
from commonplace.capture.moments import LONGEST_SENTENCE
from commonplace.embedding.bundled import BundledEmbedder

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """`type` is the index of a moment's type, or -1; the example counts `repeats` times.

    Only those that are `evidence` say how often a text of some score is a moment.
    """

    text: str
    probability: float
    type: int
    form: TextForm
    repeats: int = 1
    evidence: bool = False


@dataclass(frozen=True, slots=True)
class Examples:
    """The features of all examples that have a sentence, a row for each."""

    given: tuple[Example, ...]
    vectors: Numbers
    signs: Numbers
    shapes: Numbers

    @property
    def moments(self) -> Numbers:
        """The probability that each is to have."""
        return np.array([one.probability for one in self.given], dtype=np.float64)

    @property
    def types(self) -> NDArray[np.int64]:
        return np.array([one.type for one in self.given])

    @property
    def repeats(self) -> Numbers:
        return np.array([one.repeats for one in self.given], dtype=np.float64)

    def part(self, chosen: NDArray[np.bool_]) -> Examples:
        given = tuple(one for one, keep in zip(self.given, chosen, strict=True) if keep)
        return Examples(given, self.vectors[chosen], self.signs[chosen], self.shapes[chosen])


def read(clones: Path, kept: Path) -> Examples:
    """The tuning half: all texts, and of the threads every moment and every turn without one."""
    own = (one for one in texts() if one.half == TUNE)
    labelled = [_example(one) for one in (*own, *public(clones, [TUNE]))]
    taught = [_taught(row) for name in ("taught", "promised") for row in rows(name)]
    talked = [one for thread in threads() if thread.half == TUNE for one in _turns(thread)]
    return _numbers([*labelled, *taught, *talked], KeptVectors(BundledEmbedder(), kept))


def _example(one: Labelled) -> Example:
    place = _place(one.type)
    return Example(one.text, float(one.moment), place, one.text_form, evidence=True)


def _taught(row: dict[str, Any]) -> Example:
    """A row of a file that is only learned from."""
    return Example(
        row["text"],
        row.get("probability", float(row["moment"])),
        _place(row.get("type")),
        TextForm(row.get("form", TextForm.TALK)),
        row.get("repeats", 1),
    )


def _turns(thread: Thread) -> Iterator[Example]:
    """Each moment, and each turn without any."""
    for told in thread.moments:
        yield Example(told.text, 1.0, _place(told.type), TextForm.TALK)
    turn = turns_of(thread.text)
    for line in thread.text.splitlines():
        if not any(told.text in line for told in thread.moments):
            said = turn.sub("", line, count=1).strip()
            yield Example(said, 0.0, -1, TextForm.TALK)


def _numbers(given: Sequence[Example], embedder: KeptVectors) -> Examples:
    kept, vectors, signs, shapes = list[Example](), list[Numbers](), [], []
    for one in given:
        said = sentences_in(one.text)
        if not said:
            continue
        windows = embedder.embed_passages(
            [one.text[s.start : s.end][:LONGEST_SENTENCE] for s in said]
        )
        kept.append(one)
        vectors.append(np.mean([each[0] for each in windows], axis=0))
        signs.append(together([sentence.signs for sentence in said]))
        shapes.append(shape_of(one.text))
    return Examples(tuple(kept), np.array(vectors), np.array(signs, float), np.array(shapes))


def _place(named: str | None) -> int:
    return -1 if named is None else TYPES.index(named)
