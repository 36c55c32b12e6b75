"""Fills a store with a generated collection, without the model.

A loaded database is kept in the benchmark folder and used again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.databases import run_as_administrator, settings_for
from benchmarks.latency.copies import multiply
from benchmarks.latency.texts import MOST_TEXTS, Source, contents
from benchmarks.latency.transfer import transfer
from benchmarks.quality.datasets import data_folder
from commonplace.bootstrap import build_store, utc_now
from commonplace.bootstrap.adapters import EXAMINED
from commonplace.cache.digest_file import DigestFile
from commonplace.knowledge.passages import chunks_of, metadata_of
from commonplace.knowledge.service.writes import owner_of
from commonplace.model.actor import Actor
from commonplace.model.chunk import Urgency
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind
from commonplace.retrieval.statistics import SAMPLE_SIZE, count_terms
from commonplace.safety.remembered import remembered_in
from commonplace.safety.warnings import warnings_of
from commonplace.settings import Settings
from commonplace.storage.port import CorpusStatistics, Store

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix
    from commonplace.embedding.port import Vector

ACTOR = Actor(org="bench", agent="bench")
_BATCH = 500


@contextmanager
def loaded(dialect: str, source: Source, vectors: Matrix, model: str) -> Iterator[Store]:
    """A store that holds an entry for each vector; a few entries are more than one chunk."""
    with prepared(dialect, source, vectors, model) as settings, opened(settings) as store:
        yield store


@contextmanager
def prepared(dialect: str, source: Source, vectors: Matrix, model: str) -> Iterator[Settings]:
    """The settings of such a store, which nobody has opened."""
    folder = folder_of(dialect, len(vectors))
    complete = folder / "complete"
    with settings_for(dialect, folder) as settings:
        if not complete.exists():
            _load(settings, source, vectors, model)
            complete.touch()
        _examine(settings, source, len(vectors))
        yield settings


def folder_of(dialect: str, size: int) -> Path:
    return data_folder() / "latency" / f"{dialect}-{size}"


@contextmanager
def opened(settings: Settings) -> Iterator[Store]:
    store = build_store(settings, utc_now)
    try:
        yield store
    finally:
        store.close()


def _load(settings: Settings, source: Source, vectors: Matrix, model: str) -> None:
    """Through SQLite's own transactions; what is more than the texts, or elsewhere, is copied."""
    copied = not settings.database_url and len(vectors) > MOST_TEXTS
    if copied:
        original = folder_of("sqlite", MOST_TEXTS) / settings.database_file.name
        multiply(original, settings.database_file, vectors, model)
    with opened(settings) as store:
        if settings.database_url:
            with prepared("sqlite", source, vectors, model) as original_settings:
                _bring_up_to_date(original_settings)
                url = settings.database_url.get_secret_value()
                transfer(original_settings.database_file, url, ACTOR.org, model, vectors.shape[1])
        elif not copied:
            _fill(store, source, vectors, model)
        _count(store)
        _settle(store, settings, model)


def _bring_up_to_date(settings: Settings) -> None:
    """A collection that an older release loaded."""
    with opened(settings):
        pass


def _fill(store: Store, source: Source, vectors: Matrix, model: str) -> None:
    started = time.perf_counter()
    remaining = iter(enumerate(contents(source, len(vectors))))
    endless = cycle(vectors)
    added = 0
    while batch := list(islice(remaining, _BATCH)):
        _add(store, batch)
        _embed(store, endless, model)
        added += len(batch)
        if added % 10_000 == 0:
            print(f"  {added} entries after {time.perf_counter() - started:.0f} s", flush=True)


def _add(store: Store, batch: Sequence[tuple[int, EntryContent]]) -> None:
    with store.write(ACTOR) as tx:
        for number, content in batch:
            entry = tx.entries.insert(EntryDraft(f"entry-{number}", EntryKind.NOTE, content))
            drafts = chunks_of(entry.kind, entry.content, Urgency.BULK)
            tx.chunks.replace(owner_of(entry), metadata_of(entry), drafts)


def _embed(store: Store, vectors: Iterator[Vector], model: str) -> None:
    with store.write(ACTOR) as tx:
        claimed = tx.vectors.claim(Urgency.BULK, 2 * _BATCH, tx.now + timedelta(minutes=5))
        for chunk in claimed:
            tx.vectors.put(model, chunk, [next(vectors)])


def _examine(settings: Settings, source: Source, count: int) -> None:
    """As the worker does beside embedding; the file of the home remembers it for later runs."""
    with closing(DigestFile(settings.home / EXAMINED)) as examined, remembered_in(examined):
        for content in contents(source, min(count, MOST_TEXTS)):
            warnings_of(content.title, content.body)


def _count(store: Store) -> None:
    """As the worker does after bulk work."""
    with store.write(ACTOR) as tx:
        counted = count_terms(tx.chunks.sample(SAMPLE_SIZE))
        total = tx.chunks.counts().total
        tx.statistics.save(
            CorpusStatistics(
                total, counted.sampled, counted.average_length, counted.frequencies, tx.now
            ),
            tx.statistics.load(),
        )


def _settle(store: Store, settings: Settings, model: str) -> None:
    """What the worker and autovacuum do within minutes of a bulk load."""
    while store.maintain_postings() or store.maintain_vectors(model):
        pass
    if settings.database_url:
        run_as_administrator(settings.database_url.get_secret_value(), "VACUUM ANALYZE")
