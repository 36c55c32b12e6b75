"""How long a search takes for a client over HTTP, beside the least that it could cost.

python -m benchmarks mcp [--sizes 10000,100000,1000000] [--stores sqlite,postgres] [--queries 200]
    [--tools search_knowledge,recall] [--filters "none,tag of 1 %,tag of 33 %"]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import httpx2
import numpy as np
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.databases import DIALECTS
from benchmarks.latency import serving
from benchmarks.latency.echo import TOOL as ECHO
from benchmarks.latency.floor import PARTS as FLOOR
from benchmarks.latency.floor import Floor, Stopwatch
from benchmarks.latency.loading import folder_of, prepared
from benchmarks.latency.recall import Recall, measure_recall
from benchmarks.latency.texts import (
    COMMON_TAG,
    MOST_TEXTS,
    SELECTIVE_TAG,
    Source,
    read_source,
    vectors,
)
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.settings import Settings

TAGS: dict[str, list[str]] = {
    "none": [],
    "tag of 1 %": [SELECTIVE_TAG],
    "tag of 33 %": [COMMON_TAG],
}
# What each tool calls the question.
TOOLS = {"search_knowledge": "query", "recall": "question"}
ROUND_TRIP = "floor round trip"
PARTS = (*FLOOR, ROUND_TRIP)
_QUANTILES = (0.5, 0.95, 0.99)
# A server that has just started reads everything from disk.
_WARM_UP = 100


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks mcp", description=__doc__)
    parser.add_argument("--sizes", default=f"10000,{MOST_TEXTS},1000000")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--filters", default=",".join(TAGS))
    given = parser.parse_args(arguments)
    started = now()
    cases = [(t, f) for t in given.tools.split(",") for f in given.filters.split(",")]
    timed: list[tuple[str, Stopwatch]] = []
    recalls: list[Recall] = []
    for size in map(int, given.sizes.split(",")):
        _measure_size(size, given.stores.split(","), cases, given.queries, timed, recalls)
    tables = (_whole(timed), _computed(timed), _parts(timed), _recalls(recalls))
    Report("mcp", tables, _NOTES).save(started)


def _measure_size(
    size: int,
    dialects: Sequence[str],
    cases: Sequence[tuple[str, str]],
    count: int,
    timed: list[tuple[str, Stopwatch]],
    recalls: list[Recall],
) -> None:
    embedder, source = BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, size)
    for dialect in dialects:
        name = f"{dialect} {size // 1000}k"
        print(name, flush=True)
        with prepared(dialect, source, drawn, embedder.identity.key) as settings:
            floor = Floor(source, drawn, embedder, _graph(size))
            for case, watch in anyio.run(_measured, settings, floor, cases, asked(source, count)):
                timed.append((f"{name}, {case}", watch))
                print(" ", _summary(*timed[-1]), flush=True)
            recalls.append(measure_recall(name, settings, embedder, source.queries, drawn))
            print(" ", recalls[-1], flush=True)


def asked(source: Source, count: int) -> list[str]:
    """Claims, and in turn with them two words of a claim, which texts are more likely to have."""
    claims = source.queries[: count + _WARM_UP]
    return [
        claim if number % 2 == 0 else " ".join(sorted(claim.split(), key=len)[-2:])
        for number, claim in enumerate(claims)
    ]


def _graph(size: int) -> Path | None:
    """The embedded index's graph file, where scanning everything is not the least any more."""
    found = list(folder_of("sqlite", size).glob("vectors/*.graph")) if size > MOST_TEXTS else []
    return found[0] if found else None


async def _measured(
    settings: Settings, floor: Floor, cases: Sequence[tuple[str, str]], queries: Sequence[str]
) -> list[tuple[str, Stopwatch]]:
    with serving.product(settings) as (server, token), serving.echo() as echoing:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
            Client(streamable_http_client(server.url, http_client=http)) as product,
            Client(echoing.url) as echo,
        ):
            served, echoed = Asked(product, server), Asked(echo, echoing)
            return [
                (
                    f"{tool}, filter: {tag}",
                    await _in_turn(served, echoed, floor, queries, tool, TAGS[tag]),
                )
                for tool, tag in cases
            ]


@dataclass(frozen=True, slots=True)
class Asked:
    """A server, and the client that asks it."""

    client: Client
    server: serving.RunningServer

    async def call(self, name: str, tool: str, arguments: dict[str, Any], watch: Stopwatch) -> None:
        """What the call takes, and what the server computes for it."""
        before = self.server.computed()
        with watch.measure(name):
            answer = await self.client.call_tool(tool, arguments)
        watch.add(f"{name}, server", self.server.computed() - before)
        assert not answer.is_error, answer.content


async def _in_turn(
    product: Asked,
    echo: Asked,
    floor: Floor,
    queries: Sequence[str],
    tool: str,
    tags: list[str],
) -> Stopwatch:
    """Product and floor in turn, so that what else the machine does slows both."""
    watch = Stopwatch()
    for number, query in enumerate(queries):
        await product.call("whole", tool, {TOOLS[tool]: query, "tags": tags}, watch)
        floor.search(query, watch)
        await echo.call(ROUND_TRIP, ECHO, {"text": query}, watch)
        watch.end_lap()
        if number == _WARM_UP - 1:
            watch.times.clear()
    return watch


def _summary(name: str, watch: Stopwatch) -> tuple[Cell, ...]:
    whole = _quantiles(watch.times["whole"])
    floor = _quantiles([sum(lap) for lap in zip(*(watch.times[p] for p in PARTS), strict=True)])
    return (name, *whole, *floor, whole[0] / floor[0], whole[1] / floor[1], whole[2] / floor[2])


def _quantiles(seconds: Sequence[float]) -> list[float]:
    return [1000 * float(np.quantile(seconds, q)) for q in _QUANTILES]


def _whole(timed: Sequence[tuple[str, Stopwatch]]) -> Table:
    measured = ("p50", "p95", "p99", "floor p50", "floor p95", "floor p99")
    columns = ("ms", *measured, "ratio p50", "ratio p95", "ratio p99")
    return Table(
        "A call over streamable HTTP",
        columns,
        tuple(_summary(*one) for one in timed),
        digits=2,
    )


def _computed(timed: Sequence[tuple[str, Stopwatch]]) -> Table:
    """Without the client and the database, which compute in processes of their own."""
    parts = (*(f"cpu {part}" for part in FLOOR), f"{ROUND_TRIP}, server")
    rows: list[tuple[Cell, ...]] = []
    for name, watch in timed:
        whole = 1000 * median(watch.times["whole, server"])
        laps = zip(*(watch.times[part] for part in parts), strict=True)
        floor = 1000 * median(map(sum, laps))
        rows.append((name, whole, floor, whole / floor))
    columns = ("ms, medians", "server", "floor", "ratio")
    return Table("Processor time of a call", columns, tuple(rows), digits=2)


def _parts(timed: Sequence[tuple[str, Stopwatch]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, *(1000 * median(watch.times[part]) for part in PARTS)) for name, watch in timed
    ]
    return Table("The floor's parts", ("ms, medians", *PARTS), tuple(rows), digits=2)


def _recalls(recalls: Sequence[Recall]) -> Table:
    columns = ("recall@10 against exact search", "asked for 10", "asked for 100", "exact")
    rows = tuple((r.name, r.of_ten, r.of_hundred, "yes" if r.exact else "no") for r in recalls)
    return Table("The vector index, width 64, without a filter", columns, rows)


_NOTES = (
    (
        "A client of the official SDK calls a tool (`search_knowledge` with its limit of 10, "
        "`recall` with its own) of `commonplace serve`, in another process. Half of the queries "
        "are SciFact's claims, half two words of one; each is asked once under each filter, after "
        "a hundred others."
    ),
    (
        "Floor, in turn with the product: embedding the query, usearch on the same vectors (10 "
        "nearest; all of them compared as 16-bit floats, at 1000k a walk of width 64 on the "
        "embedded index's own graph), the same words on tantivy (10 best), and one call of a tool "
        "that echoes its argument, on another server over the same transport. Never filtered."
    ),
    (
        "Entries are sentences of SciFact put together anew; vectors are scattered around real "
        "ones. At 1000k the texts are those of 100k ten times, each with a vector of its own."
    ),
    (
        "PostgreSQL runs with shared_buffers of 1 GB and synchronous_commit off. Retrieval asks "
        "for a hundred chunks at least, so `asked for 100` is what a search gets."
    ),
)
