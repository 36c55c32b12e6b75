"""How long the `institutional` tools take on 10,000 items, beside the least that each could cost.

python -m benchmarks items [--count 10000] [--stores sqlite,postgres] [--calls 150]
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.latency.floor import Stopwatch
from benchmarks.latency.loading import ACTOR
from benchmarks.latency.texts import Source, contents, read_source, vectors
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build_store, running_application, utc_now
from commonplace.capture.items import KIND, TYPES, Item, content_of
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.port import Embedder
from commonplace.knowledge.passages import chunks_of
from commonplace.knowledge.rules import checked
from commonplace.knowledge.service.writes import insert_prepared
from commonplace.knowledge.values import Prepared
from commonplace.model.call import PLAIN_CALL
from commonplace.model.chunk import Urgency
from commonplace.settings import Settings
from commonplace.surfaces.call import success, validated
from commonplace.surfaces.institutional.tools import INSTITUTIONAL

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix

TOOLS = {tool.name: tool for tool in INSTITUTIONAL.tools}
PROJECT = "project-7"
_PROJECTS = 20
_WARM_UP = 15
_BATCH = 500
_NEAREST = 5
_BARE_TABLE = (
    "CREATE TEMP TABLE bare AS SELECT id, title, category, project, created_at, key FROM entries",
    "CREATE INDEX bare_newest ON bare (created_at DESC, key DESC)",
    "CREATE INDEX bare_project ON bare (project, created_at DESC, key DESC)",
)

Ask = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Case:
    """A call as a client makes it, and beside which floor it is put."""

    name: str
    tool: str
    arguments: Mapping[str, Any]
    floor: str


CASES = (
    Case("list_knowledge", "list_knowledge", {}, "list"),
    Case("list_knowledge, a project of 5 %", "list_knowledge", {"project": PROJECT}, "project"),
    Case("semantic_search", "semantic_search", {}, "search"),
    Case("semantic_search, a project of 5 %", "semantic_search", {"project": PROJECT}, "search"),
    Case("tiered_retrieval", "tiered_retrieval", {}, "search"),
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks items", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--calls", type=int, default=150)
    given = parser.parse_args(arguments)
    started, source, embedder = now(), read_source(), BundledEmbedder()
    drawn = vectors(source, embedder, given.count)
    rows: list[tuple[Cell, ...]] = []
    for dialect in given.stores.split(","):
        with settings_for(dialect) as settings:
            print(f"{given.count} items on {dialect}", flush=True)
            _fill(settings, source, drawn, embedder.identity.key)
            rows += _measured(dialect, settings, source.queries[: given.calls + _WARM_UP], drawn)
    columns = ("ms", "p50", "p95", "floor p50", "floor p95", "ratio p50", "ratio of CPU time")
    Report("items", (Table("A whole call", columns, tuple(rows), digits=2),), _NOTES).save(started)


def _fill(settings: Settings, source: Source, drawn: Matrix, model: str) -> None:
    """As capture_knowledge stores them, without asking the model for each."""
    with closing(build_store(settings, utc_now)) as store:
        remaining = _prepared(source, drawn, model)
        while batch := list(islice(remaining, _BATCH)):
            with store.write(ACTOR) as tx:
                for number, prepared in batch:
                    insert_prepared(tx, prepared, f"ki-{number}")
    if settings.database_url:
        import psycopg

        url = settings.database_url.get_secret_value()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


def _prepared(source: Source, drawn: Matrix, model: str) -> Iterator[tuple[int, Prepared]]:
    for number, text in enumerate(contents(source, len(drawn))):
        item = Item(
            summary=text.title,
            content=text.body,
            type=TYPES[number % len(TYPES)],
            project=f"project-{number % _PROJECTS}",
            file_context=f"src/module_{number % 300}.py",
            tags=text.tags,
        )
        content = checked(content_of(item), utc_now())
        drafts = chunks_of(KIND, content, Urgency.FRESH)
        found = {draft.text_hash: [drawn[number]] for draft in drafts}
        yield number, Prepared(KIND, content, drafts, model, found)


def _measured(
    dialect: str, settings: Settings, queries: Sequence[str], drawn: Matrix
) -> Iterator[tuple[Cell, ...]]:
    """Product and floor in turn, so that what else the machine does slows both."""
    with running_application(settings) as application, _floors(settings, drawn) as floors:
        for case in CASES:
            watch = Stopwatch()
            for number, query in enumerate(queries):
                with watch.measure("whole"):
                    _call(application, case, query)
                with watch.measure("floor"):
                    floors[case.floor](query)
                watch.end_lap()
                if number == _WARM_UP - 1:
                    watch.times.clear()
            yield _row(f"{dialect} {case.name}", watch, computed=dialect == "sqlite")


def _call(application: Application, case: Case, query: str) -> None:
    """Arguments checked, answer written out: what the wrapper does around every tool."""
    tool = TOOLS[case.tool]
    asked = {"query": query} if "query" in tool.arguments.model_fields else {}
    given = validated(tool.arguments, {**case.arguments, **asked})
    success(tool.run(application, ACTOR, given, PLAIN_CALL))


def _row(name: str, watch: Stopwatch, *, computed: bool) -> tuple[Cell, ...]:
    times = {part: [1000 * seconds for seconds in watch.times[part]] for part in watch.times}
    whole, floor = (
        [float(np.quantile(times[part], q)) for q in (0.5, 0.95)] for part in ("whole", "floor")
    )
    ratio = median(times["cpu whole"]) / median(times["cpu floor"]) if computed else None
    row = (name, *whole, *floor, whole[0] / floor[0], ratio)
    print(" ", row, flush=True)
    return row


@contextmanager
def _floors(settings: Settings, drawn: Matrix) -> Iterator[Mapping[str, Ask]]:
    with _driver(settings) as run:
        for statement in (*_BARE_TABLE, "ANALYZE bare"):
            run(statement)
        yield {
            "list": lambda _query: _bare_page(run, "true"),
            "project": lambda _query: _bare_page(run, f"project = '{PROJECT}'"),
            "search": _scan(BundledEmbedder(), drawn),
        }


@contextmanager
def _driver(settings: Settings) -> Iterator[Callable[[str], Any]]:
    """The database's own driver, with nothing of ours in between."""
    if settings.database_url is None:
        with closing(sqlite3.connect(settings.database_file)) as file:
            yield file.execute
        return
    import psycopg

    url = settings.database_url.get_secret_value()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET search_path = commonplace")
        yield lambda statement: connection.execute(statement.encode())


def _bare_page(run: Callable[[str], Any], condition: str) -> None:
    newest = "ORDER BY created_at DESC, key DESC LIMIT 10"
    columns = "id, title, category, project, created_at"
    run(f"SELECT {columns} FROM bare WHERE {condition} {newest}").fetchall()
    run(f"SELECT count(*) FROM bare WHERE {condition}").fetchall()


def _scan(embedder: Embedder, drawn: Matrix) -> Ask:
    # The model first, as in a search of the product.
    embedder.embed_query("load the model")
    from usearch.index import MetricKind, search

    matrix = drawn.astype(np.float16)

    def scan(query: str) -> object:
        vector = embedder.embed_query(query).astype(np.float16)
        return search(matrix, vector, _NEAREST, MetricKind.Cos, exact=True)

    return scan


_NOTES = (
    (
        "A whole call: arguments checked, the tool run, its answer written as JSON, accesses "
        "counted in a transaction of their own; without transport."
    ),
    (
        "Floor of a list: the page and the count as two statements by the database's own driver, "
        "on a bare table of these columns with an index for each. Floor of a search: embedding the "
        f"query and an exact usearch scan of the same vectors ({_NEAREST} nearest, f16), never "
        "filtered. In turn with the product."
    ),
    (
        "Ratio of CPU time: of this process in all its threads, medians; it holds on a busy "
        "machine too. PostgreSQL computes in processes of its own."
    ),
    (
        "Items are sentences of SciFact put together anew, spread over five types and twenty "
        "projects; vectors are scattered around real ones; queries are SciFact's claims."
    ),
)
