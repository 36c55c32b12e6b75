"""The code graph of attached folders, kept up to date file by file.

What is found in code and how it is linked is decided in the pure modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.keeping.coding import decoded, encoded
from commonplace.codegraph.keeping.extracted import (
    Extracted,
    by_document,
    described,
    manifest,
    portions,
    symbols_now,
)
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


class CodeGraph:
    """Implements indexing's GraphIndexer; `answers` and `exchange` are what is asked of it."""

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
    ) -> None:
        """Bring the graph of a resource up to date, and what others link into it."""
        if resource.knowledge_type is not KnowledgeType.CODE:
            return
        with self._linking.alone(actor, call) as guarded:
            read_now, left = self._extract(actor, resource, changed, removed, read, guarded)
            self._linking.link(actor, resource.key, _going_on(guarded, read_now), left)

    def close(self) -> None:
        self._parsers.close()

    def _extract(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
    ) -> tuple[int, Neighbourhood | None]:
        """How many files were read, and what is around without those that have gone; None where
        a manifest is another one now."""
        with self._store.read(actor) as tx:
            around, states = (
                self._linking.around(tx, resource.key),
                tx.files.of_resource(resource.key),
            )
        change = StaleFiles(around, states, changed, frozenset(removed))
        self._begin(actor, change)
        parsed, done = partial(self._parsed, read), 0
        for facts in self._parsers.ahead(parsed, portions(change.stale), call):
            self._keep(actor, change, around, _described(resource, facts), call)
            done += len(facts)
            call.progress(done, len(change.stale), "reading symbols")
        left = around.renewed({file.key for file in change.deleted}, ())
        return done, None if change.changes_layout else left

    def _begin(self, actor: Actor, change: StaleFiles) -> None:
        """Say first what has to be linked again: a run that breaks off is continued."""
        with self._store.write(actor) as tx:
            tx.code_files.remove([file.key for file in change.deleted])
            tx.code_files.unlink(sorted(change.affected))

    def _parsed(
        self, read: ReadFile, states: Sequence[FileState], call: Call
    ) -> list[tuple[FileState, bytes]]:
        """Facts of code, and manifests as they are.

        Read again after its hash and its chunks, and parsed again: words are found before links
        are made, and to keep the bytes of a folder in between would take its size in memory. What
        cannot be read is left as it is: whoever keeps the files says so.
        """
        sources: list[tuple[FileState, bytes]] = []
        for state in states:
            try:
                sources.append((state, read(state)))
            except SourceError:
                continue
        manifests = [each for each in sources if is_manifest(each[0].path)]
        code = [each for each in sources if not is_manifest(each[0].path)]
        return manifests + self._facts(code, call)

    def _facts(
        self, files: Sequence[tuple[FileState, bytes]], call: Call
    ) -> list[tuple[FileState, bytes]]:
        """Facts of files, read together; one by one where one of them breaks the parser."""
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

    def _keep(
        self,
        actor: Actor,
        change: StaleFiles,
        around: Neighbourhood,
        extracted: Sequence[Extracted],
        call: Call,
    ) -> None:
        with self._store.write(actor) as tx:
            before = by_document(tx.graph.symbols_of([each.file.key for each in extracted]))
            again: set[int] = set()
            for each in extracted:
                file, was = each.file, before.get(each.file.key, [])
                now = symbols_now(each, was)
                kept = {symbol.key for symbol in now}
                versions = partial(self._versions, tx, change.before(file.key), each)
                again |= change.dependents_of(file, was, now, versions)
                tx.code_files.put(file, each.data)
                tx.graph.remove_symbols([s.key for s in was if s.key not in kept])
                tx.graph.put_symbols(now)
                names = names_changed(file, was, now)
                again.update(tx.graph.users_of_names(names, around.keys) if names else ())
            tx.code_files.unlink(sorted(again))
            call.check()
        for each in extracted:
            self._linking.remember(each)

    def _versions(
        self, tx: Transaction, before: CodeFile | None, extracted: Extracted
    ) -> tuple[FileFacts | None, FileFacts]:
        """The facts of a file that are kept, if any, and those that were read just now."""
        if before is None or before.language == MANIFEST:
            return None, extracted.facts
        place = located(before.resource_key, before.path)
        known = self._memory.get(before, place)
        if known is None:
            known = decoded(place, tx.code_files.facts([before.key])[before.key]).facts
        return known, extracted.facts


def _going_on(call: Call, before: int) -> Call:
    """The call of what comes after so many files."""

    def tell(done: int, total: int, message: str) -> None:
        call.progress(before + done, before + total, message)

    return replace(call, progress=tell)


def _described(resource: Resource, parsed: Iterable[tuple[FileState, bytes]]) -> list[Extracted]:
    with gc_paused():
        return [
            (manifest if is_manifest(state.path) else described)(resource.key, state, data)
            for state, data in parsed
        ]
