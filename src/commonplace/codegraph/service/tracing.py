"""Answers trace requests about a symbol, a file or a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import (
    OF_FILES,
    FoundPlaces,
    Relation,
    TracedPlace,
    TraceRequest,
    TraceResult,
    UseCount,
    ordered,
)
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.service import following, inheritance, modules
from commonplace.codegraph.service.inheritance import Related
from commonplace.codegraph.service.lines import with_lines
from commonplace.codegraph.service.named_files import find_files
from commonplace.codegraph.service.reaching import CALLS
from commonplace.codegraph.service.symbol_query import (
    EXTENDS,
    MOST_EDGES,
    SymbolQuery,
    find_symbols,
    names_alike,
    query_about,
)
from commonplace.model.actor import Actor
from commonplace.model.graph import Symbol
from commonplace.storage.port import Store, Transaction

_MOST_SIMILAR = 10
_MOST_NAMESAKES = 200
_MOST_COUNTED = 20_000
_NAMESAKES_SHOWN = 8
_WITH_COUNTS = frozenset(
    {Relation.DEFINITION, Relation.CALLERS, Relation.REFERENCES, Relation.IMPACT, Relation.TESTS,
     Relation.ENTRY_POINTS, Relation.SUBCLASSES, Relation.IMPLEMENTATIONS, Relation.OVERRIDES}
)  # fmt: skip

# What questions about files answer about a symbol.
_OF_SYMBOLS: Mapping[Relation, Callable[[SymbolQuery], FoundPlaces]] = {
    Relation.IMPORTERS: following.imports,
    Relation.OUTLINE: modules.outline_of_symbols,
}
# Relations whose places are uses of the symbol in question.
_USING = frozenset(
    {Relation.CALLERS, Relation.REFERENCES, Relation.IMPACT, Relation.TESTS, Relation.IMPORTERS}
)
_OF_WHOLE_FILES = frozenset(
    {Relation.CALLERS, Relation.CALLEES, Relation.REFERENCES, Relation.IMPACT, Relation.TESTS,
     Relation.ENTRY_POINTS}
)  # fmt: skip
# The kinds of use that answer a question about a name which is not defined here; () means all.
_USES_OUTSIDE: Mapping[Relation, frozenset[str]] = {
    Relation.REFERENCES: frozenset(),
    Relation.IMPACT: frozenset(),
    Relation.CALLERS: CALLS,
    Relation.SUBCLASSES: frozenset({EXTENDS}),
    Relation.IMPLEMENTATIONS: frozenset({EXTENDS}),
}


def _types(related: Related) -> FoundPlaces:
    return FoundPlaces(related.places, "", frozenset({EXTENDS}), related.outside, related.complete)


def _members(related: Related) -> FoundPlaces:
    return FoundPlaces(related.places, complete=related.complete)


_FOLLOWING: Mapping[Relation, Callable[[SymbolQuery, int], FoundPlaces]] = {
    Relation.DEFINITION: lambda _query, _steps: FoundPlaces(),
    Relation.CALLERS: following.callers,
    Relation.CALLEES: following.callees,
    Relation.REFERENCES: lambda query, _steps: following.references(query),
    Relation.SUBCLASSES: lambda query, steps: _types(inheritance.subclasses(query, steps)),
    Relation.SUPERCLASSES: lambda query, steps: replace(
        _types(inheritance.superclasses(query, steps)), unlinked=frozenset()
    ),
    Relation.IMPLEMENTATIONS: lambda query, steps: _types(
        inheritance.implementations(query, steps)
    ),
    Relation.OVERRIDES: lambda query, steps: _members(inheritance.overrides(query, steps)),
    Relation.TESTS: following.tests,
    Relation.IMPACT: following.impact,
    Relation.ENTRY_POINTS: following.entry_points,
}


class SymbolTracing:
    """Answers trace requests over the code of some resources."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def trace(self, actor: Actor, request: TraceRequest, resources: Sequence[int]) -> TraceResult:
        with self._store.read(actor) as tx:
            return trace_in(tx, request, resources)

    def definitions(self, actor: Actor, symbol: str, resources: Sequence[int]) -> TraceResult:
        """The definitions of a name, or similar names if there are none."""
        return self.trace(actor, TraceRequest(symbol), resources)


def trace_in(tx: Transaction, request: TraceRequest, resources: Sequence[int]) -> TraceResult:
    """Answer a request within a transaction."""
    if request.relation in OF_FILES:
        return _of_files(tx, request, resources)
    query = find_symbols(tx, request.symbol, resources, request.file)
    if query is None:
        # A path is a file; a bare name is rather that of a library than of a module.
        tries = [_used_from_outside, _of_whole_files]
        if "/" in request.symbol or language_of(request.symbol):
            tries.reverse()
        answers = (attempt(tx, request, resources) for attempt in tries)
        return next(filter(None, answers), None) or unknown(tx, request.symbol, resources)
    if request.relation is Relation.PATH:
        aim = find_symbols(tx, request.to, resources)
        if aim is None:
            return unknown(tx, request.to, resources)
        found = following.path_between(query, aim, request.steps)
    else:
        found = _FOLLOWING[request.relation](query, request.steps)
    return _result(query, found, request)


def _of_whole_files(
    tx: Transaction, request: TraceRequest, resources: Sequence[int]
) -> TraceResult | None:
    """What holds for all that a file defines; None if the request names no file."""
    files = find_files(tx, request.symbol, resources)
    if not files or request.relation not in _OF_WHOLE_FILES:
        return None
    every = tx.graph.symbols_of([file.key for file in files])
    query = query_about(tx, [each for each in every if "." not in each.path], resources)
    found = _FOLLOWING[request.relation](query, request.steps)
    # Uses of a name without a target would be those of one symbol among many.
    result = _result(query, replace(found, unlinked=frozenset()), request)
    return replace(result, definitions=modules.modules_of(query, files))


def _used_from_outside(
    tx: Transaction, request: TraceRequest, resources: Sequence[int]
) -> TraceResult | None:
    """The uses of a name that this code does not define: a library does, or it is made at run
    time. None if there are none, or if they may be uses of other symbols of that name."""
    uses = _USES_OUTSIDE.get(request.relation)
    parts = name_parts(request.symbol)
    if uses is None or not parts or (len(parts) > 1 and find_symbols(tx, parts[-1], resources)):
        return None
    query = modules.file_query(tx, resources, ())
    edges = tx.graph.unlinked_edges(parts[-1], resources, MOST_EDGES)
    wanted = [edge for edge in edges if not uses or edge.use in uses]
    sources = query.symbols(edge.source_key for edge in wanted)
    query.read_paths(edge.document_key for edge in wanted)
    found = ordered([place for edge in wanted for place in query.used(edge, sources)])
    if not found:
        return None
    shown = with_lines(tx, found[request.offset :][: request.limit], parts[-1], request.context)
    return TraceResult(
        places=tuple(shown),
        total=len(found),
        files=len({place.document for place in found}),
        outside=parts[-1],
    )


def unknown(tx: Transaction, symbol: str, resources: Sequence[int]) -> TraceResult:
    """The result for an unknown name, with similar names."""
    parts = name_parts(symbol)
    near = names_alike(tx, parts[-1], resources) if parts else []
    return TraceResult(unknown=symbol, similar=tuple(near[:_MOST_SIMILAR]))


def _of_files(tx: Transaction, request: TraceRequest, resources: Sequence[int]) -> TraceResult:
    if request.relation in (Relation.UNUSED, Relation.CYCLES):
        query = modules.file_query(tx, resources, ())
        search = modules.unused if request.relation is Relation.UNUSED else modules.import_cycles
        return _result(query, search(query, request.symbol), request)
    files = find_files(tx, request.symbol, resources)
    symbols = find_symbols(tx, request.symbol, resources) if not files else None
    if symbols is not None:
        asked = _OF_SYMBOLS[request.relation]
        return _result(symbols, asked(symbols), request)
    if not files:
        return unknown(tx, request.symbol, resources)
    query = modules.file_query(tx, resources, files)
    of_files = modules.importers if request.relation is Relation.IMPORTERS else modules.outline
    result = _result(query, of_files(query, files), request)
    return replace(result, definitions=modules.modules_of(query, files))


def _result(query: SymbolQuery, found: FoundPlaces, request: TraceRequest) -> TraceResult:
    """One page of the places, linked ones first, with what holds for all of them."""
    unlinked = [*_unlinked(query, found), *found.gaps]
    shown = [*found.places, *unlinked][request.offset :][: request.limit]
    used = query.name if query.matches and request.relation in _USING else ""
    lined = with_lines(query.tx, shown, used, request.context)
    linked = max(0, min(len(lined), len(found.places) - request.offset))
    counts = _counts(query, request.relation)
    others = [each for each in query.others if each.key in counts]
    namesakes = _namesakes(query, others, counts)
    problems = query.tx.code_files.problems(query.resources)
    documents = {each.document_key for each in query.matches}
    concerned = tuple(one for one in problems if one.document_key in documents)
    return TraceResult(
        definitions=_definitions(query, counts, request),
        places=tuple(lined[:linked]),
        total=len(found.places),
        files=len({place.document for place in found.places}),
        unresolved=tuple(lined[linked:]),
        unresolved_count=len(unlinked),
        namesakes=namesakes[:_NAMESAKES_SHOWN],
        namesake_count=len({(each.document_key, each.path) for each in others}),
        summary=found.summary,
        problems=concerned,
        partly_read=len(problems) - len(concerned),
        complete=found.complete and query.whole,
    )


def _unlinked(query: SymbolQuery, found: FoundPlaces) -> list[TracedPlace]:
    """Uses of the same name without a target: they may be uses of the symbol."""
    if found.unlinked == frozenset() or not query.matches:
        return []
    edges = query.tx.graph.unlinked_edges(query.name, query.resources, MOST_EDGES)
    wanted = [e for e in edges if found.unlinked is None or e.use in found.unlinked]
    sources = query.symbols(edge.source_key for edge in wanted)
    query.read_paths(edge.document_key for edge in wanted)
    return [place for edge in wanted for place in query.used(edge, sources)]


def _counts(query: SymbolQuery, relation: Relation) -> dict[int, int]:
    """The number of uses of each symbol of the name; a constructor's count for its class."""
    if relation not in _WITH_COUNTS or not query.matches:
        return {}
    others = query.others[:_MOST_NAMESAKES]
    if relation is Relation.DEFINITION and not others:
        return {}
    symbols: Iterable[Symbol] = [*query.matches, *others]
    counts = {each.key: 0 for each in symbols}
    parts = query.symbols(query.targets - counts.keys())
    owner = {
        key: each.key
        for key, part in parts.items()
        for each in query.matches
        if (part.document_key, part.path.rpartition(".")[0]) == (each.document_key, each.path)
    }
    keys = sorted(counts.keys() | owner.keys())
    for edge in query.tx.graph.edges_to(keys, query.resources, _MOST_COUNTED):
        if edge.rank == 0 and edge.target_key is not None:
            counts[owner.get(edge.target_key, edge.target_key)] += len(edge.lines)
    return counts


def _definitions(
    query: SymbolQuery, counts: Mapping[int, int], request: TraceRequest
) -> tuple[UseCount, ...]:
    places = [query.defined(each) for each in query.matches]
    if request.relation is Relation.DEFINITION:
        places = with_lines(query.tx, places, query.name, request.context)
        counts = {}
    why = f"inherited by {query.heir}" if query.heir else ""
    return tuple(
        UseCount(place, counts.get(each.key, 0), why)
        for place, each in zip(places, query.matches, strict=True)
    )


def _namesakes(
    query: SymbolQuery, others: Sequence[Symbol], counts: Mapping[int, int]
) -> tuple[UseCount, ...]:
    """Symbols of the same name: overridden ones first, whose calls may run it, then by uses."""
    base = {each.key for each in inheritance.overridden_by(query)} if others else set()
    ranked = sorted(others, key=lambda each: (each.key not in base, -counts[each.key]))
    once = {(each.document_key, each.path): each for each in reversed(ranked)}
    shown = [each for each in ranked if once[each.document_key, each.path] is each]
    shown = shown[:_NAMESAKES_SHOWN]
    query.read_paths(each.document_key for each in shown)
    return tuple(
        UseCount(query.defined(each), counts[each.key], _OVERRIDDEN if each.key in base else "")
        for each in shown
    )


_OVERRIDDEN = "overridden here: its calls may run this one"
