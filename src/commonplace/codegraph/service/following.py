"""Follows uses from symbol to symbol: callers, callees, what a change reaches, ways, tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.codegraph.answering.places import in_tests, test_blocks
from commonplace.codegraph.answering.trace import TracedPlace, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.inheritance import made_by, overridden, overriding
from commonplace.codegraph.service.meaning import MOST_FILES, AskedSymbols, tests_named
from commonplace.model.graph import Edge, Symbol

CALLS = frozenset({"call", "jsx", "annotation"})
_MOST_REACHED = 2_000
_MOST_AIMED = 300
# A call of what a member overrides may run another one that overrides it, too.
_DISPATCHED = 0.6
_PASSED_ON = frozenset({"export", "import"})
# What happens when the program runs, and not only when it is compiled.
_AT_RUN_TIME = frozenset({"call", "jsx", "annotation", "read", "write"})
_HOLDERS = frozenset({Kind.VARIABLE.value, Kind.CONSTANT.value, Kind.FIELD.value})
_TEST = Kind.TEST.value
_ALIAS = re.compile(r"=\s*(?:[\w$]+\.)*([\w$]+);?$")


@dataclass(frozen=True, slots=True)
class Found:
    """Places that answer; `unlinked` are the uses of the name that may belong to them.

    `gaps` are calls of the symbol itself that lead nowhere.
    """

    places: Sequence[TracedPlace] = ()
    summary: str = ""
    unlinked: frozenset[str] | None = frozenset()
    gaps: Sequence[TracedPlace] = ()
    complete: bool = True


@dataclass(slots=True)
class _Reach:
    """What was come to, step by step; `roots` are those that nothing leads to in turn."""

    places: list[TracedPlace] = field(default_factory=list)
    roots: set[int] = field(default_factory=set)
    keys: dict[int, int] = field(default_factory=dict)
    complete: bool = True


def callers(asked: AskedSymbols, steps: int) -> Found:
    """Whoever calls it, also by another name that it was given; the rest is counted."""
    edges = asked.edges_to(asked.targets)
    sources = asked.symbols(edge.source_key for edge in edges)
    aliases = _aliases(asked, edges)
    if steps > 1:
        starts = asked.targets | {each.key for each in aliases}
        reach = _reached(asked, starts, steps, lambda edge, _: edge.use in CALLS)
        return Found(ordered(reach.places), "", CALLS, complete=reach.complete)
    found = [place for e in edges if e.use in CALLS for place in _whose(asked, e, sources)]
    found += _through(asked, aliases)
    other = Counter(e.use for e in edges if e.use not in CALLS for _ in e.lines)
    said = ", ".join(f"{count} {use}" for use, count in other.most_common())
    return Found(ordered(found), f"other uses: {said}" if said else "", CALLS)


def imports(asked: AskedSymbols) -> Found:
    """Lines that import the symbol, or pass it on."""
    found = references(asked)
    return Found([place for place in found.places if place.use in _PASSED_ON], "", _PASSED_ON)


def references(asked: AskedSymbols) -> Found:
    """Every line that names it, of whatever use."""
    edges = asked.edges_to(asked.targets)
    sources = asked.symbols(edge.source_key for edge in edges)
    found = [place for edge in edges for place in _whose(asked, edge, sources)]
    kinds = Counter(place.use for place in ordered(found))
    return Found(ordered(found), _counted(kinds), None)


def _whose(asked: AskedSymbols, edge: Edge, sources: Mapping[int, Symbol]) -> list[TracedPlace]:
    """Where several symbols are meant, a use says which of them it is of."""
    places = asked.used(edge, sources)
    if len(asked.meant) == 1:
        return places
    of = {each.key: each.path for each in asked.meant}.get(edge.target_key or -1, "")
    return [replace(place, note=f"of {of}") if of else place for place in places]


def _aliases(asked: AskedSymbols, edges: Iterable[Edge]) -> list[Symbol]:
    """Variables and fields that stand for it: `g = f`."""
    lines = {(e.document_key, line) for e in edges if e.use == "read" for line in e.lines}
    documents = sorted({document for document, _ in lines})[:MOST_FILES]
    return [
        each
        for each in asked.tx.graph.symbols_of(documents)
        if each.kind in _HOLDERS
        and (each.document_key, each.line) in lines
        and (value := _ALIAS.search(each.signature))
        and value[1] == asked.name
    ]


def _through(asked: AskedSymbols, aliases: Sequence[Symbol]) -> list[TracedPlace]:
    edges = asked.edges_to(each.key for each in aliases) if aliases else []
    calls = [edge for edge in edges if edge.use in CALLS]
    sources = asked.symbols(edge.source_key for edge in calls)
    return [
        replace(place, note=f"as {edge.name}")
        for edge in calls
        for place in asked.used(edge, sources)
    ]


def callees(asked: AskedSymbols, steps: int) -> Found:
    """What it and what is defined in it call, itself included; calls that lead nowhere are gaps."""
    seen = asked.inside(asked.meant)
    frontier, found, gaps = dict(seen), list[TracedPlace](), list[TracedPlace]()
    complete = True
    for level in range(1, steps + 1):
        edges = [
            e for e in asked.edges_of(frontier.values())
            if e.source_key in frontier and e.use in CALLS and e.rank == 0
        ]  # fmt: skip
        called = asked.symbols(edge.target_key for edge in edges)
        found += [
            asked.defined(called[key], use=e.use, confidence=e.confidence, depth=level,
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
                for place in asked.used(edge, frontier)[:1]
            ]
        frontier = asked.inside([each for key, each in called.items() if key not in seen])
        seen |= frontier
        if not frontier:
            break
        if len(seen) > _MOST_REACHED:
            complete = False
            break
    # A symbol stands once, where it is nearest.
    return Found(_once(found), gaps=ordered(gaps), complete=complete)


def impact(asked: AskedSymbols, steps: int) -> Found:
    """Whatever uses it, and whatever uses that; what overrides it; tests behind the rest."""
    whole = asked.inside(asked.meant)
    starts = frozenset(whole) | asked.targets
    reach = _reached(asked, starts, steps, lambda edge, _: edge.use not in _PASSED_ON)
    over = overriding(asked, steps)
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


def entry_points(asked: AskedSymbols, steps: int) -> Found:
    """Where runs of the program begin that come to it: what nothing uses in turn."""
    starts = frozenset(asked.inside(asked.meant)) | asked.targets
    reach = _reached(asked, starts, steps, lambda edge, _: edge.use in _AT_RUN_TIME)
    roots = asked.symbols(reach.roots - starts)
    found = [asked.defined(each, depth=reach.keys[each.key]) for each in roots.values()]
    found += [one for one in reach.places if not one.symbol]
    ranked = sorted(ordered(found), key=lambda one: (is_test(one), one.depth))
    tests = sum(map(is_test, ranked))
    summary = f"{len(ranked) - tests} in the program, {tests} tests"
    return Found(ranked, summary, CALLS, complete=reach.complete)


def tests(asked: AskedSymbols, steps: int) -> Found:
    """Tests that come to it, the nearest first; behind them those only called after it."""
    starts = frozenset(asked.inside(asked.meant)) | asked.targets
    reach = _reached(asked, starts, steps, _is_run)
    found = [replace(one, use="test") for one in reach.places if is_test(one)]
    # What stands in a file of tests and is none itself comes last: it helps some of them.
    reaching = sorted(ordered(found), key=lambda one: one.kind != _TEST)
    reaching = list(_once_each(reaching))
    known = {(one.document, one.symbol) for one in reaching}
    named = tests_named(asked.tx, asked.name, asked.resources)
    blocks = test_blocks(asked.name, asked.tx.graph.named([asked.name], asked.resources, 200))
    by_name = [
        asked.defined(each, use="named", confidence=0.4, depth=steps + 1)
        for each in dict.fromkeys([*named, *blocks])
        if (each.document_key, each.path) not in known
    ]
    direct = sum(one.depth == 1 for one in reaching)
    summary = (
        f"{direct} use it, {len(reaching) - direct} come to it through others, "
        f"{len(by_name)} are only called after it"
    )
    return Found([*reaching, *ordered(by_name)], summary, CALLS, complete=reach.complete)


def _once_each(places: Iterable[TracedPlace]) -> Iterator[TracedPlace]:
    """The first place in each test: a test that uses a symbol on many lines is one test."""
    seen: set[tuple[int, str]] = set()
    for one in places:
        if not one.symbol or (one.document, one.symbol) not in seen:
            seen.add((one.document, one.symbol))
            yield one


def _is_run(edge: Edge, level: int) -> bool:
    """A type is tested by what names it; beyond that only what runs leads on."""
    return edge.use not in _PASSED_ON if level == 1 else edge.use in _AT_RUN_TIME


def path_between(start: AskedSymbols, aim: AskedSymbols, steps: int) -> Found:
    """The shortest way by which one symbol comes to run the other; else, to name it."""
    run = _way(start, aim, steps, _AT_RUN_TIME)
    return run if run.places else _way(start, aim, steps, _AT_RUN_TIME | {"type", "extends"})


def _way(start: AskedSymbols, aim: AskedSymbols, steps: int, uses: frozenset[str]) -> Found:
    origins = start.inside(start.meant)
    onward: dict[int, tuple[Edge, int]] = {}
    seen, frontier = set(aim.targets), set(aim.targets)
    for _ in range(steps):
        aims = _aims(aim, frontier)
        edges = aim.edges_to(frontier | aims.keys())
        frontier = set()
        for edge in edges:
            source, target = edge.source_key, edge.target_key
            if source is None or target is None or source in seen or edge.rank:
                continue
            if edge.use not in (CALLS if target in aims else uses):
                continue
            seen.add(source)
            onward[source] = edge, aims[target][0] if target in aims else target
            frontier.add(source)
            if source in origins:
                return Found(_steps(start, source, onward))
        if not frontier or len(seen) > _MOST_REACHED:
            break
    return Found(complete=not frontier)


def is_test(place: TracedPlace) -> bool:
    return place.kind == _TEST or in_tests(place.path)


def _counted(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} {use}" for use, count in kinds.most_common())


def _once(places: Iterable[TracedPlace]) -> list[TracedPlace]:
    found: dict[tuple[int, str, int], TracedPlace] = {}
    for place in places:
        found.setdefault((place.document, place.symbol, place.line), place)
    return list(found.values())


def _reached(
    asked: AskedSymbols, starts: frozenset[int], steps: int, follows: Callable[[Edge, int], bool]
) -> _Reach:
    """Each symbol once, at the depth where it is nearest, as sure as its weakest link."""
    sure = dict.fromkeys(starts, 1.0)
    reach, frontier = _Reach(), set(starts)
    for level in range(1, steps + 1):
        aims = _aims(asked, frontier)
        links = {aim: min(sure[key], link) for aim, (key, link) in aims.items()} | sure
        edges = [
            e for e in asked.edges_to(frontier | aims.keys())
            if e.rank == 0 and (follows(e, level) if e.target_key in frontier else e.use in CALLS)
        ]  # fmt: skip
        fresh = [e for e in edges if e.source_key not in sure]
        sources = asked.symbols(edge.source_key for edge in fresh)
        led_to = ((e, aims.get(e.target_key or -1, (e.target_key, 0.0))[0]) for e in edges)
        reach.roots |= frontier - {key for e, key in led_to if e.source_key not in (None, key)}
        best: dict[int, float] = {}
        for edge in fresh:
            link = min(links.get(edge.target_key or -1, 1.0), edge.confidence)
            source = sources.get(edge.source_key or -1)
            steps_to = asked.used(edge, sources) if level == 1 or not source else [
                asked.defined(source, use=edge.use, line=edge.lines[0])
            ]  # fmt: skip
            reach.places += [replace(one, confidence=link, depth=level) for one in steps_to]
            if source is not None:
                best[source.key] = max(best.get(source.key, 0.0), link)
        sure |= best
        frontier = set(best)
        reach.keys |= dict.fromkeys(frontier, level)
        if not frontier:
            break
        if len(reach.places) > _MOST_REACHED:
            reach.complete = False
            break
    else:
        reach.complete = False
        reach.roots -= frontier
    return reach


def _aims(asked: AskedSymbols, keys: set[int]) -> dict[int, tuple[int, float]]:
    """What else a use may name that runs one of these: a class that is made through its
    constructor, and members that are overridden; with whom it runs, and how sure that is."""
    if len(keys) > _MOST_AIMED:
        return {}
    members = list(asked.symbols(keys).values())
    found = {owner: (key, 1.0) for owner, key in made_by(asked, members).items()}
    upper = overridden(asked, [each for each in members if each.kind == Kind.METHOD.value])
    return found | {each.key: (key, _DISPATCHED) for each, key in upper.items()}


def _steps(
    asked: AskedSymbols, first: int, onward: Mapping[int, tuple[Edge, int]]
) -> list[TracedPlace]:
    keys = [first]
    while keys[-1] in onward:
        keys.append(onward[keys[-1]][1])
    symbols = asked.symbols(keys)
    steps = []
    for number, key in enumerate(keys):
        edge = onward[key][0] if key in onward else None
        line = (
            {"line": edge.lines[0], "use": edge.use, "confidence": edge.confidence} if edge else {}
        )
        steps.append(asked.defined(symbols[key], depth=number, **line))
    return steps
