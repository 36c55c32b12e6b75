"""How fast documents become searchable, beside reading alone and embedding alone.

python -m benchmarks ingestion [--pages 300] [--documents 1000] [--stores sqlite,postgres]
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.ingestion.papers import long_pdf, markdown_documents
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.documents.drafts import drafts_of
from commonplace.documents.rules import NewSource
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkDraft
from commonplace.model.extract import Extract
from commonplace.model.source import SourceStatus, SourceType
from commonplace.reading.extraction import ReadingLimits, extract
from commonplace.reading.port import Original
from commonplace.reading.sandbox import SandboxedReader
from commonplace.text.parts import parts_to_embed

ACTOR = Actor(org="bench", agent="bench")
_BATCH = 8
_MEGABYTE = 1024
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Work:
    """Some files, and what their size is counted in."""

    name: str
    unit: str
    units: int
    files: Sequence[Original]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks ingestion", description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--stores", default=",".join(DIALECTS))
    given = parser.parse_args(arguments)
    started = now()
    documents = [Original(data, name) for name, data in markdown_documents(given.documents)]
    works = [
        Work("one PDF", "pages", given.pages, [Original(long_pdf(given.pages), "long.pdf")]),
        Work("a folder of Markdown", "documents", given.documents, documents),
    ]
    stores = given.stores.split(",")
    # A process for each, so that their peaks of memory are their own.
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as fresh:
        tables = tuple(fresh.submit(_table, work, stores).result() for work in works)
    floor = (
        "Reading and embedding alone are what the whole cannot be faster than; the whole reads in "
        "a child process, embeds, and replaces the chunks of each source in one transaction."
    )
    notes = ("Memory is the peak so far of the process that does the step, in MB.", floor)
    Report("ingestion", tables, notes).save(started)


def _table(work: Work, stores: Sequence[str]) -> Table:
    embedder = BundledEmbedder()
    embedder.embed_query("load the model")
    extracts, in_place = _timed(lambda: [extract(file, ReadingLimits()) for file in work.files])
    apart = _timed(lambda: _read_apart(work.files))[1]
    drafts, cutting = _timed(lambda: _drafts(extracts, embedder))
    embedding = _timed(lambda: _embed(drafts, embedder))[1]
    reader = _peak(resource.RUSAGE_CHILDREN)
    steps: list[tuple[str, float, Cell]] = [
        ("reading, in this process", in_place, None),
        ("reading, in a child process", apart, reader),
        ("cutting", cutting, None),
        ("embedding alone", embedding, _peak(resource.RUSAGE_SELF)),
    ]
    for dialect in stores:
        seconds = _whole(dialect, work)
        steps.append((f"whole, {dialect}", seconds, _peak(resource.RUSAGE_SELF)))
    rows = tuple(
        (name, seconds, work.units / seconds, len(drafts) / seconds, memory)
        for name, seconds, memory in steps
    )
    title = f"{work.name}: {work.units} {work.unit}, {len(drafts)} chunks"
    columns = ("step", "seconds", f"{work.unit} per second", "chunks per second", "memory")
    return Table(title, columns, rows, digits=1)


def _read_apart(files: Sequence[Original]) -> None:
    reader = SandboxedReader(ReadingLimits())
    for file in files:
        reader.read(file)
    reader.close()


def _drafts(extracts: Sequence[Extract], embedder: BundledEmbedder) -> list[ChunkDraft]:
    return [d for found in extracts for d in drafts_of(found, "name", embedder.count_tokens)]


def _embed(drafts: Sequence[ChunkDraft], embedder: BundledEmbedder) -> None:
    for start in range(0, len(drafts), _BATCH):
        batch = drafts[start : start + _BATCH]
        embedder.embed_passages([p for d in batch for p in parts_to_embed(d.context, d.text)])


def _whole(dialect: str, work: Work) -> float:
    """From the first file that is added until the last source is ready."""
    with settings_for(dialect) as settings:
        application = build(settings)
        seconds = _timed(lambda: _ingest(application, work.files))[1]
        application.close()
    return seconds


def _ingest(application: Application, files: Sequence[Original]) -> None:
    ids = [
        application.documents.add(
            ACTOR,
            NewSource(SourceType.FILE, workspace="ws", file_name=file.name, data=file.data),
        ).id
        for file in files
    ]
    worker = application.new_worker()
    while worker.step():
        pass
    worker.stop()
    statuses = {application.documents.get(ACTOR, id).sync.status for id in ids}
    assert statuses == {SourceStatus.READY}, statuses


def _timed(work: Callable[[], Value]) -> tuple[Value, float]:
    started = time.perf_counter()
    value = work()
    return value, time.perf_counter() - started


def _peak(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / _MEGABYTE
