"""Finds the symbols that a name refers to, and reads the graph around them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import TracedPlace
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.named_files import symbols_at
from commonplace.model.graph import Edge, Symbol
from commonplace.storage.port import Transaction

MOST_EDGES = 5_000
MOST_FILES = 50
EXTENDS = "extends"
_MAX_NAMESAKES = 5_000
_MAX_TESTS, _MAX_SIMILAR = 200, 50
_MAX_CLASS_DEPTH = 10
TYPES = frozenset({Kind.CLASS.value, Kind.INTERFACE.value, Kind.ENUM.value, Kind.ALIAS.value})


@dataclass
class SymbolQuery:
    """The symbols that a question is about, with access to the graph in one transaction.

    `matches` are these symbols, `targets` the keys that a use of them may link to, and `others`
    different symbols of the same name. `heir` is the path of the class in the question, if that
    class inherits the symbol. `paths` caches paths of documents; `whole` turns False once a limit
    cuts a result.
    """

    tx: Transaction
    matches: Sequence[Symbol]
    targets: frozenset[int]
    resources: Sequence[int]
    others: Sequence[Symbol] = ()
    paths: dict[int, str] = field(default_factory=dict)
    heir: str = ""
    whole: bool = True

    @property
    def name(self) -> str:
        return self.matches[0].name

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """What tells each symbol in question from the others; overloads are one."""
        self.read_paths(each.document_key for each in self.matches)
        placed = [(each, self.path_of(each.document_key)) for each in self.matches]
        return places.labels(placed)

    def edges_to(self, keys: Iterable[int]) -> list[Edge]:
        edges = self.tx.graph.edges_to(sorted(keys), self.resources, MOST_EDGES)
        self.whole = self.whole and len(edges) < MOST_EDGES
        return edges

    def edges_of(self, symbols: Iterable[Symbol]) -> list[Edge]:
        """All edges of the files that define the symbols."""
        return self.tx.graph.edges_from(documents_of(symbols))

    def symbols(self, keys: Iterable[int | None]) -> Mapping[int, Symbol]:
        return self.tx.graph.symbols(sorted({key for key in keys if key is not None}))

    def inside(self, symbols: Iterable[Symbol]) -> dict[int, Symbol]:
        """The symbols and all definitions inside them."""
        outer = {(symbol.document_key, symbol.path) for symbol in symbols}
        documents = sorted({document for document, _ in outer})[:MOST_FILES]
        return {
            each.key: each
            for each in self.tx.graph.symbols_of(documents)
            if any((each.document_key, path) in outer for path in _prefixes(each.path))
        }

    def about(self, symbols: Sequence[Symbol]) -> SymbolQuery:
        """The same query about other symbols."""
        return replace(self, matches=symbols, targets=frozenset(each.key for each in symbols))

    def used(self, edge: Edge, sources: Mapping[int, Symbol]) -> list[TracedPlace]:
        source = sources.get(edge.source_key or -1)
        return [
            TracedPlace(edge.resource_key, edge.document_key, self.path_of(edge.document_key), line,
                        source.path if source else "", source.kind if source else "", edge.use,
                        edge.confidence)
            for line in dict.fromkeys(edge.lines)
        ]  # fmt: skip

    def defined(self, symbol: Symbol, **more: object) -> TracedPlace:
        place = TracedPlace(symbol.resource_key, symbol.document_key,
                            self.path_of(symbol.document_key), symbol.line, symbol.path,
                            symbol.kind)  # fmt: skip
        return replace(place, **more)  # type: ignore[arg-type]

    def path_of(self, document: int) -> str:
        if document not in self.paths:
            self.read_paths([document])
        return self.paths.get(document, "")

    def read_paths(self, documents: Iterable[int]) -> None:
        missing = set(documents) - self.paths.keys()
        states = self.tx.files.get(sorted(missing))
        self.paths |= {key: state.path for key, state in states.items()}


def documents_of(symbols: Iterable[Symbol]) -> list[int]:
    return sorted({symbol.document_key for symbol in symbols})[:MOST_FILES]


def find_symbols(
    tx: Transaction, name: str, resources: Sequence[int], file: str = ""
) -> SymbolQuery | None:
    """Find the symbols of a name, in `file` if given; None if none has or inherits the name."""
    if at_line := symbols_at(tx, name, resources):
        return query_about(tx, at_line, resources)
    parts = name_parts(name)
    if not parts:
        return None
    named = tx.graph.named([parts[-1]], resources, _MAX_NAMESAKES)
    paths = _paths(tx, named)
    candidates = [each for each in named if _is_in_file(paths.get(each.document_key, ""), file)]
    fitting, heir = places.matching_symbols(parts, candidates, paths), ""
    if not fitting and len(parts) > 1:
        fitting, heir = _inherited(tx, parts, resources)
        paths |= _paths(tx, fitting)
    if not fitting and len(parts) > 1:
        fitting = places.matching_symbols(parts, candidates, _below_roots(tx, candidates, paths))
    if not fitting:
        return None
    found = query_about(tx, places.preferred(fitting), resources)
    found.others = [
        each
        for each in named
        if each.name == found.name
        and each.key not in found.targets
        and each.kind not in (Kind.MODULE, Kind.TEST)
    ]
    found.paths, found.heir = paths, heir
    return found


def query_about(
    tx: Transaction, matches: Sequence[Symbol], resources: Sequence[int]
) -> SymbolQuery:
    """A query about symbols that are known, without namesakes."""
    targets = places.with_parts(matches, tx.graph.symbols_of(documents_of(matches)))
    return SymbolQuery(tx, matches, targets, resources)


def _below_roots(
    tx: Transaction, symbols: Sequence[Symbol], paths: Mapping[int, str]
) -> dict[int, str]:
    """Paths that begin with the name of their source tree: a package at its root is often called
    like it."""
    names = {one.resource.key: one.resource.name for one in tx.attachments.all()}
    return {
        each.document_key: f"{names.get(each.resource_key, '')}/{paths.get(each.document_key, '')}"
        for each in symbols
    }


def _is_in_file(path: str, file: str) -> bool:
    """Whether it is that file; the path may begin at a folder below the root of its project."""
    return not file or path == file or file.endswith(f"/{path}")


def _inherited(
    tx: Transaction, parts: Sequence[str], resources: Sequence[int]
) -> tuple[list[Symbol], str]:
    """An inherited member at the class that defines it, and the path of the class in the name."""
    named = tx.graph.named([parts[-2]], resources, _MAX_NAMESAKES)
    heirs = places.matching_symbols(parts[:-1], named, _paths(tx, named))
    frontier = [each for each in heirs if each.kind in TYPES]
    seen = {each.key for each in frontier}
    for _ in range(_MAX_CLASS_DEPTH):
        frontier = [each for each in bases_of(tx, frontier) if each.key not in seen]
        seen |= {each.key for each in frontier}
        wanted = {(each.document_key, f"{each.path}.{parts[-1]}") for each in frontier}
        found = [
            each
            for each in tx.graph.symbols_of(documents_of(frontier))
            if (each.document_key, each.path) in wanted
        ]
        if found or not frontier:
            return found, heirs[0].path if found else ""
    return [], ""


def bases_of(tx: Transaction, classes: Sequence[Symbol]) -> list[Symbol]:
    """The known direct bases of classes, each once."""
    found = bases_by_class(tx, classes).values()
    return list({base.key: base for bases in found for base in bases}.values())


def bases_by_class(tx: Transaction, classes: Sequence[Symbol]) -> dict[int, list[Symbol]]:
    """The known direct bases of each class, by its key."""
    keys = {each.key for each in classes}
    edges = [
        (edge.source_key, edge.target_key)
        for edge in (tx.graph.edges_from(documents_of(classes)) if classes else [])
        if edge.use == EXTENDS and edge.source_key in keys and edge.target_key is not None
    ]
    bases = tx.graph.symbols(sorted({target for _, target in edges}))
    found: dict[int, list[Symbol]] = {}
    for source, target in edges:
        if target in bases:
            found.setdefault(source, []).append(bases[target])
    return found


def names_alike(tx: Transaction, name: str, resources: Sequence[int]) -> list[str]:
    """Paths of symbols with similar names."""
    return places.paths_of(tx.graph.named(places.near_spellings(name), resources, _MAX_SIMILAR))


def tests_named(tx: Transaction, name: str, resources: Sequence[int]) -> list[Symbol]:
    """Tests named after the symbol, and tests in files named after it."""
    named = tx.graph.named(places.test_names(name), resources, _MAX_TESTS)
    files = {symbol.document_key for symbol in named if symbol.kind == Kind.MODULE.value}
    inside = tx.graph.symbols_of(sorted(files)[:MOST_FILES])
    return [symbol for symbol in (*named, *inside) if symbol.kind == Kind.TEST.value]


def _paths(tx: Transaction, symbols: Iterable[Symbol]) -> dict[int, str]:
    documents = sorted({symbol.document_key for symbol in symbols})
    return {key: state.path for key, state in tx.files.get(documents).items()}


def _prefixes(path: str) -> Iterable[str]:
    parts = path.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))
