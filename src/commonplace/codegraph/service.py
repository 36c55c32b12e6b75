"""The code graph of attached folders: kept up to date file by file, and asked about symbols.

What is found in code and how it is linked is decided in the pure modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Question
from commonplace.codegraph.extraction.facts import FileFacts, Kind
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.keeping.apart import facts_of
from commonplace.codegraph.keeping.around import Around, StaleFiles, around_of, names_changed
from commonplace.codegraph.keeping.coding import decoded, encoded
from commonplace.codegraph.keeping.extracted import (
    Extracted,
    by_document,
    described,
    manifest,
    portions,
    symbols_now,
)
from commonplace.codegraph.keeping.linker import Linker
from commonplace.codegraph.keeping.memory import FactsMemory
from commonplace.codegraph.keeping.neighbours import MANIFEST, is_manifest, located, neighbours
from commonplace.codegraph.keeping.uncollected import uncollected
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.scip.compiled import (
    LEAST_AGREEMENT,
    Defined,
    agreement,
    rooted,
    uses_in,
)
from commonplace.codegraph.scip.protobuf import Malformed
from commonplace.codegraph.scip.scip import documents_of, written
from commonplace.codegraph.scip.scip_export import document_of, names_of
from commonplace.errors import InvalidArgument, SourceError
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.graph import CodeFile, Compiled, GraphCounts, Symbol
from commonplace.model.workspace import FileState, KnowledgeType, Resource
from commonplace.reading.port import Crew
from commonplace.storage.port import Store, Transaction
from commonplace.storage.port.leases import held_in_turn

ReadFile = Callable[[FileState], bytes]

_LINKED_AT_ONCE = 40
# A process that was killed keeps its turn for so long at most.
_TURN_SECONDS = 60.0
_MOST_NAMESAKES = 20_000
_MOST_EDGES = 5_000
_MOST_TESTS, _MOST_ALIKE = 200, 50
_MOST_FILES = 50


@dataclass(frozen=True, slots=True)
class Taken:
    """How many files of an index count, fit no version that we have, or are not ours."""

    files: int
    other_versions: int
    elsewhere: int


class CodeGraph:
    """Implements indexing's GraphIndexer, lookup's SymbolGraph and workspace's SymbolCounter."""

    def __init__(self, store: Store, parsers: Crew) -> None:
        self._store = store
        self._parsers = parsers
        self._memory = FactsMemory()

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Sequence[FileState],
        removed: Sequence[int],
        read: ReadFile,
        call: Call = PLAIN_CALL,
    ) -> None:
        """Bring the graph of a resource up to date, and what others link into it."""
        if resource.knowledge_type is not KnowledgeType.CODE:
            return
        with self._alone(actor, call) as guarded:
            with self._store.read(actor) as tx:
                around, states = _around(tx, resource.key), tx.files.of_resource(resource.key)
            given = frozenset(state.key for state in changed)
            change = StaleFiles(around, states, given, frozenset(removed))
            self._begin(actor, change)
            parsed = partial(self._parsed, read)
            for facts in self._parsers.ahead(parsed, portions(change.stale), guarded):
                self._keep(actor, change, around, _described(resource, facts), guarded)
            self._link(actor, resource.key, guarded)

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            return _answer(tx, question, resources)

    def alike(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols whose names are written almost like this one."""
        with self._store.read(actor) as tx:
            named = tx.graph.named(places.near_spellings(name), resources, _MOST_ALIKE)
        return places.paths_of(named)

    def coverage(self, actor: Actor, resources: Sequence[int]) -> GraphCoverage:
        with self._store.read(actor) as tx:
            symbols, references = tx.code_files.coverage(resources)
        return GraphCoverage(symbols, references)

    def counts(self, actor: Actor, resources: Sequence[int]) -> GraphCounts:
        """References into resources that are not among these count as resolved all the same."""
        with self._store.read(actor) as tx:
            files = tx.code_files.of_resources(resources)
        return places.counted(files, frozenset(resources))

    def problems(self, actor: Actor, resource: Resource) -> list[tuple[str, str]]:
        """Files that are not read, or only in part, by path with the reason."""
        with self._store.read(actor) as tx:
            files = tx.code_files.of_resources([resource.key])
        return [(file.path, file.problem) for file in files if file.problem]

    def exported(self, actor: Actor, resource: Resource, version: str) -> Iterator[bytes]:
        """A SCIP index of a resource, piece by piece."""
        with self._store.read(actor) as tx:
            around = _around(tx, resource.key)
        files = [f for f in around.paths.values() if f.resource_key == resource.key]
        linker = self._linker(actor, around, files)
        names = {file.key: names_of(file.path, linker.symbols(file)) for file in files}

        def name(target: DefinitionKey) -> str | None:
            return names.get(linker.place(target).key, {}).get(target.number)

        documents = (
            document_of(
                file.path, linker.facts(file), linker.symbols(file), linker.links(file).links, name
            )
            for file in files
        )
        return written(documents, resource.locator, version)

    def take_compiled(
        self, actor: Actor, resource: Resource, index: bytes, call: Call = PLAIN_CALL
    ) -> Taken:
        """Let what a compiler says of files count; of other versions of them it does not."""
        try:
            documents = list(documents_of(index))
        except Malformed as error:
            raise InvalidArgument(f"The file is no SCIP index: {error}.", field="file") from None
        with self._alone(actor, call) as guarded:
            with self._store.read(actor) as tx:
                around = _around(tx, resource.key)
            files = {f.path: f for f in around.paths.values() if f.resource_key == resource.key}
            linker = self._linker(actor, around, [])
            known = rooted(documents, files)
            facts = {path: linker.facts(files[path]) for path in known}
            fitting = {p: d for p, d in known.items() if agreement(d, facts[p]) >= LEAST_AGREEMENT}
            defined = Defined.among(known, facts)
            with self._store.write(actor) as tx:
                tx.code_files.keep_compiled(
                    [
                        Compiled(files[p].key, files[p].content_hash, uses_in(each, defined))
                        for p, each in fitting.items()
                    ]
                )
                tx.code_files.unlink([files[path].key for path in fitting])
                guarded.check()
            self._link(actor, resource.key, guarded)
        return Taken(len(fitting), len(known) - len(fitting), len(documents) - len(known))

    def close(self) -> None:
        self._parsers.close()

    @contextmanager
    def _alone(self, actor: Actor, call: Call) -> Iterator[Call]:
        """One run at a time in an org, whichever process it is in: each reads what others keep."""
        name = f"codegraph/{actor.org}"
        with held_in_turn(self._store, name, _TURN_SECONDS, call) as lease:
            yield lease.guarding(call)

    def _begin(self, actor: Actor, change: StaleFiles) -> None:
        """Say first what has to be linked again: a run that breaks off is continued."""
        with self._store.write(actor) as tx:
            tx.code_files.remove([file.key for file in change.gone])
            tx.code_files.unlink(sorted(change.affected))

    def _parsed(
        self, read: ReadFile, states: Sequence[FileState], call: Call
    ) -> list[tuple[FileState, bytes]]:
        """Facts of code, and manifests as they are.

        What cannot be read is left as it is: whoever keeps the files says so.
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
        around: Around,
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
            place = located(each.file.resource_key, each.file.path)
            self._memory.put(each.file, place, each.facts)

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

    def _link(self, actor: Actor, resource_key: int, call: Call) -> None:
        with self._store.read(actor) as tx:
            around = _around(tx, resource_key)
        waiting = [file for file in around.files if not file.linked]
        linker = self._linker(actor, around, waiting)
        for start in range(0, len(waiting), _LINKED_AT_ONCE):
            call.progress(start, len(waiting), "linking code")
            portion = waiting[start : start + _LINKED_AT_ONCE]
            linked = []
            for file in portion:
                call.check()
                with uncollected():
                    linked.append(linker.linked(file))
            with self._store.write(actor) as tx:
                for file, edges in linked:
                    tx.graph.put_edges(file.key, edges)
                    tx.code_files.settle(file)
                call.check()

    def _linker(self, actor: Actor, around: Around, files: Sequence[CodeFile]) -> Linker:
        kept = _Kept(self._store, actor, around, [file.key for file in files])
        return Linker(around, self._memory, kept)


class _Kept:
    """Implements linker.Fetch over one store; `files` are those that will be linked."""

    def __init__(self, store: Store, actor: Actor, around: Around, files: Sequence[int]) -> None:
        self._store, self._actor, self._resource_keys = store, actor, around.keys
        with store.read(actor) as tx:
            self._symbols = by_document(tx.graph.symbols_of(files))
            self._compiled = {
                each.document_key: each.data for each in tx.code_files.compiled(files)
            }

    def facts(self, document_key: int) -> bytes:
        with self._store.read(self._actor) as tx:
            return tx.code_files.facts([document_key])[document_key]

    def symbols(self, document_key: int) -> list[Symbol]:
        if document_key in self._symbols:
            return self._symbols[document_key]
        with self._store.read(self._actor) as tx:
            return tx.graph.symbols_of([document_key])

    def named(self, names: Sequence[str]) -> list[Symbol]:
        with self._store.read(self._actor) as tx:
            return tx.graph.named(names, self._resource_keys, _MOST_NAMESAKES)

    def compiled(self, document_key: int) -> bytes | None:
        return self._compiled.get(document_key)


def _described(resource: Resource, parsed: Iterable[tuple[FileState, bytes]]) -> list[Extracted]:
    with uncollected():
        return [
            (manifest if is_manifest(state.path) else described)(resource.key, state, data)
            for state, data in parsed
        ]


def _answer(tx: Transaction, question: Question, resources: Sequence[int]) -> GraphAnswer | None:
    if not question.parts:
        return None
    named = tx.graph.named([question.parts[-1]], resources, _MOST_NAMESAKES)
    paths = _paths(tx, {symbol.document_key for symbol in named})
    meant = places.meant_by(question.parts, named, paths)
    if not meant:
        return None
    told = places.chosen(meant)
    siblings = tx.graph.symbols_of(sorted({symbol.document_key for symbol in told})[:_MOST_FILES])
    targets = places.with_parts(told, siblings)
    edges = tx.graph.edges_to(sorted(targets), resources, _MOST_EDGES)
    sources = {edge.source_key for edge in edges if edge.source_key is not None}
    name = meant[0].name
    tests = [*_tests(tx, name, resources), *places.test_blocks(name, named)]
    used = _used(tx, told, targets)
    files = {edge.document_key for edge in edges}
    files |= {symbol.document_key for symbol in (*tests, *used)}
    known = places.SymbolContext(
        meant,
        edges,
        tx.graph.symbols(sorted(sources)),
        paths | _paths(tx, files - paths.keys()),
        tests,
        used,
    )
    found = tuple(places.sightings(known, question.intent))
    return GraphAnswer(name, found, tx.graph.unlinked(name, resources))


def _tests(tx: Transaction, name: str, resources: Sequence[int]) -> list[Symbol]:
    """Those that are called after the symbol, and those in files that are."""
    named = tx.graph.named(places.test_names(name), resources, _MOST_TESTS)
    files = {symbol.document_key for symbol in named if symbol.kind == Kind.MODULE.value}
    inside = tx.graph.symbols_of(sorted(files)[:_MOST_FILES])
    return [symbol for symbol in (*named, *inside) if symbol.kind == Kind.TEST.value]


def _used(tx: Transaction, told: Sequence[Symbol], targets: frozenset[int]) -> list[Symbol]:
    """What a symbol itself makes use of; of several none, for it would be whose?"""
    if len(told) != 1:
        return []
    edges = tx.graph.edges_from([told[0].document_key])
    keys = {edge.target_key for edge in edges if edge.source_key in targets and edge.target_key}
    return list(tx.graph.symbols(sorted(keys - targets)).values())


def _paths(tx: Transaction, documents: Iterable[int]) -> dict[int, str]:
    return {key: state.path for key, state in tx.files.get(sorted(documents)).items()}


def _around(tx: Transaction, resource_key: int) -> Around:
    keys = neighbours(tx.attachments.all(), resource_key)
    files = tx.code_files.of_resources(keys)
    texts = tx.code_files.facts([file.key for file in files if file.language == MANIFEST])
    return around_of(resource_key, keys, files, texts)
