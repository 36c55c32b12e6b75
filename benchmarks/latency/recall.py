"""How much of what an exact search would find the vector index of a store finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.latency.loading import ACTOR, opened
from commonplace.embedding.port import Embedder
from commonplace.model.query import Filter
from commonplace.settings import Settings
from commonplace.storage.port import Nearest

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix

_TOP = 10
_WIDTH = 64
_QUERIES = 100
_BLOCK = 50_000
# Cosines of stored 16-bit vectors; PostgreSQL also rounds the query.
_ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class Recall:
    name: str
    of_ten: float
    of_hundred: float
    exact: bool


def measure_recall(
    name: str, settings: Settings, embedder: Embedder, queries: Sequence[str], stored: Matrix
) -> Recall:
    """Shares of the ten nearest that are found, by what they must be as near as."""
    embedded = [embedder.embed_query(query) for query in queries[:_QUERIES]]
    bars = _tenth_best(np.array(embedded), stored)
    shares: dict[int, list[float]] = {_TOP: [], 100: []}
    exact = True
    with opened(settings) as store:
        for vector, bar in zip(embedded, bars, strict=True):
            for limit, found in shares.items():
                with store.read(ACTOR) as tx:
                    near = tx.vectors.nearest(
                        embedder.identity.key, vector, Filter(), limit, _WIDTH
                    )
                found.append(_share(near, bar))
                exact = exact and near.exact
    return Recall(name, float(np.mean(shares[_TOP])), float(np.mean(shares[100])), exact)


def _share(near: Nearest, bar: float) -> float:
    return sum(cosine >= bar - _ROUNDING for _, cosine in near.hits[:_TOP]) / _TOP


def _tenth_best(queries: Matrix, stored: Matrix) -> list[float]:
    best = np.full((len(queries), _TOP), -1.0, np.float32)
    for start in range(0, len(stored), _BLOCK):
        block = stored[start : start + _BLOCK].astype(np.float16).astype(np.float32)
        cosines = np.hstack([best, queries @ block.T])
        best = -np.partition(-cosines, _TOP - 1, axis=1)[:, :_TOP]
    return [float(row.min()) for row in best]
