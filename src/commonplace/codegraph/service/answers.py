"""Questions about symbols, answered from what the graph has of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.answer import GraphAnswer, GraphCoverage
from commonplace.codegraph.answering.question import Intent, Question
from commonplace.codegraph.answering.trace import Relation, TraceRequest
from commonplace.codegraph.service.following import CALLS
from commonplace.codegraph.service.meaning import (
    MOST_EDGES,
    asked_about,
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
    """Implements the search's SymbolGraph and the projects' SymbolCounter."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def answer(
        self, actor: Actor, question: Question, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            return _answer(tx, question, resources)

    def similar_names(self, actor: Actor, name: str, resources: Sequence[int]) -> list[str]:
        """Paths of symbols whose names are written almost like this one."""
        with self._store.read(actor) as tx:
            return names_alike(tx, name, resources)

    def follow(
        self, actor: Actor, asked: TraceRequest, resources: Sequence[int]
    ) -> GraphAnswer | None:
        with self._store.read(actor) as tx:
            traced = trace_in(tx, asked, resources)
        if traced.unknown:
            return None
        return GraphAnswer(
            target=traced.meant[0].place.symbol if traced.meant else asked.symbol,
            sightings=tuple(places.followed(traced, asked.relation)),
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
        """References into resources that are not among these count as resolved all the same."""
        with self._store.read(actor) as tx:
            tallies = tx.code_files.tallies(resources)
        return places.counted(tallies.values(), frozenset(resources))

    def problems(self, actor: Actor, resource: Resource) -> list[FileProblem]:
        """Files that are not read, or only in part, by path with the reason."""
        with self._store.read(actor) as tx:
            return tx.code_files.problems([resource.key])


def _answer(tx: Transaction, question: Question, resources: Sequence[int]) -> GraphAnswer | None:
    target = question.target or ""
    asked = asked_about(tx, target, resources)
    if asked is None:
        return None
    named = tx.graph.named([asked.name], resources, _MOST_NAMESAKES)
    paths = asked.paths
    parts = question.parts if not asked.heir else (asked.name,)
    meant = list(asked.meant) if asked.heir else places.meant_by(parts, named, paths)
    told, targets, name = asked.meant, asked.targets, asked.name
    edges = [*asked.edges_to(targets), *_unlinked(tx, asked.name, question.intent, resources)]
    sources = {edge.source_key for edge in edges if edge.source_key is not None}
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
    counted = trace_in(tx, TraceRequest(target, Relation.REFERENCES, limit=1), resources)
    unlinked = tx.graph.count_unlinked(name, resources)
    return GraphAnswer(name, found, unlinked, counted.namesakes, counted.problems)


def _unlinked(tx: Transaction, name: str, intent: Intent, resources: Sequence[int]) -> list[Edge]:
    """Uses of the name that lead nowhere, where uses are asked for."""
    if intent not in (Intent.CALLER, Intent.REFERENCE):
        return []
    edges = tx.graph.unlinked_edges(name, resources, MOST_EDGES)
    return [edge for edge in edges if intent is Intent.REFERENCE or edge.use in CALLS]


def _used(tx: Transaction, told: Sequence[Symbol], targets: frozenset[int]) -> list[Symbol]:
    """What a symbol itself makes use of; of several none, for it would be whose?"""
    if len(told) != 1:
        return []
    edges = tx.graph.edges_from([told[0].document_key])
    keys = {edge.target_key for edge in edges if edge.source_key in targets and edge.target_key}
    return list(tx.graph.symbols(sorted(keys - targets)).values())


def _paths(tx: Transaction, documents: Iterable[int]) -> dict[int, str]:
    return {key: state.path for key, state in tx.files.get(sorted(documents)).items()}
