"""Answers what is asked of a symbol, a file or a folder by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import (
    OF_FILES,
    Relation,
    TracedPlace,
    TraceRequest,
    TraceResult,
    UseCount,
)
from commonplace.codegraph.service import following, inheritance, modules
from commonplace.codegraph.service.following import Found
from commonplace.codegraph.service.inheritance import Related
from commonplace.codegraph.service.lines import with_lines
from commonplace.codegraph.service.meaning import (
    EXTENDS,
    MOST_EDGES,
    AskedSymbols,
    asked_about,
    names_alike,
)
from commonplace.model.actor import Actor
from commonplace.model.graph import Symbol
from commonplace.storage.port import Store, Transaction

_MOST_SIMILAR = 10
_MOST_NAMESAKES = 200
_MOST_COUNTED = 20_000
_NAMESAKES_TOLD = 8
_COUNTING = frozenset(
    {Relation.CALLERS, Relation.REFERENCES, Relation.IMPACT, Relation.TESTS, Relation.ENTRY_POINTS,
     Relation.SUBCLASSES, Relation.IMPLEMENTATIONS, Relation.OVERRIDES}
)  # fmt: skip


def _types(related: Related) -> Found:
    return Found(related.places, "", frozenset({EXTENDS}), related.outside, related.complete)


def _members(related: Related) -> Found:
    return Found(related.places, complete=related.complete)


_FOLLOWING: Mapping[Relation, Callable[[AskedSymbols, int], Found]] = {
    Relation.DEFINITION: lambda _asked, _steps: Found(),
    Relation.CALLERS: following.callers,
    Relation.CALLEES: following.callees,
    Relation.REFERENCES: lambda asked, _steps: following.references(asked),
    Relation.SUBCLASSES: lambda asked, steps: _types(inheritance.below(asked, steps)),
    Relation.SUPERCLASSES: lambda asked, steps: replace(
        _types(inheritance.above(asked, steps)), unlinked=frozenset()
    ),
    Relation.IMPLEMENTATIONS: lambda asked, steps: _types(
        inheritance.implementations(asked, steps)
    ),
    Relation.OVERRIDES: lambda asked, steps: _members(inheritance.overrides(asked, steps)),
    Relation.TESTS: following.tests,
    Relation.IMPACT: following.impact,
    Relation.ENTRY_POINTS: following.entry_points,
}


class SymbolTracing:
    """Answers by name, over the code of some resources."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def trace(self, actor: Actor, asked: TraceRequest, resources: Sequence[int]) -> TraceResult:
        with self._store.read(actor) as tx:
            return trace_in(tx, asked, resources)

    def meant(self, actor: Actor, symbol: str, resources: Sequence[int]) -> TraceResult:
        """The definitions of a name, or the names that are near it."""
        return self.trace(actor, TraceRequest(symbol), resources)


def trace_in(tx: Transaction, asked: TraceRequest, resources: Sequence[int]) -> TraceResult:
    """What the graph answers, within a transaction."""
    if asked.relation in OF_FILES:
        return _of_files(tx, asked, resources)
    symbols = asked_about(tx, asked.symbol, resources, asked.file)
    if symbols is None:
        return unknown(tx, asked.symbol, resources)
    if asked.relation is Relation.PATH:
        aim = asked_about(tx, asked.to, resources)
        if aim is None:
            return unknown(tx, asked.to, resources)
        found = following.path_between(symbols, aim, asked.steps)
    else:
        found = _FOLLOWING[asked.relation](symbols, asked.steps)
    return _told(symbols, found, asked)


def unknown(tx: Transaction, symbol: str, resources: Sequence[int]) -> TraceResult:
    """Says that nothing has the name, with the names that are near it."""
    parts = name_parts(symbol)
    near = names_alike(tx, parts[-1], resources) if parts else []
    return TraceResult(unknown=symbol, similar=tuple(near[:_MOST_SIMILAR]))


def _of_files(tx: Transaction, asked: TraceRequest, resources: Sequence[int]) -> TraceResult:
    if asked.relation in (Relation.UNUSED, Relation.CYCLES):
        around = modules.nothing_asked(tx, resources, ())
        looked = modules.unused if asked.relation is Relation.UNUSED else modules.import_cycles
        return _told(around, looked(around, asked.symbol), asked)
    files = modules.files_meant(tx, asked.symbol, resources)
    symbols = asked_about(tx, asked.symbol, resources) if not files else None
    if symbols is not None and asked.relation is Relation.IMPORTERS:
        return _told(symbols, following.imports(symbols), asked)
    if not files:
        return unknown(tx, asked.symbol, resources)
    around = modules.nothing_asked(tx, resources, files)
    looked_at = modules.importers if asked.relation is Relation.IMPORTERS else modules.outline
    told = _told(around, looked_at(around, files), asked)
    return replace(told, meant=modules.modules_of(around, files))


def _told(asked: AskedSymbols, found: Found, request: TraceRequest) -> TraceResult:
    """One page of the places, linked ones first, and what has to be said of the whole."""
    unlinked = [*_unlinked(asked, found), *found.gaps]
    shown = [*found.places, *unlinked][request.offset :][: request.limit]
    lined = with_lines(asked.tx, shown, asked.name if asked.meant else "", request.context)
    linked = max(0, min(len(lined), len(found.places) - request.offset))
    counts = _counts(asked, request.relation)
    others = [each for each in asked.others if each.key in counts]
    namesakes = _namesakes(asked, others, counts)
    problems = asked.tx.code_files.problems(asked.resources)
    documents = {each.document_key for each in asked.meant}
    concerned = tuple(one for one in problems if one.document_key in documents)
    return TraceResult(
        meant=_meant(asked, counts, request),
        places=tuple(lined[:linked]),
        total=len(found.places),
        files=len({place.document for place in found.places}),
        unresolved=tuple(lined[linked:]),
        unresolved_count=len(unlinked),
        namesakes=namesakes[:_NAMESAKES_TOLD],
        namesake_count=len({(each.document_key, each.path) for each in others}),
        summary=found.summary,
        problems=concerned,
        partly_read=len(problems) - len(concerned),
        complete=found.complete and asked.whole,
    )


def _unlinked(asked: AskedSymbols, found: Found) -> list[TracedPlace]:
    """Uses of the same name that lead to no symbol: they may be uses of it."""
    if found.unlinked == frozenset() or not asked.meant:
        return []
    edges = asked.tx.graph.unlinked_edges(asked.name, asked.resources, MOST_EDGES)
    wanted = [e for e in edges if found.unlinked is None or e.use in found.unlinked]
    sources = asked.symbols(edge.source_key for edge in wanted)
    asked.read_paths(edge.document_key for edge in wanted)
    return [place for edge in wanted for place in asked.used(edge, sources)]


def _counts(asked: AskedSymbols, relation: Relation) -> dict[int, int]:
    """How many uses lead to each symbol of the name; those of constructors are their class's."""
    if relation not in _COUNTING or not asked.meant:
        return {}
    symbols: Iterable[Symbol] = [*asked.meant, *asked.others[:_MOST_NAMESAKES]]
    counts = {each.key: 0 for each in symbols}
    parts = asked.symbols(asked.targets - counts.keys())
    owner = {
        key: each.key
        for key, part in parts.items()
        for each in asked.meant
        if (part.document_key, part.path.rpartition(".")[0]) == (each.document_key, each.path)
    }
    keys = sorted(counts.keys() | owner.keys())
    for edge in asked.tx.graph.edges_to(keys, asked.resources, _MOST_COUNTED):
        if edge.rank == 0 and edge.target_key is not None:
            counts[owner.get(edge.target_key, edge.target_key)] += len(edge.lines)
    return counts


def _meant(
    asked: AskedSymbols, counts: Mapping[int, int], request: TraceRequest
) -> tuple[UseCount, ...]:
    places = [asked.defined(each) for each in asked.meant]
    if request.relation is Relation.DEFINITION:
        places = with_lines(asked.tx, places, asked.name, request.context)
    why = f"inherited by {asked.heir}" if asked.heir else ""
    return tuple(
        UseCount(place, counts.get(each.key, 0), why)
        for place, each in zip(places, asked.meant, strict=True)
    )


def _namesakes(
    asked: AskedSymbols, others: Sequence[Symbol], counts: Mapping[int, int]
) -> tuple[UseCount, ...]:
    """Those that it overrides first, for a call of them may run it; then the most used."""
    base = {each.key for each in inheritance.overridden_by(asked)} if others else set()
    ranked = sorted(others, key=lambda each: (each.key not in base, -counts[each.key]))
    once = {(each.document_key, each.path): each for each in reversed(ranked)}
    told = [each for each in ranked if once[each.document_key, each.path] is each]
    asked.read_paths(each.document_key for each in told[:_NAMESAKES_TOLD])
    return tuple(
        UseCount(asked.defined(each), counts[each.key], _OVERRIDDEN if each.key in base else "")
        for each in told[:_NAMESAKES_TOLD]
    )


_OVERRIDDEN = "overridden here: its calls may run this one"
