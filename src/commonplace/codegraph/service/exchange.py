"""Exports the graph as SCIP indexes, and imports indexes that compilers wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from commonplace.codegraph.extraction.coding import encoded
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.keeping.extracted import Extracted, by_document, described, symbols_now
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.scip.compiler_links import (
    LEAST_AGREEMENT,
    Defined,
    agreement,
    rooted,
    uses_in,
)
from commonplace.codegraph.scip.export import document_of, names_of
from commonplace.codegraph.scip.format import Document, documents_of, index_chunks
from commonplace.codegraph.scip.index_facts import BY_INDEX, facts_of, text_agreement
from commonplace.codegraph.scip.protobuf import Malformed
from commonplace.codegraph.service.lines import lines_of
from commonplace.codegraph.service.linking import GraphLinking
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL
from commonplace.model.graph import Compiled
from commonplace.model.workspace import FileState, Resource
from commonplace.storage.port import Store, Transaction


@dataclass(frozen=True, slots=True)
class ImportedIndex:
    """The outcome of an import, in files of the index.

    `files` were imported; of these, the symbols of `added` are known from the index alone.
    `other_versions` do not match our versions, and `elsewhere` are not among our files.
    """

    files: int
    other_versions: int
    elsewhere: int
    added: int = 0


class ScipExchange:
    """Exports the graph of a resource, and imports what a compiler knows about it."""

    def __init__(self, store: Store, linking: GraphLinking) -> None:
        self._store = store
        self._linking = linking

    def exported(self, actor: Actor, resource: Resource, version: str) -> Iterator[bytes]:
        """A SCIP index of a resource, in pieces."""
        with self._store.read(actor) as tx:
            around = self._linking.around(tx, resource.key)
        files = [f for f in around.paths.values() if f.resource_key == resource.key]
        linker = self._linking.linker(actor, around, files)
        names = {file.key: names_of(file.path, linker.symbols(file)) for file in files}

        def name(target: DefinitionKey) -> str | None:
            return names.get(linker.place(target).key, {}).get(target.number)

        documents = (
            document_of(
                file.path, linker.facts(file), linker.symbols(file), linker.links(file).links, name
            )
            for file in files
        )
        return index_chunks(documents, resource.locator, version)

    def take_compiled(self, actor: Actor, resource: Resource, index: bytes) -> ImportedIndex:
        """Import a compiler's index; files of other versions than ours are skipped."""
        try:
            documents = list(documents_of(index))
        except Malformed as error:
            raise InvalidArgument(f"The file is no SCIP index: {error}.", field="file") from None
        with self._linking.alone(actor, PLAIN_CALL) as guarded:
            with self._store.read(actor) as tx:
                around = self._linking.around(tx, resource.key)
                states = {each.path: each for each in tx.files.of_resource(resource.key)}
            files = {
                f.path: f
                for f in around.paths.values()
                if f.resource_key == resource.key and f.path in states
            }
            linker = self._linking.linker(actor, around, [])
            known = rooted(documents, states)
            facts = {path: linker.facts(files[path]) for path in known if path in files}
            with self._store.read(actor) as tx:
                added = _added(tx, resource, known, facts, states)
            facts |= {each.file.path: each.facts for each in added}
            fitting = {
                p: known[p] for p in facts if agreement(known[p], facts[p]) >= LEAST_AGREEMENT
            }
            defined = Defined.among({path: known[path] for path in facts}, facts)
            with self._store.write(actor) as tx:
                _store(tx, added)
                tx.code_files.put_compiled(
                    [
                        Compiled(states[p].key, states[p].content_hash, uses_in(each, defined))
                        for p, each in fitting.items()
                    ]
                )
                tx.code_files.unlink([states[path].key for path in fitting])
                guarded.check()
            for each in added:
                self._linking.remember(each)
            self._linking.link(actor, resource.key, guarded)
        others = len(known) - len(fitting)
        return ImportedIndex(len(fitting), others, len(documents) - len(known), len(added))


def _added(
    tx: Transaction,
    resource: Resource,
    documents: Mapping[str, Document],
    facts: Mapping[str, FileFacts],
    states: Mapping[str, FileState],
) -> list[Extracted]:
    """Files that we can read only in part or not at all, with the facts of the index.

    Only those whose stored text agrees with the index, which then is of the same version.
    """
    found: list[Extracted] = []
    for path, document in documents.items():
        ours = facts.get(path)
        if ours is not None and not ours.problem:
            continue
        state = states[path]
        problem = ours.problem.removesuffix(f"; {BY_INDEX}") if ours else "language not supported"
        language = ours.language if ours else document.language.lower() or "other"
        indexed = facts_of(path, language, f"{problem}; {BY_INDEX}", document)
        read = ours.definitions if ours and not ours.problem.endswith(BY_INDEX) else ()
        known = {(each.name, each.position) for each in read}
        more = any((each.name, each.position) not in known for each in indexed.definitions)
        if more and text_agreement(document, lines_of(tx, state.key)) >= LEAST_AGREEMENT:
            found.append(described(resource.key, state, encoded(indexed)))
    return found


def _store(tx: Transaction, added: Sequence[Extracted]) -> None:
    before = by_document(tx.graph.symbols_of([each.file.key for each in added]))
    for each in added:
        was = before.get(each.file.key, [])
        now = symbols_now(each, was)
        kept = {symbol.key for symbol in now}
        tx.code_files.put(each.file, each.specifiers, each.data)
        tx.graph.remove_symbols([symbol.key for symbol in was if symbol.key not in kept])
        tx.graph.put_symbols(now)
