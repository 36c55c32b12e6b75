"""Searches uses backwards, breadth first: what reaches a symbol, and on which path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from commonplace.codegraph.answering.trace import FoundPlaces, TracedPlace
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.inheritance import constructors_by_class, overridden
from commonplace.codegraph.service.symbol_query import SymbolQuery
from commonplace.model.graph import Edge, Symbol

CALLS = frozenset({"call", "jsx", "annotation"})
MAX_REACHED = 2_000
_MAX_INDIRECT = 300
# The confidence of a call through an overridden member: it may run another override instead.
_DISPATCH_CONFIDENCE = 0.6


class _StandIn(NamedTuple):
    """What a call of another symbol may run: that symbol's key, and with what confidence."""

    key: int
    confidence: float


# Whether to follow a use, at a distance of so many steps.
Follows = Callable[[Edge, int], bool]


class Reached:
    """What uses some symbols, directly or through others.

    Each symbol counts once, at its smallest depth, with the confidence of the weakest link on the
    way. `roots` are used by nothing else. `complete` is False if a limit cut the search.
    """

    def __init__(
        self, query: SymbolQuery, starts: Iterable[int], steps: int, follows: Follows
    ) -> None:
        self._query = query
        self._follows = follows
        self._confidences = dict.fromkeys(starts, 1.0)
        self.places: list[TracedPlace] = []
        self.roots: set[int] = set()
        self.depths: dict[int, int] = {}
        self.complete = True
        self._search(steps)

    def _search(self, steps: int) -> None:
        frontier = set(self._confidences)
        for depth in range(1, steps + 1):
            frontier = self._step(frontier, depth)
            if not frontier:
                return
            if len(self.places) > MAX_REACHED:
                self.complete = False
                return
        # What uses the last ones was not looked at.
        self.complete = False
        self.roots -= frontier

    def _step(self, frontier: set[int], depth: int) -> set[int]:
        """Go from symbols to what uses them; returns the symbols that are reached only now."""
        stand_ins = _stand_ins(self._query, frontier)
        self.complete = self.complete and len(frontier) <= _MAX_INDIRECT
        edges = [
            edge
            for edge in self._query.edges_to(frontier | stand_ins.keys())
            if edge.rank == 0 and self._is_followed(edge, frontier, depth)
        ]
        self.roots |= frontier - _used(edges, stand_ins)
        new = [edge for edge in edges if edge.source_key not in self._confidences]
        sources = self._query.symbols(edge.source_key for edge in new)
        best: dict[int, float] = {}
        for edge in new:
            confidence = min(self._confidence_of(edge.target_key, stand_ins), edge.confidence)
            self.places += self._places_of(edge, sources, depth, confidence)
            if (source := edge.source_key) in sources and source is not None:
                best[source] = max(best.get(source, 0.0), confidence)
        self._confidences |= best
        self.depths |= dict.fromkeys(best, depth)
        return set(best)

    def _is_followed(self, edge: Edge, frontier: set[int], depth: int) -> bool:
        """Only a call of a stand-in may run the symbol that it stands for."""
        if edge.target_key in frontier:
            return self._follows(edge, depth)
        return edge.use in CALLS

    def _confidence_of(self, target: int | None, stand_ins: Mapping[int, _StandIn]) -> float:
        if target is None or target in self._confidences:
            return self._confidences.get(target or -1, 1.0)
        other = stand_ins[target]
        return min(self._confidences[other.key], other.confidence)

    def _places_of(
        self, edge: Edge, sources: Mapping[int, Symbol], depth: int, confidence: float
    ) -> list[TracedPlace]:
        """Every line of a direct use; of an indirect one, the symbol that contains it."""
        source = sources.get(edge.source_key or -1)
        if depth == 1 or source is None:
            used = self._query.used(edge, sources)
        else:
            used = [self._query.defined(source, use=edge.use, line=edge.lines[0])]
        return [replace(place, confidence=confidence, depth=depth) for place in used]


def shortest_path(
    start: SymbolQuery, goal: SymbolQuery, steps: int, uses: frozenset[str]
) -> FoundPlaces:
    """The symbols on the shortest way from one symbol to another, through the given uses."""
    origins = start.inside(start.matches)
    onward: dict[int, tuple[Edge, int]] = {}
    seen, frontier = set(goal.targets), set(goal.targets)
    for _ in range(steps):
        stand_ins = _stand_ins(goal, frontier)
        edges = goal.edges_to(frontier | stand_ins.keys())
        frontier = set()
        for edge in edges:
            source, target = edge.source_key, edge.target_key
            if source is None or target is None or source in seen or edge.rank:
                continue
            if edge.use not in (CALLS if target in stand_ins else uses):
                continue
            seen.add(source)
            onward[source] = edge, stand_ins[target].key if target in stand_ins else target
            frontier.add(source)
            if source in origins:
                return FoundPlaces(_places_on_path(start, source, onward))
        if not frontier or len(seen) > MAX_REACHED:
            break
    return FoundPlaces(complete=not frontier)


def _places_on_path(
    query: SymbolQuery, first: int, onward: Mapping[int, tuple[Edge, int]]
) -> list[TracedPlace]:
    keys = [first]
    while keys[-1] in onward:
        keys.append(onward[keys[-1]][1])
    symbols = query.symbols(keys)
    places = []
    for number, key in enumerate(keys):
        place = query.defined(symbols[key], depth=number)
        if key in onward:
            edge = onward[key][0]
            place = replace(place, line=edge.lines[0], use=edge.use, confidence=edge.confidence)
        places.append(place)
    return places


def _stand_ins(query: SymbolQuery, keys: set[int]) -> dict[int, _StandIn]:
    """Other symbols whose calls may run one of these: the class of a constructor, and members that
    a method overrides."""
    if len(keys) > _MAX_INDIRECT:
        return {}
    members = list(query.symbols(keys).values())
    classes = constructors_by_class(query, members)
    upper = overridden(query, [each for each in members if each.kind == Kind.METHOD.value])
    return {owner: _StandIn(key, 1.0) for owner, key in classes.items()} | {
        each.key: _StandIn(key, _DISPATCH_CONFIDENCE) for each, key in upper.items()
    }


def _used(edges: Iterable[Edge], stand_ins: Mapping[int, _StandIn]) -> set[int]:
    """The symbols that something else than themselves uses."""
    used = set()
    for edge in edges:
        other = stand_ins.get(edge.target_key or -1)
        target = other.key if other else edge.target_key
        if target is not None and edge.source_key not in (None, target):
            used.add(target)
    return used
