"""Texts and vectors to load in bulk: real sentences put together anew, vectors near real ones.

Decides the shape of the collection: word frequencies and queries are those of SciFact.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.quality.datasets import data_folder, load
from benchmarks.quality.kept_vectors import KeptVectors
from commonplace.embedding.port import Embedder
from commonplace.model.entry import EntryContent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

SELECTIVE_TAG, COMMON_TAG = "tag-7", "common"
# More entries than this are the same texts again.
MOST_TEXTS = 100_000
_TAGS = 100
_SENTENCES = (3, 7)
# Nearly always one chunk.
_LONGEST_BODY = 1000
_CENTRES = 2000
# About the spread of texts on one subject: two of a cluster have a cosine of .8.
_SPREAD = 0.5
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_SEED = 11


@dataclass(frozen=True, slots=True)
class Source:
    """What the collection is made of."""

    sentences: list[str]
    queries: list[str]


def read_source() -> Source:
    dataset = load("scifact")
    found = (_SENTENCE_END.split(text) for text in dataset.documents.values())
    sentences = sorted({s for parts in found for s in parts if 20 < len(s) < 400})
    return Source(sentences, sorted(dataset.queries.values()))


def contents(source: Source, count: int) -> Iterator[EntryContent]:
    """The same on every run; one entry in a hundred has the selective tag, one in three the
    common one."""
    chance = random.Random(_SEED)
    for number in range(count):
        drawn = chance.choices(source.sentences, k=1 + chance.randint(*_SENTENCES))
        tags = [f"tag-{number % _TAGS}"] + [COMMON_TAG] * (number % 3 == 0)
        body = " ".join(drawn[1:])[:_LONGEST_BODY]
        yield EntryContent(title=drawn[0][:120], body=body, tags=tuple(tags))


def vectors(source: Source, embedder: Embedder, count: int) -> Matrix:
    """Unit vectors scattered around the embeddings of some of the sentences."""
    chance = np.random.default_rng(_SEED)
    kept = KeptVectors(embedder, data_folder() / "vectors")
    sample = random.Random(_SEED).sample(source.sentences, _CENTRES)
    centres = np.array([windows[0] for windows in kept.embed_passages(sample)])
    dimension = centres.shape[1]
    drawn: Matrix = chance.normal(0, _SPREAD / np.sqrt(dimension), (count, dimension)).astype("f4")
    drawn += centres[chance.integers(0, len(centres), count)]
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn
