"""Questions about symbols, answered from what the graph has of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Question
from commonplace.codegraph.service.meaning import names_alike, tests_named
from commonplace.model.actor import Actor
from commonplace.model.graph import FileProblem, GraphCounts, Symbol
from commonplace.model.workspace import Resource
from commonplace.storage.port import Store, Transaction

_MOST_NAMESAKES = 20_000
_MOST_EDGES = 5_000
_MOST_FILES = 50


class SymbolAnswers:
    """Implements the search's SymbolGraph and the projects' SymbolCounter."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            return _answer(tx, question, resources)

    def alike(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols whose names are written almost like this one."""
        with self._store.read(actor) as tx:
            return names_alike(tx, name, resources)

    def coverage(self, actor: Actor, resources: Sequence[int]) -> GraphCoverage:
        with self._store.read(actor) as tx:
            symbols, references = tx.code_files.coverage(resources)
        return GraphCoverage(symbols, references)

    def counts(self, actor: Actor, resources: Sequence[int]) -> GraphCounts:
        """References into resources that are not among these count as resolved all the same."""
        with self._store.read(actor) as tx:
            files = tx.code_files.of_resources(resources)
        return places.counted(files, frozenset(resources))

    def problems(self, actor: Actor, resource: Resource) -> list[FileProblem]:
        """Files that are not read, or only in part, by path with the reason."""
        with self._store.read(actor) as tx:
            return tx.code_files.problems([resource.key])


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
    tests = [*tests_named(tx, name, resources), *places.test_blocks(name, named)]
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


def _used(tx: Transaction, told: Sequence[Symbol], targets: frozenset[int]) -> list[Symbol]:
    """What a symbol itself makes use of; of several none, for it would be whose?"""
    if len(told) != 1:
        return []
    edges = tx.graph.edges_from([told[0].document_key])
    keys = {edge.target_key for edge in edges if edge.source_key in targets and edge.target_key}
    return list(tx.graph.symbols(sorted(keys - targets)).values())


def _paths(tx: Transaction, documents: Iterable[int]) -> dict[int, str]:
    return {key: state.path for key, state in tx.files.get(sorted(documents)).items()}
