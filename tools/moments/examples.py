"""What the likelihood of moments is learned from: labelled texts and turns of threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.kept_vectors import KeptVectors
from benchmarks.quality.moments.labelled import OWN, TUNE, Thread, public, rows, texts, threads
from commonplace.analysis.likelihood import TYPES, shape_of, together
from commonplace.capture.blocks import turns_of
from commonplace.capture.carrying import sentences_in
from commonplace.capture.moments import LONGEST_SENTENCE
from commonplace.embedding.bundled import BundledEmbedder

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """`type` is the place of a moment's type, or -1."""

    text: str
    half: str
    moment: bool
    type: int
    form: str


@dataclass(frozen=True, slots=True)
class Examples:
    """A row for each example that somebody said something in."""

    given: tuple[Example, ...]
    vectors: Numbers
    signs: Numbers
    shapes: Numbers

    @property
    def moments(self) -> Numbers:
        return np.array([one.moment for one in self.given], dtype=np.float64)

    @property
    def types(self) -> NDArray[np.int64]:
        return np.array([one.type for one in self.given])

    def part(self, chosen: NDArray[np.bool_]) -> Examples:
        given = tuple(one for one, keep in zip(self.given, chosen, strict=True) if keep)
        return Examples(given, self.vectors[chosen], self.signs[chosen], self.shapes[chosen])


def read(clones: Path, kept: Path) -> Examples:
    """All labelled texts, and of the threads every turn and every moment."""
    labelled = [
        Example(one.text, one.half, one.moment, _place(one.type), one.form)
        for one in (*texts(), *public(clones))
    ]
    labelled += [
        Example(row["text"], TUNE, row["moment"], _place(row.get("type")), OWN)
        for row in rows("taught")
    ]
    talked = [example for thread in threads() for example in _turns(thread)]
    return _numbers([*labelled, *talked], KeptVectors(BundledEmbedder(), kept))


def _turns(thread: Thread) -> Iterator[Example]:
    """Each moment, and each turn that has none of them."""
    for told in thread.moments:
        yield Example(told.text, thread.half, True, _place(told.type), "thread")
    turn = turns_of(thread.text)
    for line in thread.text.splitlines():
        if not any(told.text in line for told in thread.moments):
            yield Example(turn.sub("", line, count=1).strip(), thread.half, False, -1, "thread")


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
