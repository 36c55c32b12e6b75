"""Questions to a graph of a million references: generated data, asked as code_map asks.

The whole path from the question to places is measured, without the texts of what is shown.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Iterator, Sequence
from statistics import median, quantiles

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import local_actor
from commonplace.bootstrap import build_store, utc_now
from commonplace.codegraph.answering.question import read_question
from commonplace.codegraph.service.graph import CodeGraph
from commonplace.model.actor import Actor
from commonplace.model.graph import CodeFile, Edge, Symbol, symbol_key
from commonplace.model.workspace import FileState, KnowledgeType, ResourceDraft, ResourceKind
from commonplace.reading.pool import PooledProcesses
from commonplace.storage.port import Store

FILES, SYMBOLS, EDGES, LINES = 5_000, 20, 100, 2
_BATCH = 100
_ASKED = 300
_QUESTIONS = ("definition of {}", "callers of {}", "references to {}", "tests for {}")
_USES = ("call", "call", "call", "import", "type", "read")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks graph", description=__doc__)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("dialects", nargs="*", default=list(DIALECTS))
    given = parser.parse_args(arguments)
    started = now()
    rows = [row for dialect in given.dialects for row in measure(dialect, given.files)]
    columns = ("store", "question", "p50, ms", "p95, ms", "p50, CPU ms", "places, mean")
    references = given.files * EDGES * LINES
    table = Table(f"Questions at {references:,} references", columns, tuple(rows))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    notes = (f"{peak} MB were the most that the asking process took, loading included.",)
    Report("graph", (table,), notes).save(started)


def measure(dialect: str, files: int) -> Iterator[tuple[Cell, ...]]:
    with settings_for(dialect) as settings:
        store = build_store(settings, utc_now)
        actor = local_actor(settings, "bench")
        key = _filled(store, actor, files)
        graph = CodeGraph(store, PooledProcesses([]))
        for question in _QUESTIONS:
            yield dialect, question.format("X"), *_asked(graph, actor, key, question, files)
        store.close()


def _asked(
    graph: CodeGraph, actor: Actor, key: int, question: str, files: int
) -> tuple[float, ...]:
    chance = random.Random(7)
    times, used, places = [], [], 0
    for _ in range(_ASKED):
        asked = read_question(question.format(_name(chance.randrange(files), chance.randrange(20))))
        start, before = time.perf_counter(), time.thread_time()
        graph.answers.coverage(actor, [key])
        answer = graph.answers.answer(actor, asked, [key])
        times.append(1000 * (time.perf_counter() - start))
        used.append(1000 * (time.thread_time() - before))
        places += len(answer.sightings) if answer else 0
    cuts = quantiles(times, n=20)
    return cuts[9], cuts[18], median(used), places / _ASKED


def _filled(store: Store, actor: Actor, files: int) -> int:
    chance = random.Random(3)
    with store.write(actor) as tx:
        draft = ResourceDraft("r", ResourceKind.FOLDER, KnowledgeType.CODE, "file:///r", "r")
        resource_key = tx.resources.insert(draft).key
    keys: list[int] = []
    for start in range(0, files, _BATCH):
        with store.write(actor) as tx:
            for number in range(start, start + _BATCH):
                path = f"src/part{number % 50}/file{number}.ts"
                keys.append(tx.files.put(resource_key, FileState(0, path, "h", 0, 1, 0)))
                tx.code_files.put(CodeFile(keys[-1], resource_key, path, "ts", "h", 1), (), b"")
                tx.graph.put_symbols(list(_symbols(keys[-1], resource_key, number)))
    for start in range(0, files, _BATCH):
        with store.write(actor) as tx:
            for key in keys[start : start + _BATCH]:
                tx.graph.put_edges(key, list(_edges(key, resource_key, keys, chance)))
    return resource_key


def _symbols(document: int, resource_key: int, number: int) -> Iterator[Symbol]:
    for slot in range(SYMBOLS):
        name = _name(number, slot)
        yield Symbol(
            symbol_key(document, slot), document, resource_key, slot, name, name, "function", True,
            10 * slot + 1, 0, 10 * slot + 1, 10 * slot + 9, f"function {name}()", "",
        )  # fmt: skip


def _edges(
    document: int, resource_key: int, keys: Sequence[int], chance: random.Random
) -> Iterator[Edge]:
    """Some symbols are used by hundreds, most by a few."""
    for number in range(EDGES):
        popular = chance.random() < 0.1
        target = chance.choice(keys[:20] if popular else keys)
        name = f"name{chance.randrange(1000)}"
        source = symbol_key(document, number % SYMBOLS)
        lines = (10 * number + 2, 10 * number + 5)
        yield Edge(
            document, resource_key, source, name, chance.choice(_USES),
            symbol_key(target, chance.randrange(SYMBOLS)), 0, "import", 0.99, lines,
        )  # fmt: skip


def _name(number: int, slot: int) -> str:
    return f"makeThing{number}of{slot}"
