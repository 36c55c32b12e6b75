"""Follows uses from symbol to symbol: callers, callees, impact, entry points, tests, paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.codegraph.answering.places import in_tests, test_blocks
from commonplace.codegraph.answering.trace import TracedPlace, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.inheritance import constructors_by_class, overridden, overriding
from commonplace.codegraph.service.symbol_query import MOST_FILES, SymbolQuery, tests_named
from commonplace.model.graph import Edge, Symbol

CALLS = frozenset({"call", "jsx", "annotation"})
_MAX_REACHED = 2_000
_MAX_INDIRECT = 300
# The confidence of a call through an overridden member: it may run another override instead.
_DISPATCH_CONFIDENCE = 0.6
_IMPORTING = frozenset({"export", "import"})
# Uses with an effect at run time, not only for the compiler.
_AT_RUN_TIME = frozenset({"call", "jsx", "annotation", "read", "write"})
_HOLDERS = frozenset({Kind.VARIABLE.value, Kind.CONSTANT.value, Kind.FIELD.value})
_TEST = Kind.TEST.value
_ALIAS = re.compile(r"=\s*(?:[\w$]+\.)*([\w$]+);?$")


@dataclass(frozen=True, slots=True)
class Found:
    """The places of an answer.

    `unlinked` are the kinds of use of which unlinked ones may belong to the answer; None means all.
    `gaps` are calls made by the symbol whose target is unknown. `complete` is False if a limit cut
    the search.
    """

    places: Sequence[TracedPlace] = ()
    summary: str = ""
    unlinked: frozenset[str] | None = frozenset()
    gaps: Sequence[TracedPlace] = ()
    complete: bool = True


@dataclass(slots=True)
class _Reach:
    """Places reached step by step; `keys` has the depth of each symbol, `roots` have no users."""

    places: list[TracedPlace] = field(default_factory=list)
    roots: set[int] = field(default_factory=set)
    keys: dict[int, int] = field(default_factory=dict)
    complete: bool = True


def callers(query: SymbolQuery, steps: int) -> Found:
    """Callers, also through aliases; other uses are only counted."""
    edges = query.edges_to(query.targets)
    sources = query.symbols(edge.source_key for edge in edges)
    aliases = _aliases(query, edges)
    if steps > 1:
        starts = query.targets | {each.key for each in aliases}
        reach = _reached(query, starts, steps, lambda edge, _: edge.use in CALLS)
        return Found(ordered(reach.places), "", CALLS, complete=reach.complete)
    found = [place for e in edges if e.use in CALLS for place in _places_of(query, e, sources)]
    found += _calls_of(query, aliases)
    other = Counter(e.use for e in edges if e.use not in CALLS for _ in e.lines)
    summary = f"other uses: {_counted(other)}" if other else ""
    return Found(ordered(found), summary, CALLS)


def imports(query: SymbolQuery) -> Found:
    """Lines that import or re-export the symbol."""
    found = references(query)
    return Found([place for place in found.places if place.use in _IMPORTING], "", _IMPORTING)


def references(query: SymbolQuery) -> Found:
    """All lines that use the symbol, in any way."""
    edges = query.edges_to(query.targets)
    sources = query.symbols(edge.source_key for edge in edges)
    found = [place for edge in edges for place in _places_of(query, edge, sources)]
    kinds = Counter(place.use for place in ordered(found))
    return Found(ordered(found), _counted(kinds), None)


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


def callees(query: SymbolQuery, steps: int) -> Found:
    """What the symbol and its inner definitions call; calls of unknown targets are gaps."""
    seen = query.inside(query.matches)
    frontier, found, gaps = dict(seen), list[TracedPlace](), list[TracedPlace]()
    complete = True
    for level in range(1, steps + 1):
        edges = [
            e for e in query.edges_of(frontier.values())
            if e.source_key in frontier and e.use in CALLS and e.rank == 0
        ]  # fmt: skip
        called = query.symbols(edge.target_key for edge in edges)
        found += [
            query.defined(called[key], use=e.use, confidence=e.confidence, depth=level,
                          note=f"called at line {e.lines[0]}" if level == 1 else "")
            for e in edges
            if (key := e.target_key) is not None
            and key in called
            and (level == 1 or key not in seen)
        ]  # fmt: skip
        if level == 1:
            gaps = [
                replace(place, symbol=edge.name)
                for edge in edges
                if edge.target_key is None
                for place in query.used(edge, frontier)[:1]
            ]
        frontier = query.inside([each for key, each in called.items() if key not in seen])
        seen |= frontier
        if not frontier:
            break
        if len(seen) > _MAX_REACHED:
            complete = False
            break
    # A symbol is listed once, at its smallest depth.
    return Found(_distinct(found), gaps=ordered(gaps), complete=complete)


def impact(query: SymbolQuery, steps: int) -> Found:
    """Direct and indirect users of the symbol, and what overrides it; tests come last."""
    whole = query.inside(query.matches)
    starts = frozenset(whole) | query.targets
    reach = _reached(query, starts, steps, lambda edge, _: edge.use not in _IMPORTING)
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
    return Found(ranked, summary, None, complete=reach.complete and over.complete)


def entry_points(query: SymbolQuery, steps: int) -> Found:
    """Where the program starts on its way to the symbol: users that nothing else uses."""
    starts = frozenset(query.inside(query.matches)) | query.targets
    reach = _reached(query, starts, steps, lambda edge, _: edge.use in _AT_RUN_TIME)
    roots = query.symbols(reach.roots - starts)
    found = [query.defined(each, depth=reach.keys[each.key]) for each in roots.values()]
    found += [one for one in reach.places if not one.symbol]
    ranked = sorted(ordered(found), key=lambda one: (is_test(one), one.depth))
    tests = sum(map(is_test, ranked))
    summary = f"{len(ranked) - tests} in the program, {tests} tests"
    return Found(ranked, summary, CALLS, complete=reach.complete)


def tests(query: SymbolQuery, steps: int) -> Found:
    """Tests that reach the symbol, the nearest first, then those that only bear its name."""
    starts = frozenset(query.inside(query.matches)) | query.targets
    reach = _reached(query, starts, steps, _may_be_tested_by)
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
    return Found([*reaching, *ordered(by_name)], summary, CALLS, complete=reach.complete)


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


def path_between(start: SymbolQuery, goal: SymbolQuery, steps: int) -> Found:
    """The shortest path by which one symbol runs the other or, without one, names it."""
    run = _shortest_path(start, goal, steps, _AT_RUN_TIME)
    if run.places:
        return run
    return _shortest_path(start, goal, steps, _AT_RUN_TIME | {"type", "extends"})


def _shortest_path(
    start: SymbolQuery, goal: SymbolQuery, steps: int, uses: frozenset[str]
) -> Found:
    """Search backwards from the goal, breadth first."""
    origins = start.inside(start.matches)
    onward: dict[int, tuple[Edge, int]] = {}
    seen, frontier = set(goal.targets), set(goal.targets)
    for _ in range(steps):
        indirect = _indirect_targets(goal, frontier)
        edges = goal.edges_to(frontier | indirect.keys())
        frontier = set()
        for edge in edges:
            source, target = edge.source_key, edge.target_key
            if source is None or target is None or source in seen or edge.rank:
                continue
            if edge.use not in (CALLS if target in indirect else uses):
                continue
            seen.add(source)
            onward[source] = edge, indirect[target][0] if target in indirect else target
            frontier.add(source)
            if source in origins:
                return Found(_path_places(start, source, onward))
        if not frontier or len(seen) > _MAX_REACHED:
            break
    return Found(complete=not frontier)


def is_test(place: TracedPlace) -> bool:
    return place.kind == _TEST or in_tests(place.path)


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {use}" for use, count in kinds.most_common())


def _distinct(places: Iterable[TracedPlace]) -> list[TracedPlace]:
    found: dict[tuple[int, str, int], TracedPlace] = {}
    for place in places:
        found.setdefault((place.document, place.symbol, place.line), place)
    return list(found.values())


def _reached(
    query: SymbolQuery, starts: frozenset[int], steps: int, follows: Callable[[Edge, int], bool]
) -> _Reach:
    """Follow uses backwards. Each symbol counts once, at its smallest depth.

    Its confidence is that of the weakest link on the way.
    """
    confidences = dict.fromkeys(starts, 1.0)
    reach, frontier = _Reach(), set(starts)
    for level in range(1, steps + 1):
        indirect = _indirect_targets(query, frontier)
        reach.complete = reach.complete and len(frontier) <= _MAX_INDIRECT
        links = {
            each: min(confidences[key], link) for each, (key, link) in indirect.items()
        } | confidences
        edges = [
            e for e in query.edges_to(frontier | indirect.keys())
            if e.rank == 0 and (follows(e, level) if e.target_key in frontier else e.use in CALLS)
        ]  # fmt: skip
        fresh = [e for e in edges if e.source_key not in confidences]
        sources = query.symbols(edge.source_key for edge in fresh)
        ran = ((e, indirect.get(e.target_key or -1, (e.target_key, 0.0))[0]) for e in edges)
        reach.roots |= frontier - {key for e, key in ran if e.source_key not in (None, key)}
        best: dict[int, float] = {}
        for edge in fresh:
            link = min(links.get(edge.target_key or -1, 1.0), edge.confidence)
            source = sources.get(edge.source_key or -1)
            steps_to = query.used(edge, sources) if level == 1 or not source else [
                query.defined(source, use=edge.use, line=edge.lines[0])
            ]  # fmt: skip
            reach.places += [replace(one, confidence=link, depth=level) for one in steps_to]
            if source is not None:
                best[source.key] = max(best.get(source.key, 0.0), link)
        confidences |= best
        frontier = set(best)
        reach.keys |= dict.fromkeys(frontier, level)
        if not frontier:
            break
        if len(reach.places) > _MAX_REACHED:
            reach.complete = False
            break
    else:
        reach.complete = False
        reach.roots -= frontier
    return reach


def _indirect_targets(query: SymbolQuery, keys: set[int]) -> dict[int, tuple[int, float]]:
    """Other symbols through which a use may run one of these, with that one and the confidence.

    These are the class of a constructor, and members that a method overrides.
    """
    if len(keys) > _MAX_INDIRECT:
        return {}
    members = list(query.symbols(keys).values())
    found = {owner: (key, 1.0) for owner, key in constructors_by_class(query, members).items()}
    upper = overridden(query, [each for each in members if each.kind == Kind.METHOD.value])
    return found | {each.key: (key, _DISPATCH_CONFIDENCE) for each, key in upper.items()}


def _path_places(
    query: SymbolQuery, first: int, onward: Mapping[int, tuple[Edge, int]]
) -> list[TracedPlace]:
    keys = [first]
    while keys[-1] in onward:
        keys.append(onward[keys[-1]][1])
    symbols = query.symbols(keys)
    steps = []
    for number, key in enumerate(keys):
        edge = onward[key][0] if key in onward else None
        line = (
            {"line": edge.lines[0], "use": edge.use, "confidence": edge.confidence} if edge else {}
        )
        steps.append(query.defined(symbols[key], depth=number, **line))
    return steps
