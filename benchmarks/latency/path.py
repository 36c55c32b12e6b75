"""What each part of one search costs in processor time, beside the least that it could cost.

python -m benchmarks path [--sizes 10000,100000] [--stores sqlite,postgres] [--queries 60]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from benchmarks.databases import DIALECTS
from benchmarks.latency.attributed import PARTS, Attribution, attributed
from benchmarks.latency.floor import PARTS as FLOOR
from benchmarks.latency.floor import Floor, Stopwatch
from benchmarks.latency.loading import ACTOR, prepared
from benchmarks.latency.over_mcp import asked
from benchmarks.latency.texts import read_source, vectors
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import running_application
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.call import PLAIN_CALL
from commonplace.server.lifecycle.garbage import collect_seldom
from commonplace.settings import Settings
from commonplace.surfaces.call import success, validated
from commonplace.surfaces.catalog import ALL_SURFACES
from commonplace.surfaces.tool import Tool

TOOLS: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "search_knowledge": lambda query: {"query": query},
    "recall": lambda query: {"question": query},
}
# The first calls read from disk, import and compile.
_WARM_UP = 100


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks path", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--queries", type=int, default=60)
    given = parser.parse_args(arguments)
    started = now()
    # As a server does: looks for circles among objects would be charged to whoever makes many.
    collect_seldom()
    rows: list[tuple[Cell, ...]] = []
    for size in map(int, given.sizes.split(",")):
        embedder, source = BundledEmbedder(), read_source()
        drawn = vectors(source, embedder, size)
        floor = Floor(source, drawn, embedder)
        for dialect in given.stores.split(","):
            with prepared(dialect, source, drawn, embedder.identity.key) as settings:
                for tool in given.tools.split(","):
                    name = f"{tool}, {dialect} {size // 1000}k"
                    queries = asked(source, given.queries)
                    rows.append(_row(name, *_measured(settings, tool, floor, queries)))
                    print(rows[-1], flush=True)
    Report("path", (_table(rows),), _NOTES).save(started)


def _measured(
    settings: Settings, name: str, floor: Floor, queries: Sequence[str]
) -> tuple[Attribution, Stopwatch]:
    """The tool in turn with the floor, in this process: what it computes, without a transport."""
    tools = {tool.name: tool for offered in ALL_SURFACES for tool in offered.load().tools}
    attribution, watch = Attribution(), Stopwatch()
    with running_application(settings) as application, attributed(attribution):
        for query in queries:
            with attribution.call():
                _called(application, tools[name], TOOLS[name](query))
            floor.search(query, watch)
            watch.end_lap()
    return attribution, watch


def _called(application: Application, tool: Tool, arguments: dict[str, Any]) -> None:
    success(tool.run(application, ACTOR, validated(tool.arguments, arguments), PLAIN_CALL))


def _row(name: str, attribution: Attribution, watch: Stopwatch) -> tuple[Cell, ...]:
    """Medians of the parts; what comes first is warm-up."""
    calls = attribution.calls[_WARM_UP:]
    parts = [1000 * median(call.get(part, 0.0) for call in calls) for part in PARTS]
    whole = 1000 * median(sum(call.values()) for call in calls)
    floors = [watch.times[f"cpu {part}"][_WARM_UP:] for part in FLOOR]
    floor = 1000 * median(map(sum, zip(*floors, strict=True)))
    least = 1000 * min(sum(call.values()) for call in calls)
    return (name, whole, least, floor, whole / floor, *parts)


def _table(rows: Sequence[tuple[Cell, ...]]) -> Table:
    columns = ("ms of processor time, medians", "whole", "least", "floor", "ratio", *PARTS)
    return Table("Where the processor time of a call goes", columns, tuple(rows), digits=2)


_NOTES = (
    (
        "A call: arguments checked, the tool run, its answer written, in this process and without "
        "a transport. A part is what it computes itself, without the parts that it asks; parts "
        "are medians of their own, so they do not add up to the whole exactly."
    ),
    (
        "What is shown was examined before, as a worker does after embedding it; a text of which "
        "that is not so takes about .6 ms more when it is shown first."
    ),
    (
        "Floor, in turn with it: embedding the question, an exact scan of the same vectors (10 "
        "nearest), the same words on tantivy (10 best). PostgreSQL computes in processes of its "
        "own, which this does not count."
    ),
)
