"""Follows uses from symbol to symbol: callers, callees, impact, entry points, tests, paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from commonplace.codegraph.answering.places import in_tests, test_blocks
from commonplace.codegraph.answering.trace import FoundPlaces, TracedPlace, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.inheritance import overriding
from commonplace.codegraph.service.reaching import CALLS, MAX_REACHED, Reached, shortest_path
from commonplace.codegraph.service.symbol_query import MOST_FILES, SymbolQuery, tests_named
from commonplace.model.graph import Edge, Symbol

_IMPORTING = frozenset({"export", "import"})
# Uses with an effect at run time, not only for the compiler.
_AT_RUN_TIME = frozenset({"call", "jsx", "annotation", "read", "write"})
_HOLDERS = frozenset({Kind.VARIABLE.value, Kind.CONSTANT.value, Kind.FIELD.value})
_TEST = Kind.TEST.value
_ALIAS = re.compile(r"=\s*(?:[\w$]+\.)*([\w$]+);?$")


def callers(query: SymbolQuery, steps: int) -> FoundPlaces:
    """Callers, also through aliases; other uses are only counted."""
    edges = query.edges_to(query.targets)
    sources = query.symbols(edge.source_key for edge in edges)
    aliases = _aliases(query, edges)
    if steps > 1:
        starts = query.targets | {each.key for each in aliases}
        reach = Reached(query, starts, steps, lambda edge, _: edge.use in CALLS)
        return FoundPlaces(ordered(reach.places), "", CALLS, complete=reach.complete)
    found = [place for e in edges if e.use in CALLS for place in _places_of(query, e, sources)]
    found += _calls_of(query, aliases)
    other = Counter(e.use for e in edges if e.use not in CALLS for _ in e.lines)
    summary = f"other uses: {_counted(other)}" if other else ""
    return FoundPlaces(ordered(found), summary, CALLS)


def imports(query: SymbolQuery) -> FoundPlaces:
    """Lines that import or re-export the symbol."""
    found = references(query)
    return FoundPlaces([place for place in found.places if place.use in _IMPORTING], "", _IMPORTING)


def references(query: SymbolQuery) -> FoundPlaces:
    """All lines that use the symbol, in any way."""
    edges = query.edges_to(query.targets)
    sources = query.symbols(edge.source_key for edge in edges)
    found = [place for edge in edges for place in _places_of(query, edge, sources)]
    kinds = Counter(place.use for place in ordered(found))
    return FoundPlaces(ordered(found), _counted(kinds), None)


def _places_of(query: SymbolQuery, edge: Edge, sources: Mapping[int, Symbol]) -> list[TracedPlace]:
    """The places of an edge; with several symbols in question, a note names the one used."""
    of = query.labels.get(edge.target_key or -1, "")
    return [replace(place, note=f"of {of}" if of else "") for place in query.used(edge, sources)]


def _aliases(query: SymbolQuery, edges: Iterable[Edge]) -> list[Symbol]:
    """Variables and fields that hold the symbol, as in `g = f`."""
    lines = {(e.document_key, line) for e in edges if e.use == "read" for line in e.lines}
    documents = sorted({document for document, _ in lines})[:MOST_FILES]
    return [
        each
        for each in query.tx.graph.symbols_of(documents)
        if each.kind in _HOLDERS
        and (each.document_key, each.line) in lines
        and (value := _ALIAS.search(each.signature))
        and value[1] == query.name
    ]


def _calls_of(query: SymbolQuery, aliases: Sequence[Symbol]) -> list[TracedPlace]:
    edges = query.edges_to(each.key for each in aliases) if aliases else []
    calls = [edge for edge in edges if edge.use in CALLS]
    sources = query.symbols(edge.source_key for edge in calls)
    return [
        replace(place, note=f"as {edge.name}")
        for edge in calls
        for place in query.used(edge, sources)
    ]


def callees(query: SymbolQuery, steps: int) -> FoundPlaces:
    """What the symbol and its inner definitions call; calls of unknown targets are gaps."""
    seen = query.inside(query.matches)
    frontier, found, gaps = dict(seen), list[TracedPlace](), list[TracedPlace]()
    for depth in range(1, steps + 1):
        calls = _calls_in(query, frontier)
        called = query.symbols(edge.target_key for edge in calls)
        new = {key: each for key, each in called.items() if key not in seen}
        found += _called_places(query, calls, called if depth == 1 else new, depth)
        if depth == 1:
            gaps = _gaps(query, calls, frontier)
        frontier = query.inside(new.values())
        seen |= frontier
        if not frontier or len(seen) > MAX_REACHED:
            break
    complete = not frontier or len(seen) <= MAX_REACHED
    # A symbol is listed once, at its smallest depth.
    return FoundPlaces(_distinct(found), gaps=ordered(gaps), complete=complete)


def _calls_in(query: SymbolQuery, symbols: Mapping[int, Symbol]) -> list[Edge]:
    return [
        edge
        for edge in query.edges_of(symbols.values())
        if edge.source_key in symbols and edge.use in CALLS and edge.rank == 0
    ]


def _called_places(
    query: SymbolQuery, calls: Iterable[Edge], called: Mapping[int, Symbol], depth: int
) -> list[TracedPlace]:
    return [
        query.defined(
            called[key],
            use=edge.use,
            confidence=edge.confidence,
            depth=depth,
            note=f"called at line {edge.lines[0]}" if depth == 1 else "",
        )
        for edge in calls
        if (key := edge.target_key) is not None and key in called
    ]


def _gaps(
    query: SymbolQuery, calls: Iterable[Edge], sources: Mapping[int, Symbol]
) -> list[TracedPlace]:
    """The first line of each name that is called and not known."""
    return [
        replace(place, symbol=edge.name)
        for edge in calls
        if edge.target_key is None
        for place in query.used(edge, sources)[:1]
    ]


def impact(query: SymbolQuery, steps: int) -> FoundPlaces:
    """Direct and indirect users of the symbol, and what overrides it; tests come last."""
    whole = query.inside(query.matches)
    starts = frozenset(whole) | query.targets
    reach = Reached(query, starts, steps, lambda edge, _: edge.use not in _IMPORTING)
    over = overriding(query, steps)
    places = [*reach.places, *(replace(one, use="override") for one in over.places)]
    ranked = sorted(ordered(places), key=lambda one: (one.depth, is_test(one)))
    tests = sum(map(is_test, ranked))
    direct = sum(one.depth == 1 for one in ranked)
    summary = (
        f"{direct} direct, {len(ranked) - direct} further; "
        f"{tests} in tests, {len(over.places)} overriding"
    )
    if ranked:
        summary += f"; weakest link {min(one.confidence for one in ranked):.2f}"
    return FoundPlaces(ranked, summary, None, complete=reach.complete and over.complete)


def entry_points(query: SymbolQuery, steps: int) -> FoundPlaces:
    """Where the program starts on its way to the symbol: users that nothing else uses."""
    starts = frozenset(query.inside(query.matches)) | query.targets
    reach = Reached(query, starts, steps, lambda edge, _: edge.use in _AT_RUN_TIME)
    roots = query.symbols(reach.roots - starts)
    found = [query.defined(each, depth=reach.depths[each.key]) for each in roots.values()]
    found += [one for one in reach.places if not one.symbol]
    ranked = sorted(ordered(found), key=lambda one: (is_test(one), one.depth))
    tests = sum(map(is_test, ranked))
    summary = f"{len(ranked) - tests} in the program, {tests} tests"
    return FoundPlaces(ranked, summary, CALLS, complete=reach.complete)


def tests(query: SymbolQuery, steps: int) -> FoundPlaces:
    """Tests that reach the symbol, the nearest first, then those that only bear its name."""
    starts = frozenset(query.inside(query.matches)) | query.targets
    reach = Reached(query, starts, steps, _may_be_tested_by)
    found = [replace(one, use="test") for one in reach.places if is_test(one)]
    # Helpers in test files come last: they are not tests themselves.
    reaching = sorted(ordered(found), key=lambda one: one.kind != _TEST)
    reaching = list(_once_per_test(reaching))
    known = {(one.document, one.symbol) for one in reaching}
    named = tests_named(query.tx, query.name, query.resources)
    blocks = test_blocks(query.name, query.tx.graph.named([query.name], query.resources, 200))
    by_name = [
        query.defined(each, use="named", confidence=0.4, depth=steps + 1)
        for each in dict.fromkeys([*named, *blocks])
        if (each.document_key, each.path) not in known
    ]
    direct = sum(one.depth == 1 for one in reaching)
    summary = (
        f"{direct} directly, {len(reaching) - direct} through others, {len(by_name)} by name only"
    )
    return FoundPlaces([*reaching, *ordered(by_name)], summary, CALLS, complete=reach.complete)


def _once_per_test(places: Iterable[TracedPlace]) -> Iterator[TracedPlace]:
    """The first place in each test: a test that uses a symbol on many lines is one test."""
    seen: set[tuple[int, str]] = set()
    for one in places:
        if not one.symbol or (one.document, one.symbol) not in seen:
            seen.add((one.document, one.symbol))
            yield one


def _may_be_tested_by(edge: Edge, level: int) -> bool:
    """Whether to follow a use: naming a symbol tests it, but further on only execution counts."""
    return edge.use not in _IMPORTING if level == 1 else edge.use in _AT_RUN_TIME


def path_between(start: SymbolQuery, goal: SymbolQuery, steps: int) -> FoundPlaces:
    """The shortest path by which one symbol runs the other or, without one, names it."""
    run = shortest_path(start, goal, steps, _AT_RUN_TIME)
    if run.places:
        return run
    return shortest_path(start, goal, steps, _AT_RUN_TIME | {"type", "extends"})


def is_test(place: TracedPlace) -> bool:
    return place.kind == _TEST or in_tests(place.path)


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {use}" for use, count in kinds.most_common())


def _distinct(places: Iterable[TracedPlace]) -> list[TracedPlace]:
    found: dict[tuple[int, str, int], TracedPlace] = {}
    for place in places:
        found.setdefault((place.document, place.symbol, place.line), place)
    return list(found.values())
