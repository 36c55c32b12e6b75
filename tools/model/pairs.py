"""Cosines of related and unrelated texts, for calibration and verification.

Decides how pairs are drawn (fixed seed); computes vectors once per text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.datasets import Dataset
from commonplace.embedding.port import Embedder

Matrix = NDArray[np.float32]

PARAPHRASES = (
    ("We deploy every Friday at noon.", "Releases go out each Friday around 12:00."),
    ("Use tabs, not spaces, in Makefiles.", "Makefile recipes must be indented with tabs."),
    ("The API returns 429 when the quota is used up.", "Too many calls get status code 429."),
    ("Passwords are hashed with argon2.", "We store credentials as argon2 hashes."),
    ("Retry failed jobs three times.", "A job that fails is attempted again up to 3 times."),
    ("The cache expires after ten minutes.", "Cached values live for 600 seconds."),
    ("Alice owns the billing service.", "The billing component belongs to Alice."),
    ("Tests run on Python 3.11 only.", "Our suite supports just Python 3.11."),
    ("Logs are written as JSON lines.", "Each log record is one line of JSON."),
    ("The database is backed up nightly.", "Every night a backup of the database is taken."),
    ("Set the timeout to 30 seconds.", "Thirty seconds is the time limit to configure."),
    ("Users prefer the dark theme.", "Most people choose dark mode."),
)


@dataclass(frozen=True, slots=True)
class Cosines:
    """Of one set: chosen at random, and judged to belong together."""

    name: str
    unrelated: Matrix
    related: Matrix


def of_dataset(embedder: Embedder, dataset: Dataset, pairs: int = 400) -> Cosines:
    """Random queries against random documents they were not judged with; judged pairs."""
    chance = random.Random(20)
    judged = [(query, doc) for query, gains in dataset.judgments.items() for doc in gains]
    related = chance.sample(judged, min(pairs, len(judged)))
    documents = chance.choices(list(dataset.documents), k=pairs)
    queries = chance.choices(list(dataset.queries), k=pairs)
    unrelated = [
        (query, document)
        for query, document in zip(queries, documents, strict=True)
        if document not in dataset.judgments[query]
    ]
    return Cosines(
        dataset.name,
        _cosines(embedder, dataset, unrelated),
        _cosines(embedder, dataset, related),
    )


def of_paraphrases(embedder: Embedder) -> Cosines:
    """Short notes: each with its own paraphrase, and with every other one's."""
    left = np.array([embedder.embed_query(one) for one, _ in PARAPHRASES])
    right = np.array([embedder.embed_query(other) for _, other in PARAPHRASES])
    every = left @ right.T
    apart = ~np.eye(len(PARAPHRASES), dtype=bool)
    return Cosines("paraphrases", every[apart], np.diag(every).copy())


def _cosines(embedder: Embedder, dataset: Dataset, pairs: list[tuple[str, str]]) -> Matrix:
    values = []
    for query, document in pairs:
        asked = embedder.embed_query(dataset.queries[query])
        windows = embedder.embed_passages([dataset.documents[document]])[0]
        values.append(max(float(asked @ window) for window in windows))
    return np.array(values, np.float32)
