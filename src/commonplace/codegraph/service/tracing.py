"""Follows the graph from a symbol: who calls it, what it calls, what a change of it reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.question import Intent, Question, name_parts
from commonplace.codegraph.answering.traced import (
    Relation,
    Traced,
    TracedPlace,
    TraceRequest,
    ordered,
)
from commonplace.codegraph.service.answers import SymbolAnswers
from commonplace.model.actor import Actor
from commonplace.model.graph import Edge, Symbol
from commonplace.storage.port import Store, Transaction

_MOST_NAMESAKES = 5_000
_MOST_EDGES = 5_000
_MOST_REACHED = 2_000
_MOST_UNRESOLVED = 10
_MOST_FILES = 50
_CALLS = frozenset({"call", "jsx", "annotation"})
_EXTENDS = "extends"
_PASSED_ON = frozenset({"export"})


class SymbolTracing:
    """Answers by name, over the code of some resources."""

    def __init__(self, store: Store, answers: SymbolAnswers) -> None:
        self._store = store
        self._answers = answers
        self._following: Mapping[Relation, Callable[[_Graph, TraceRequest], _Found]] = {
            Relation.DEFINITION: lambda _graph, _asked: _Found(),
            Relation.CALLERS: lambda graph, _: _users(graph, _CALLS),
            Relation.REFERENCES: lambda graph, _: _users(graph, None),
            Relation.CALLEES: lambda graph, _: _callees(graph),
            Relation.SUBCLASSES: lambda graph, asked: _subclasses(graph, asked.depth),
            Relation.IMPLEMENTATIONS: lambda graph, asked: _implementations(graph, asked.depth),
            Relation.IMPACT: lambda graph, asked: _impact(graph, asked.depth),
        }

    def trace(self, actor: Actor, asked: TraceRequest, resources: Sequence[int]) -> Traced:
        if asked.relation is Relation.TESTS:
            return self._tests(actor, asked, resources)
        with self._store.read(actor) as tx:
            graph = _graph_of(tx, asked.symbol, resources)
            if graph is None:
                return self._unknown(actor, asked.symbol, resources)
            if asked.relation is Relation.PATH:
                aim = _graph_of(tx, asked.to, resources)
                if aim is None:
                    return self._unknown(actor, asked.to, resources)
                found = _path(graph, aim, asked.depth)
            else:
                found = self._following[asked.relation](graph, asked)
            return graph.told(found)

    def meant(self, actor: Actor, symbol: str, resources: Sequence[int]) -> Traced:
        """The definitions of a name, or the names that are near it."""
        return self.trace(actor, TraceRequest(symbol), resources)

    def _unknown(self, actor: Actor, symbol: str, resources: Sequence[int]) -> Traced:
        parts = name_parts(symbol)
        near = self._answers.alike(actor, parts[-1], resources) if parts else []
        return Traced(unknown=symbol, similar=tuple(near[:_MOST_UNRESOLVED]))

    def _tests(self, actor: Actor, asked: TraceRequest, resources: Sequence[int]) -> Traced:
        answer = self._answers.answer(actor, Question(Intent.TEST, asked.symbol), resources)
        if answer is None:
            return self._unknown(actor, asked.symbol, resources)
        tests = [
            TracedPlace(one.resource, one.file, one.path, one.line_start, one.symbol_path or "",
                        one.kind or "", "test")
            for one in answer.sightings
            if one.role is PlaceRole.TEST
        ]  # fmt: skip
        whole = self.meant(actor, asked.symbol, resources)
        return replace(whole, places=ordered(tests))


@dataclass(frozen=True, slots=True)
class _Found:
    places: Sequence[TracedPlace] = ()
    unresolved: Sequence[TracedPlace] | None = None
    unresolved_count: int | None = None
    complete: bool = True


@dataclass(slots=True)
class _Graph:
    """What is asked about, and how to get from it to others; remembers paths of documents."""

    tx: Transaction
    meant: Sequence[Symbol]
    targets: frozenset[int]
    resources: Sequence[int]
    paths: dict[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.meant[0].name

    def edges_to(self, keys: Iterable[int]) -> list[Edge]:
        return self.tx.graph.edges_to(sorted(keys), self.resources, _MOST_EDGES)

    def symbols(self, keys: Iterable[int | None]) -> Mapping[int, Symbol]:
        return self.tx.graph.symbols(sorted({key for key in keys if key is not None}))

    def inside(self, symbols: Sequence[Symbol]) -> dict[int, Symbol]:
        """The symbols and whatever is defined within them."""
        documents = sorted({symbol.document_key for symbol in symbols})[:_MOST_FILES]
        outer = {(symbol.document_key, symbol.path) for symbol in symbols}
        return {
            each.key: each
            for each in self.tx.graph.symbols_of(documents)
            if any((each.document_key, path) in outer for path in _prefixes(each.path))
        }

    def defined(self, symbol: Symbol, **more: object) -> TracedPlace:
        place = TracedPlace(symbol.resource_key, symbol.document_key, "", symbol.line, symbol.path,
                            symbol.kind)  # fmt: skip
        return replace(place, **more)  # type: ignore[arg-type]

    def used(self, edge: Edge, sources: Mapping[int, Symbol]) -> list[TracedPlace]:
        source = sources.get(edge.source_key or -1)
        return [
            TracedPlace(edge.resource_key, edge.document_key, "", line,
                        source.path if source else "", source.kind if source else "", edge.use,
                        edge.confidence)
            for line in dict.fromkeys(edge.lines)
        ]  # fmt: skip

    def told(self, found: _Found) -> Traced:
        """Places with the paths of their files, and the uses that lead nowhere."""
        unresolved, count = found.unresolved, found.unresolved_count
        if unresolved is None or count is None:
            unresolved, count = self._unlinked()
        meant = [self.defined(symbol) for symbol in self.meant]
        self._read_paths([*found.places, *unresolved, *meant])
        return Traced(
            meant=tuple(map(self._located, meant)),
            places=tuple(map(self._located, found.places)),
            unresolved=tuple(map(self._located, unresolved)),
            unresolved_count=count,
            complete=found.complete,
        )

    def _unlinked(self) -> tuple[list[TracedPlace], int]:
        """Uses of the same name that lead to no symbol: they may be uses of it."""
        count = self.tx.graph.unlinked(self.name, self.resources)
        if not count:
            return [], 0
        documents = self.tx.graph.users_of_names([self.name], self.resources)[:_MOST_FILES]
        edges = [
            edge
            for edge in self.tx.graph.edges_from(documents)
            if edge.name == self.name and edge.target_key is None
        ]
        sources = self.symbols(edge.source_key for edge in edges)
        shown = [place for edge in edges for place in self.used(edge, sources)]
        return shown[:_MOST_UNRESOLVED], count

    def _read_paths(self, told: Iterable[TracedPlace]) -> None:
        lacking = {place.document for place in told} - self.paths.keys()
        states = self.tx.files.get(sorted(lacking))
        self.paths |= {key: state.path for key, state in states.items()}

    def _located(self, place: TracedPlace) -> TracedPlace:
        return replace(place, path=self.paths.get(place.document, ""))


def _graph_of(tx: Transaction, name: str, resources: Sequence[int]) -> _Graph | None:
    parts = name_parts(name.strip().removesuffix("()"))
    if not parts:
        return None
    named = tx.graph.named([parts[-1]], resources, _MOST_NAMESAKES)
    files = tx.files.get(sorted({symbol.document_key for symbol in named}))
    paths = {key: state.path for key, state in files.items()}
    meant = places.chosen(places.meant_by(parts, named, paths))
    if not meant:
        return None
    documents = sorted({symbol.document_key for symbol in meant})[:_MOST_FILES]
    targets = places.with_parts(meant, tx.graph.symbols_of(documents))
    return _Graph(tx, meant, targets, resources, paths)


def _prefixes(path: str) -> Iterable[str]:
    parts = path.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def _users(graph: _Graph, uses: frozenset[str] | None) -> _Found:
    edges = [e for e in graph.edges_to(graph.targets) if uses is None or e.use in uses]
    sources = graph.symbols(edge.source_key for edge in edges)
    return _Found(ordered([place for edge in edges for place in graph.used(edge, sources)]))


def _callees(graph: _Graph) -> _Found:
    """What a symbol and what is defined in it call; calls that lead nowhere are shown apart."""
    inside = graph.inside(graph.meant)
    documents = sorted({symbol.document_key for symbol in graph.meant})[:_MOST_FILES]
    edges = [
        edge
        for edge in graph.tx.graph.edges_from(documents)
        if edge.source_key in inside and edge.use in _CALLS and edge.rank == 0
    ]
    called = graph.symbols(edge.target_key for edge in edges)
    found = [
        graph.defined(called[key], use=edge.use, confidence=edge.confidence)
        for edge in edges
        if (key := edge.target_key) is not None and key in called and key not in inside
    ]
    nowhere = [
        replace(place, symbol=edge.name)
        for edge in edges
        if edge.target_key is None
        for place in graph.used(edge, inside)[:1]
    ]
    return _Found(ordered(found), ordered(nowhere)[:_MOST_UNRESOLVED], len(nowhere))


def _subclasses(graph: _Graph, depth: int) -> _Found:
    reached = _reached(graph, depth, lambda edge: edge.use == _EXTENDS)
    return _Found(ordered(reached.places), (), 0, reached.complete)


def _implementations(graph: _Graph, depth: int) -> _Found:
    """Subclasses of a type; of a method, those of the same name in subclasses of its class."""
    classes = _subclasses(graph, depth)
    owners = {
        (symbol.document_key, symbol.path.rpartition(".")[0])
        for symbol in graph.meant
        if "." in symbol.path
    }
    documents = sorted({document for document, _ in owners})[:_MOST_FILES]
    around = [
        each for each in graph.tx.graph.symbols_of(documents)
        if (each.document_key, each.path) in owners
    ]  # fmt: skip
    if not around:
        return classes
    of_owner = replace(graph, meant=around, targets=frozenset(each.key for each in around))
    below = _subclasses(of_owner, depth)
    wanted = {(p.document, f"{p.symbol}.{graph.name}"): p.depth for p in below.places}
    files = sorted({place.document for place in below.places})[:_MOST_FILES]
    overriding = [
        graph.defined(each, depth=wanted[each.document_key, each.path])
        for each in graph.tx.graph.symbols_of(files)
        if (each.document_key, each.path) in wanted
    ]
    return _Found(ordered([*classes.places, *overriding]), (), 0, below.complete)


def _impact(graph: _Graph, depth: int) -> _Found:
    """Whatever uses it, and whatever uses that, with how far away and how sure it is."""
    reached = _reached(graph, depth, lambda edge: edge.use not in _PASSED_ON)
    return _Found(ordered(reached.places), complete=reached.complete)


def _reached(graph: _Graph, depth: int, follows: Callable[[Edge], bool]) -> _Found:
    sure = dict.fromkeys(graph.targets, 1.0)
    frontier, found, complete = set(graph.targets), list[TracedPlace](), True
    for level in range(1, depth + 1):
        edges = [edge for edge in graph.edges_to(frontier) if follows(edge) and edge.rank == 0]
        sources = graph.symbols(edge.source_key for edge in edges)
        frontier = set()
        for edge in edges:
            confidence = sure.get(edge.target_key or -1, 1.0) * edge.confidence
            if edge.source_key in sure:
                continue
            source = sources.get(edge.source_key or -1)
            steps = graph.used(edge, sources)[:1] if source is None else [
                graph.defined(source, use=edge.use, line=edge.lines[0])
            ]  # fmt: skip
            found += [replace(one, confidence=confidence, depth=level) for one in steps]
            if source is not None:
                frontier.add(source.key)
        for edge in edges:
            if edge.source_key in frontier:
                through = sure.get(edge.target_key or -1, 1.0) * edge.confidence
                sure[edge.source_key] = max(sure.get(edge.source_key, 0.0), through)
        if not frontier:
            break
        if len(found) > _MOST_REACHED:
            complete = False
            break
    return _Found(found, complete=complete)


def _path(start: _Graph, aim: _Graph, depth: int) -> _Found:
    """The shortest way by which one symbol comes to use the other, step by step."""
    origins = start.inside(start.meant)
    onward: dict[int, Edge] = {}
    frontier = set(aim.targets)
    seen = set(aim.targets)
    for _ in range(depth):
        edges = [e for e in aim.edges_to(frontier) if e.use not in _PASSED_ON and e.rank == 0]
        frontier = set()
        for edge in edges:
            if edge.source_key is None or edge.source_key in seen:
                continue
            seen.add(edge.source_key)
            onward[edge.source_key] = edge
            frontier.add(edge.source_key)
            if edge.source_key in origins:
                return _Found(_steps(start, edge.source_key, onward), (), 0)
        if not frontier or len(seen) > _MOST_REACHED:
            break
    return _Found((), (), 0, complete=not frontier)


def _steps(graph: _Graph, first: int, onward: Mapping[int, Edge]) -> list[TracedPlace]:
    keys = [first]
    while keys[-1] in onward and (target := onward[keys[-1]].target_key) is not None:
        keys.append(target)
    symbols = graph.symbols(keys)
    steps = []
    for number, key in enumerate(keys):
        edge = onward.get(key)
        line = (
            {"line": edge.lines[0], "use": edge.use, "confidence": edge.confidence} if edge else {}
        )
        steps.append(graph.defined(symbols[key], depth=number, **line))
    return steps
