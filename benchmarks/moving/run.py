"""Moving an org to another database under reads and writes: what is lost, how long writers wait."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg

from benchmarks.databases import run_as_administrator, settings_for
from benchmarks.neighbours.filling import DIMENSION, MODEL, fill, vectors_of
from benchmarks.report import Report, Table, now
from commonplace.errors import OrgMoved
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind
from commonplace.model.query import Filter
from commonplace.storage.postgres.moving import PostgresMoves
from commonplace.storage.postgres.store import PostgresStore

ACTOR = Actor("moved", "agent")
_PAUSE = 0.02


@dataclass(slots=True)
class Work:
    """What agents did while the org was moved: what was acknowledged, and how long each took."""

    written: list[str] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks moving", description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument(
        "--no-graph", action="store_true", help="no index of vectors over there: it takes long"
    )
    chosen = parser.parse_args(arguments)
    began = now()
    with settings_for("postgres") as settings:
        assert settings.database_url is not None, "it was just made"
        url = settings.database_url.get_secret_value()
        run_as_administrator(url, "CREATE DATABASE elsewhere")
        to = url.replace("/bench?", "/elsewhere?")
        rows = _measured(url, to, chosen.chunks, with_graph=not chosen.no_graph)
    columns = ("what", "figure")
    table = Table(f"An org of {chosen.chunks:,} chunks", columns, tuple(rows), digits=2)
    graph = _WITHOUT_GRAPH if chosen.no_graph else _WITH_GRAPH
    Report("moving", (table,), (*_NOTES, graph)).save(began)


def _measured(url: str, to: str, chunks: int, *, with_graph: bool) -> list[tuple[str, float | int]]:
    source, target = (PostgresStore(address, now, 4) for address in (url, to))
    if not with_graph:
        run_as_administrator(to, _IN_PLACE_OF_A_GRAPH)
    with psycopg.connect(url) as connection:
        connection.execute("SET search_path = commonplace, public")
        fill(connection, ACTOR.org, 0, 1, chunks)
        connection.execute("SELECT setval('chunks_key_seq', %s)", [chunks])
        connection.commit()
    work = Work()
    threads = [threading.Thread(target=one, args=(source, work)) for one in (_write, _read)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    report = PostgresMoves(url, now).move(ACTOR.org, to)
    whole = time.monotonic() - began
    for thread in threads:
        thread.join()
    with target.read(ACTOR) as tx:
        lost = [id for id in work.written if tx.entries.get(id) is None]
    source.close()
    target.close()
    return [
        ("seconds in all", whole),
        ("seconds that writes waited for the switch", report.waited_seconds),
        ("longest write, seconds", max(work.writes)),
        ("longest read, seconds", max(work.reads)),
        ("writes acknowledged meanwhile", len(work.written)),
        ("of them lost", len(lost)),
        ("reads answered meanwhile", len(work.reads)),
        ("rows moved", sum(report.counts.values())),
    ]


def _write(store: PostgresStore, work: Work) -> None:
    """Until the org has gone."""
    for number in range(1_000_000):
        began = time.monotonic()
        try:
            with store.write(ACTOR) as tx:
                content = EntryContent(f"Note {number}", "written while it moves")
                tx.entries.insert(EntryDraft(f"live-{number}", EntryKind.NOTE, content))
        except OrgMoved:
            return
        work.writes.append(time.monotonic() - began)
        work.written.append(f"live-{number}")
        time.sleep(_PAUSE)


def _read(store: PostgresStore, work: Work) -> None:
    (vector,) = vectors_of(1, 1)
    while True:
        began = time.monotonic()
        try:
            with store.search(ACTOR) as tx:
                tx.chunks.fetch([1, 2, 3], Filter())
                tx.vectors.cosines(MODEL, vector, [1, 2, 3])
        except OrgMoved:
            return
        work.reads.append(time.monotonic() - began)
        time.sleep(_PAUSE)


_NOTES = (
    f"Chunks are synthetic, with a vector of {DIMENSION} dimensions each.",
    "One writer and one reader work on the old server until they are told that the org has gone.",
    "Both databases are on one server, on a machine with other work.",
)
_WITH_GRAPH = "Vectors go into an index over there (HNSW) as they come."
_WITHOUT_GRAPH = (
    "Vectors have no index over there, which the product makes: to fill it takes most of the time "
    "of a move, while nobody waits."
)
# Has the name that the index of the model would have.
_IN_PLACE_OF_A_GRAPH = f"""
DO $$ BEGIN
    EXECUTE format('CREATE INDEX vectors_of_%s ON commonplace.vectors (key)',
                   left(encode(sha256(convert_to('{MODEL}', 'UTF8')), 'hex'), 16));
END $$"""
