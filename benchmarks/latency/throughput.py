"""How fast waiting passages get their vectors: the worker beside the model alone.

python -m benchmarks throughput [--passages 300] [--stores sqlite,postgres]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.latency.texts import Source, contents, read_source
from benchmarks.report import Report, Table, now
from commonplace.bootstrap import build_store, utc_now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.worker.service.loop import Worker
from tests.models import entry_chunks

ACTOR = Actor(org="bench", agent="bench")
_ROUNDS = 5
_ONE_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Rates:
    """Passages per second of each round, in turn."""

    alone: list[float]
    worker: list[float]

    def row(self, name: str) -> tuple[str, float, float, float]:
        alone, worker = median(self.alone), median(self.worker)
        shares = [w / a for w, a in zip(self.worker, self.alone, strict=True)]
        return name, alone, worker, median(shares)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks throughput", description=__doc__)
    parser.add_argument("--passages", type=int, default=300)
    parser.add_argument("--stores", default=",".join(DIALECTS))
    given = parser.parse_args(arguments)
    started, source = now(), read_source()
    rows = []
    for dialect in given.stores.split(","):
        rates = _rates(dialect, source, given.passages)
        rows.append(rates.row(dialect))
    columns = ("passages per second, medians", "model alone", "worker", "share")
    table = Table(f"{given.passages} passages in {_ROUNDS} rounds", columns, tuple(rows), digits=2)
    notes = ("Share: the worker's rate as part of the model's in the same round.",)
    Report("throughput", (table,), notes).save(started)


def _rates(dialect: str, source: Source, count: int) -> Rates:
    """Each round embeds passages of its own, first alone, then through a worker."""
    embedder = BundledEmbedder()
    embedder.embed_query("load the model")
    each = count // _ROUNDS
    everything = list(contents(source, 2 * count))
    alone, worker = [], []
    with settings_for(dialect) as settings:
        store = build_store(settings, utc_now)
        model = ServingEmbedder([embedder], list)
        working = Worker(store, model, utc_now, {}, _ONE_HOUR)
        knowledge = KnowledgeService(store, QuotaService(store), model, entry_chunks())
        for start in range(0, 2 * each * _ROUNDS, 2 * each):
            first = everything[start : start + each]
            second = everything[start + each : start + 2 * each]
            alone.append(each / _seconds_alone(embedder, first))
            for content in second:
                knowledge.add(ACTOR, EntryKind.NOTE, content)
            worker.append(each / _seconds_of(working))
        store.close()
    return Rates(alone, worker)


def _seconds_alone(embedder: BundledEmbedder, batch: Sequence[EntryContent]) -> float:
    texts = [f"{c.title}\n{' '.join(c.tags)}\n\n{c.body}" for c in batch]
    started = time.perf_counter()
    embedder.embed_passages(texts)
    return time.perf_counter() - started


def _seconds_of(worker: Worker) -> float:
    started = time.perf_counter()
    assert worker.drain(_ONE_HOUR), "everything is embedded within the hour"
    return time.perf_counter() - started
