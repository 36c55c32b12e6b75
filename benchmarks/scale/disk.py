"""Where the bytes of a chunk go on both stores, table by table, and how often the text that is.

python -m benchmarks disk [--collections sqlite-20000,postgres-20000]
"""

from __future__ import annotations

import argparse
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing

import psycopg

from benchmarks.latency.loading import prepared
from benchmarks.latency.texts import read_source, vectors
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.canonical import DERIVED
from commonplace.settings import Settings
from commonplace.storage.sqlite.connections import open_connection

_GRAPH, _FREE = "vector graph", "free pages"
_LEAST_SHOWN = 5
_SQLITE = """
SELECT s.tbl_name, s.type = 'index' OR s.name <> s.tbl_name AS is_index, sum(d.pgsize) AS bytes
FROM dbstat d JOIN sqlite_schema s USING (name) GROUP BY s.name"""
_POSTGRES = """
SELECT coalesce(p.inhparent, c.oid)::regclass::text, pg_table_size(c.oid), pg_indexes_size(c.oid)
FROM pg_class c LEFT JOIN pg_inherits p ON p.inhrelid = c.oid
WHERE c.relnamespace = 'commonplace'::regnamespace AND c.relkind = 'r'"""
_TEXT_INDEX = "passages_fts"

# Of each table: its rows, and its indexes.
Sizes = dict[str, tuple[float, float]]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks disk", description=__doc__)
    parser.add_argument("--collections", default="sqlite-20000,postgres-20000")
    given = parser.parse_args(arguments)
    started = now()
    embedder, source = BundledEmbedder(), read_source()
    tables: list[Table] = []
    searched: list[tuple[Cell, ...]] = []
    for dialect, _, size in (one.partition("-") for one in given.collections.split(",")):
        drawn = vectors(source, embedder, int(size))
        with prepared(dialect, source, drawn, embedder.identity.key) as settings:
            chunks, written, sizes = _measured(settings)
        tables.append(_table(f"{dialect}, {chunks:,} chunks", chunks, sizes))
        index = sum(map(sum, (both for name, both in sizes.items() if _is_for_search(name))))
        searched.append((dialect, chunks, written / chunks, index / chunks, index / written))
    columns = ("store", "chunks", "text, bytes a chunk", "index, bytes a chunk", "times the text")
    tables.append(Table("What is only there to be searched", columns, tuple(searched), digits=1))
    Report("disk", tuple(tables), _NOTES).save(started)


def _is_for_search(table: str) -> bool:
    return table in DERIVED or table in (_TEXT_INDEX, _GRAPH)


def _measured(settings: Settings) -> tuple[int, int, Sizes]:
    if settings.database_url:
        return _in_postgres(settings.database_url.get_secret_value())
    with closing(open_connection(settings.database_file)) as connection:
        (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone()
        lengths = "length(CAST(title AS BLOB)) + length(CAST(body AS BLOB))"
        (written,) = connection.execute(f"SELECT sum({lengths}) FROM entries").fetchone()
        sizes = _in_file(connection)
    graphs = sum(file.stat().st_size for file in settings.home.glob("vectors/*.graph"))
    return chunks, written, sizes | {_GRAPH: (0.0, float(graphs))}


def _in_file(connection: sqlite3.Connection) -> Sizes:
    sizes: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for table, is_index, size in connection.execute(_SQLITE):
        # The text index consists of tables of its own.
        whole = _TEXT_INDEX if table.startswith(_TEXT_INDEX) else table
        sizes[whole][is_index or whole == _TEXT_INDEX] += size
    (page,) = connection.execute("PRAGMA page_size").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    sizes[_FREE][0] = page * free
    return {name: (rows, indexes) for name, (rows, indexes) in sizes.items()}


def _in_postgres(url: str) -> tuple[int, int, Sizes]:
    sizes: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    with psycopg.connect(url) as connection:
        connection.execute("SET search_path = commonplace")
        for table, rows, indexes in connection.execute(_POSTGRES):
            sizes[table][0] += rows
            sizes[table][1] += indexes
        (chunks,) = connection.execute("SELECT count(*) FROM chunks").fetchone() or (0,)
        lengths = "octet_length(title) + octet_length(body)"
        query = f"SELECT sum({lengths})::bigint FROM entries"
        (written,) = connection.execute(query.encode()).fetchone() or (0,)
    return chunks, written, {name: (rows, indexes) for name, (rows, indexes) in sizes.items()}


def _table(title: str, chunks: int, sizes: Sizes) -> Table:
    rows = list(_rows(chunks, sizes))
    rows.append(("all of these", *(sum(float(str(row[n])) for row in rows) for n in (1, 2, 3))))
    columns = ("bytes a chunk", "rows", "indexes", "together")
    return Table(title, columns, tuple(rows), digits=0)


def _rows(chunks: int, sizes: Sizes) -> Iterator[tuple[Cell, ...]]:
    for name, both in sorted(sizes.items(), key=lambda size: -sum(size[1])):
        rows, indexes = (size / chunks for size in both)
        if rows + indexes >= _LEAST_SHOWN:
            yield name, rows, indexes, rows + indexes


_NOTES = (
    "Entries as in `latency`, nearly all of one chunk; vectors of 384 numbers.",
    (
        "The text is title and body as they were written. What is only there to be searched can "
        "be made again from them: chunks with a copy of their texts, tokens, text index, posting "
        "lists, vectors and their graph (on PostgreSQL an index of `vectors`)."
    ),
    (
        "On SQLite, the vectors' graph (from 100,000 chunks on) and free pages, which later writes "
        "use, have lines of their own. The log of the database comes on top."
    ),
)
