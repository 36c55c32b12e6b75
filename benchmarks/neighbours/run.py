"""What a small org's search costs beside a large neighbour, and beside none.

Three databases on one server, asked in turns: the small org alone, beside a neighbour that has a
partition of its own, and beside the same neighbour in one table with it, as before.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.databases import run_as_administrator, settings_for
from benchmarks.neighbours.filling import DIMENSION, MODEL, fill, vectors_of, words_of
from benchmarks.report import Cell, Report, Table, now
from commonplace.model.actor import Actor
from commonplace.model.query import Filter
from commonplace.model.times import Clock
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postgres.store import PostgresStore

LARGE = "large"
ALONE, APART, TOGETHER = "alone", "beside it, apart", "beside it, in one table"
_FOUND = 20
_QUERIES = 40
_CLOCK: Clock = now


@dataclass(frozen=True, slots=True)
class Place:
    """One database, and how long each search took in it, by the size of the org that searched."""

    name: str
    store: PostgresStore
    seconds: dict[int, list[float]]

    def percentile(self, size: int, share: float) -> float:
        return float(np.percentile(self.seconds[size], share)) * 1000


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks neighbours", description=__doc__)
    parser.add_argument("--neighbour", type=int, default=100_000, help="chunks of the neighbour")
    parser.add_argument("--small", type=int, nargs="+", default=[2_000, 8_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--apart-only", action="store_true", help="leave the old layout out")
    parser.add_argument(
        "--graph",
        choices=("all", "small", "none"),
        default="all",
        help="whose vectors have an index: that of a large neighbour takes long",
    )
    chosen = parser.parse_args(arguments)
    began = now()
    rows = _measured(chosen)
    table = Table(
        f"One search of a small org, beside a neighbour of {chosen.neighbour:,} chunks",
        ("small org, neighbour", "p50 ms", "p95 ms", "least ms", "p50 ratio", "p95 ratio"),
        tuple(rows),
        digits=2,
    )
    Report("neighbours", (table,), (*_NOTES, _GRAPHS[chosen.graph])).save(began)


def _measured(chosen: argparse.Namespace) -> list[tuple[Cell, ...]]:
    with settings_for("postgres") as settings:
        assert settings.database_url is not None, "it was just made"
        url = settings.database_url.get_secret_value()
        names = [ALONE, APART] if chosen.apart_only else [ALONE, APART, TOGETHER]
        places = [_made(url, number, name, chosen) for number, name in enumerate(names)]
        for turn in range(-1, chosen.rounds):
            for place in places[turn % len(places) :] + places[: turn % len(places)]:
                _ask(place, counted=turn >= 0)
        for place in places:
            place.store.close()
    return [_row(size, place, places[0]) for size in chosen.small for place in places]


def _row(size: int, place: Place, alone: Place) -> tuple[Cell, ...]:
    return (
        f"{size:,}, {place.name}",
        place.percentile(size, 50),
        place.percentile(size, 95),
        place.percentile(size, 0),
        place.percentile(size, 50) / alone.percentile(size, 50),
        place.percentile(size, 95) / alone.percentile(size, 95),
    )


def _made(url: str, number: int, name: str, chosen: argparse.Namespace) -> Place:
    run_as_administrator(url, f"CREATE DATABASE place_{number}")
    address = url.replace("/bench?", f"/place_{number}?")
    store = PostgresStore(address, _CLOCK, 2)
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path = commonplace, public")
        key = 1
        for size in chosen.small:
            fill(connection, _searcher(size).org, 0, key, size)
            key += size
        if name != ALONE:
            part = _given(connection) if name == APART else 0
            fill(connection, LARGE, part, key, chosen.neighbour)
        if chosen.graph == "all":
            connection.execute("SELECT ensure_vector_index(%s, %s)", [MODEL, DIMENSION])
        elif chosen.graph == "small":
            connection.execute(_GRAPH_OF_SHARED.encode())
        connection.commit()
    run_as_administrator(address, "VACUUM ANALYZE")
    return Place(name, store, {size: [] for size in chosen.small})


def _searcher(size: int) -> Actor:
    return Actor(f"small-{size}", "agent")


def _given(connection: psycopg.Connection) -> int:
    """A partition of its own for the neighbour, and one for the system, as workers give them."""
    for org in ("system", LARGE):
        connection.execute("INSERT INTO org_partitions (org, settled) VALUES (%s, true)", [org])
    connection.execute("SELECT make_partition(part) FROM org_partitions")
    return 2


def _ask(place: Place, *, counted: bool) -> None:
    queries = vectors_of(7_000_000, _QUERIES)
    gc.collect()
    for number, vector in enumerate(queries):
        words = LexicalQuery(terms=tuple(dict.fromkeys(words_of(9_000_000 + number, 4))))
        for size, seconds in place.seconds.items():
            began = time.perf_counter()
            _search(place.store, _searcher(size), words, vector.astype(np.float32))
            if counted:
                seconds.append(time.perf_counter() - began)


def _search(
    store: PostgresStore, actor: Actor, words: LexicalQuery, vector: NDArray[np.float32]
) -> None:
    """What a search asks the store for, in one transaction."""
    with store.search(actor) as tx:
        keys = tx.chunks.lexical(words, Filter(), _FOUND * 5)
        near = tx.vectors.nearest(MODEL, vector, Filter(), _FOUND * 5, 64)
        both = list(dict.fromkeys([*keys, *(key for key, _ in near.hits)]))
        tx.chunks.terms(both, Filter())
        tx.vectors.cosines(MODEL, vector, both)
        tx.chunks.fetch(both[:_FOUND], Filter())


_NOTES = (
    "A search is what `retrieval` asks the store for: words, meaning, terms, cosines, texts.",
    "All of it is synthetic: 40 words a chunk by Zipf's law, vectors of 384 dimensions by chance.",
    "The databases are asked in turns by one caller; ratios are to the org alone.",
    "In one table is how every database was laid out before, and how an org that is not large is.",
)
_GRAPHS = {
    "all": "Every partition has an index of its vectors (HNSW), as the product makes it.",
    "small": (
        "The shared partition has an index of its vectors (HNSW) as the product makes it, the "
        "neighbour's has none: it was not built for want of time, and a plan that reads another "
        "org's partition fails a test (tests/postgres/test_partitions.py)."
    ),
    "none": "No index of vectors was built; so small an org is compared exactly.",
}
_GRAPH_OF_SHARED = f"""
CREATE INDEX ON vectors_0 USING hnsw ((vector::halfvec({DIMENSION})) halfvec_cosine_ops)
WITH (m = 32, ef_construction = 128) WHERE model = '{MODEL}'"""
