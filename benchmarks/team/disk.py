"""What a chunk costs on PostgreSQL's disk: rows and indexes, table by table.

python -m benchmarks disk [--chunks 2000]
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import psycopg
from pydantic import SecretStr

from benchmarks.report import Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.settings import Settings
from tests.team.cluster import running_cluster
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

_ACTOR = Actor("bench", "writer")
_DIMENSION = 384
_WORDS_EACH = 120
_SMALL = 50
_COLUMNS = ("table", "rows, bytes a chunk", "indexes, bytes a chunk")
_SIZES = """
    SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
    WHERE relnamespace = 'commonplace'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
_NOTE = (
    f"Notes of {_WORDS_EACH} words, one chunk each, vectors of {_DIMENSION} numbers; after VACUUM "
    "FULL. The log of the database and what updates leave behind come on top."
)


def _embed(asked: Asked) -> Answered:
    dice = map(random.Random, asked.inputs)
    return vectors([[one.gauss(0, 1) for _ in range(_DIMENSION)] for one in dice])


def _fill(application: Application, chunks: int) -> None:
    dice = random.Random(3)
    known = ["".join(dice.choices("abcdefghijklmnop", k=dice.randint(3, 9))) for _ in range(20_000)]
    for number in range(chunks):
        body = " ".join(dice.choices(known, k=_WORDS_EACH))
        content = EntryContent(title=f"Note {number}", body=body)
        application.knowledge.add(_ACTOR, EntryKind.NOTE, content)
    application.new_worker().drain(600.0)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks disk")
    parser.add_argument("--chunks", type=int, default=2000)
    given, started = parser.parse_args(arguments), now()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        endpoint = stack.enter_context(local_endpoint(_embed))
        database = stack.enter_context(running_cluster()).database()
        application = build(
            Settings(
                home=home,
                database_url=SecretStr(database),
                embedding_url=endpoint.url,
                embedding_model="random",
                embedding_dimension=_DIMENSION,
            )
        )
        _fill(application, given.chunks)
        application.close()
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("VACUUM FULL")
            sizes = connection.execute(_SIZES).fetchall()
    rows = [
        (name, rows / given.chunks, indexes / given.chunks)
        for name, rows, indexes in sizes
        if rows + indexes > _SMALL * given.chunks
    ]
    rows.append(("all of these", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    table = Table(f"{given.chunks} chunks", _COLUMNS, tuple(rows), 0)
    Report("disk", (table,), (_NOTE,)).save(started)
