"""What posting lists cost at a million chunks: those of a smaller SQLite store ten times over.

python -m benchmarks lists [--size 100000] [--times 10] [--queries 40]
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.latency.copies import multiply_chunks
from benchmarks.latency.loading import ACTOR, opened, prepared
from benchmarks.latency.texts import read_source, vectors
from benchmarks.latency.words import KINDS, LIMIT, TAGS
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.query import Filter
from commonplace.settings import Settings


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks lists", description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--queries", type=int, default=40)
    given = parser.parse_args(arguments)
    started = now()
    embedder, source = BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, given.size)
    with (
        prepared("sqlite", source, drawn, embedder.identity.key) as settings,
        tempfile.TemporaryDirectory(prefix="cp-bench-") as folder,
    ):
        large = Settings(home=Path(folder))
        multiply(settings.database_file, large.database_file, given.times)
        queries = source.queries[: given.queries]
        columns = [_quantiles(one, queries) for one in (settings, large)]
    rows: list[tuple[Cell, ...]] = [
        (name, *columns[0][name], *columns[1][name]) for name in columns[0]
    ]
    sizes = (given.size, given.size * given.times)
    heads = tuple(f"{size:,}, {q}" for size in sizes for q in ("p50", "p95"))
    table = Table("The best 100 chunks by posting lists", ("CPU ms", *heads), tuple(rows), digits=2)
    Report("lists", (table,), _NOTES).save(started)


def multiply(original: Path, file: Path, times: int) -> None:
    """Chunks and lists again and again, with keys of their own; texts and vectors only once."""
    shutil.copyfile(original, file)
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA synchronous = OFF")
    (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
    multiply_chunks(connection, times)
    connection.execute("UPDATE statistics SET chunks = ?", (chunks * times,))
    connection.commit()
    connection.close()


def _quantiles(settings: Settings, queries: Sequence[str]) -> dict[str, tuple[float, float]]:
    found = {}
    with opened(settings) as store:
        for filtered, tags in TAGS.items():
            for kind, asked in KINDS.items():
                spent = []
                for question in queries:
                    with store.search(ACTOR) as tx:
                        query = asked(question, tx)
                        started = time.process_time()
                        tx.chunks.lexical(query, Filter(tags=tags), LIMIT)
                        spent.append(1000 * (time.process_time() - started))
                p50, p95 = (float(np.quantile(spent, q)) for q in (0.5, 0.95))
                found[f"{kind}, filter: {filtered}"] = (p50, p95)
    return found


_NOTES = (
    (
        "Processor time of `chunks.lexical` with everything that belongs to it: reading blocks, "
        "ranking, and asking who may read what was found. The larger store has the chunks and "
        "lists of the smaller one ten times, each with keys of its own, so that every token has "
        "ten times as many chunks; its texts, text index and vectors are only there once."
    ),
)
