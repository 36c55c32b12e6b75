"""Answers questions about symbols from the stored graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Intent, Question
from commonplace.codegraph.answering.trace import Relation, TraceRequest
from commonplace.codegraph.service.reaching import CALLS
from commonplace.codegraph.service.symbol_query import (
    MOST_EDGES,
    SymbolQuery,
    find_symbols,
    names_alike,
    tests_named,
)
from commonplace.codegraph.service.tracing import trace_in
from commonplace.model.actor import Actor
from commonplace.model.graph import Edge, FileProblem, GraphCounts, Symbol
from commonplace.model.workspace import Resource
from commonplace.storage.port import Store, Transaction

_MOST_NAMESAKES = 20_000


class SymbolAnswers:
    """Implements SymbolGraph of the workspace search and SymbolCounter of projects."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            return _answer(tx, question, resources)

    def similar_names(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols with similar names."""
        with self._store.read(actor) as tx:
            return names_alike(tx, name, resources)

    def follow(
        self, actor: Actor, request: TraceRequest, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            traced = trace_in(tx, request, resources)
        if traced.unknown:
            return None
        return GraphAnswer(
            target=traced.definitions[0].place.symbol if traced.definitions else request.symbol,
            sightings=tuple(places.followed(traced, request.relation)),
            unlinked=traced.unresolved_count,
            namesakes=traced.namesakes,
            problems=traced.problems,
            summary=traced.summary,
        )

    def coverage(self, actor: Actor, resources: Sequence[int]) -> GraphCoverage:
        with self._store.read(actor) as tx:
            symbols, references = tx.code_files.coverage(resources)
        return GraphCoverage(symbols, references)

    def counts(self, actor: Actor, resources: Sequence[int]) -> GraphCounts:
        """Counts of some resources; references to other resources count as resolved, too."""
        with self._store.read(actor) as tx:
            tallies = tx.code_files.tallies(resources)
        return places.counted(tallies.values(), frozenset(resources))

    def problems(self, actor: Actor, resource: Resource) -> list[FileProblem]:
        """Files that were read only in part or not at all, with the reason."""
        with self._store.read(actor) as tx:
            return tx.code_files.problems([resource.key])


def _answer(tx: Transaction, question: Question, resources: Sequence[int]) -> GraphAnswer | None:
    target = question.target or ""
    query = find_symbols(tx, target, resources)
    if query is None:
        return None
    name, targets, paths = query.name, query.targets, query.paths
    named = tx.graph.named([name], resources, _MOST_NAMESAKES)
    alike = [] if query.heir else places.matching_symbols(question.parts, named, paths)
    matches = alike or list(query.matches)
    edges = [*query.edges_to(targets), *_unlinked(tx, name, question.intent, resources)]
    sources = {edge.source_key for edge in edges if edge.source_key is not None}
    tests = [*tests_named(tx, name, resources), *places.test_blocks(name, named)]
    used = _used(tx, query)
    files = {edge.document_key for edge in edges}
    files |= {symbol.document_key for symbol in (*tests, *used)}
    context = places.SymbolContext(
        matches,
        edges,
        tx.graph.symbols(sorted(sources)),
        paths | _paths(tx, files - paths.keys()),
        tests,
        used,
    )
    found = tuple(places.sightings(context, question.intent))
    counted = trace_in(tx, TraceRequest(target, Relation.REFERENCES, limit=1), resources)
    unlinked = tx.graph.count_unlinked(name, resources)
    return GraphAnswer(name, found, unlinked, counted.namesakes, counted.problems)


def _unlinked(tx: Transaction, name: str, intent: Intent, resources: Sequence[int]) -> list[Edge]:
    """Uses of the name without a target, if the question is about uses."""
    if intent not in (Intent.CALLER, Intent.REFERENCE):
        return []
    edges = tx.graph.unlinked_edges(name, resources, MOST_EDGES)
    return [edge for edge in edges if intent is Intent.REFERENCE or edge.use in CALLS]


def _used(tx: Transaction, query: SymbolQuery) -> list[Symbol]:
    """The symbols that a symbol uses; none for several symbols, as the user would be unclear."""
    if len(query.matches) != 1:
        return []
    edges = tx.graph.edges_from([query.matches[0].document_key])
    targets = query.targets
    keys = {edge.target_key for edge in edges if edge.source_key in targets and edge.target_key}
    return list(tx.graph.symbols(sorted(keys - targets)).values())


def _paths(tx: Transaction, documents: Iterable[int]) -> dict[int, str]:
    return {key: state.path for key, state in tx.files.get(sorted(documents)).items()}
