"""Keeps the code graph of attached folders up to date, file by file.

Extraction and linking themselves are pure, in `extraction` and `resolution`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from commonplace.codegraph.extraction.coding import decoded, encoded
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.keeping.extracted import (
    Extracted,
    by_document,
    described,
    manifest,
    portions,
    symbols_now,
)
from commonplace.codegraph.keeping.fresh_symbols import FreshSymbols
from commonplace.codegraph.keeping.garbage import gc_paused
from commonplace.codegraph.keeping.memory import FactsMemory
from commonplace.codegraph.keeping.neighbourhood import Neighbourhood, StaleFiles, names_changed
from commonplace.codegraph.keeping.neighbours import MANIFEST, is_manifest, located
from commonplace.codegraph.keeping.offloading import facts_of
from commonplace.codegraph.service.answers import SymbolAnswers
from commonplace.codegraph.service.exchange import ScipExchange
from commonplace.codegraph.service.linking import GraphLinking
from commonplace.errors import SourceError
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.graph import CodeFile
from commonplace.model.workspace import FileState, KnowledgeType, Resource
from commonplace.reading.port import ProcessPool
from commonplace.storage.port import Store, Transaction

ReadFile = Callable[[FileState], bytes]
TakeFacts = Callable[[FileState], bytes | None]


def _no_facts(_state: FileState) -> bytes | None:
    return None


class CodeGraph:
    """Implements GraphIndexer of indexing; `answers` and `exchange` are the services on top."""

    def __init__(self, store: Store, parsers: ProcessPool) -> None:
        self._store = store
        self._parsers = parsers
        self._memory = FactsMemory()
        self._linking = GraphLinking(store, self._memory)
        self.answers = SymbolAnswers(store)
        self.exchange = ScipExchange(store, self._linking)

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call = PLAIN_CALL,
        facts: TakeFacts = _no_facts,
    ) -> None:
        """Update the graph of a resource, and the links of others into it.

        `facts` gives those that were extracted before; the other files are read.
        """
        if resource.knowledge_type is not KnowledgeType.CODE:
            return
        fresh, parsed = FreshSymbols(), partial(self._parsed, read, facts)
        with self._linking.alone(actor, call) as guarded:
            read_now, left = self._extract(
                actor, resource, changed, removed, parsed, fresh, guarded
            )
            self._linking.link(actor, resource.key, _continued(guarded, read_now), left, fresh)

    def close(self) -> None:
        self._parsers.close()

    def _extract(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        parsed: Callable[[Sequence[FileState], Call], list[tuple[FileState, bytes]]],
        fresh: FreshSymbols,
        call: Call,
    ) -> tuple[int, Neighbourhood | None]:
        """Extract stale files; returns their number and the neighbourhood without deleted files.

        The neighbourhood is None if a manifest has changed: it must be read anew.
        """
        with self._store.read(actor) as tx, gc_paused():
            around = self._linking.around(tx, resource.key)
            states = tx.files.of_resource(resource.key)
            specifiers = partial(tx.code_files.specifiers, around.keys)
            change = StaleFiles(around, states, changed, frozenset(removed), specifiers)
        self._mark_stale(actor, change)
        done = 0
        for facts in self._parsers.ahead(parsed, portions(change.stale), call):
            extracted = _described(resource, facts)
            self._store_extracted(actor, change, around, extracted, fresh, call)
            done += len(facts)
            call.progress(done, len(change.stale), "reading symbols")
        left = around.renewed({file.key for file in change.deleted}, ())
        return done, None if change.changes_layout else left

    def _mark_stale(self, actor: Actor, change: StaleFiles) -> None:
        """Store first what must be linked again, so that an interrupted run can be continued."""
        with self._store.write(actor) as tx:
            tx.code_files.remove([file.key for file in change.deleted])
            tx.code_files.unlink(sorted(change.affected))

    def _parsed(
        self, read: ReadFile, facts: TakeFacts, states: Sequence[FileState], call: Call
    ) -> list[tuple[FileState, bytes]]:
        """The encoded facts of code, and manifests unchanged.

        Unreadable files are skipped: file indexing reports them.
        """
        given: list[tuple[FileState, bytes]] = []
        sources: list[tuple[FileState, bytes]] = []
        for state in states:
            known = facts(state)
            if known is not None:
                given.append((state, known))
                continue
            try:
                sources.append((state, read(state)))
            except SourceError:
                continue
        manifests = [each for each in sources if is_manifest(each[0].path)]
        code = [each for each in sources if not is_manifest(each[0].path)]
        return manifests + given + self._facts(code, call)

    def _facts(
        self, files: Sequence[tuple[FileState, bytes]], call: Call
    ) -> list[tuple[FileState, bytes]]:
        """Extract files in one request, or one by one if the request fails."""
        if not files:
            return []
        question = {"files": [(state.path, len(source)) for state, source in files]}
        try:
            found = facts_of(
                self._parsers.ask(question, b"".join(source for _, source in files), call)
            )
        except SourceError as error:
            if len(files) > 1:
                return [pair for each in files for pair in self._facts([each], call)]
            state = files[0][0]
            language = language_of(state.path)
            name = language.name if language else ""
            return [(state, encoded(FileFacts(state.path, name, problem=error.message)))]
        return [(state, facts) for (state, _), facts in zip(files, found, strict=True)]

    def _store_extracted(
        self,
        actor: Actor,
        change: StaleFiles,
        around: Neighbourhood,
        extracted: Sequence[Extracted],
        fresh: FreshSymbols,
        call: Call,
    ) -> None:
        with self._store.write(actor) as tx, gc_paused():
            before = by_document(tx.graph.symbols_of([each.file.key for each in extracted]))
            again: set[int] = set()
            for each in extracted:
                file, was = each.file, before.get(each.file.key, [])
                now = symbols_now(each, was)
                kept = {symbol.key for symbol in now}
                versions = partial(self._versions, tx, change.before(file.key), each)
                again |= change.dependents_of(file, was, now, versions, tx.code_files.lookups)
                tx.code_files.put(file, each.specifiers, each.data)
                tx.graph.remove_symbols([s.key for s in was if s.key not in kept])
                tx.graph.put_symbols(now)
                fresh.keep(file.key, now)
                names = names_changed(file, was, now)
                again.update(tx.graph.users_of_names(names, around.keys) if names else ())
            tx.code_files.unlink(sorted(again))
            call.check()
        for each in extracted:
            self._linking.remember(each)

    def _versions(
        self, tx: Transaction, before: CodeFile | None, extracted: Extracted
    ) -> tuple[FileFacts | None, FileFacts]:
        """The stored facts of a file, if any, and the new ones."""
        if before is None or before.language == MANIFEST:
            return None, extracted.facts
        place = located(before.resource_key, before.path)
        known = self._memory.get(before, place)
        if known is None:
            known = decoded(place, tx.code_files.facts([before.key])[before.key]).facts
        return known, extracted.facts


def _continued(call: Call, before: int) -> Call:
    """The same call with progress that continues after `before` files."""

    def progress(done: int, total: int, message: str) -> None:
        call.progress(before + done, before + total, message)

    return replace(call, progress=progress)


def _described(resource: Resource, parsed: Iterable[tuple[FileState, bytes]]) -> list[Extracted]:
    with gc_paused():
        return [
            (manifest if is_manifest(state.path) else described)(resource.key, state, data)
            for state, data in parsed
        ]
