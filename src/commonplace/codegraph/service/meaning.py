"""Which symbols a name means, and how to get from them to others, within one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonplace.codegraph.answering import places
from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import TracedPlace
from commonplace.codegraph.extraction.facts import Kind
from commonplace.model.graph import Edge, Symbol
from commonplace.storage.port import Transaction

MOST_EDGES = 5_000
MOST_FILES = 50
EXTENDS = "extends"
_MOST_NAMESAKES = 5_000
_MOST_TESTS, _MOST_ALIKE = 200, 50
_DEEPEST_CLASS = 10
_TYPES = frozenset({Kind.CLASS.value, Kind.INTERFACE.value, Kind.ENUM.value, Kind.ALIAS.value})


@dataclass(slots=True)
class AskedSymbols:
    """Symbols that are asked about; remembers paths of documents and whether a limit was met.

    `targets` are the keys that a use of them may lead to; `others` bear the same name and were not
    meant. An `heir` is a class that was asked about and has inherited the symbol.
    """

    tx: Transaction
    meant: Sequence[Symbol]
    targets: frozenset[int]
    resources: Sequence[int]
    others: Sequence[Symbol] = ()
    paths: dict[int, str] = field(default_factory=dict)
    heir: str = ""
    whole: bool = True

    @property
    def name(self) -> str:
        return self.meant[0].name

    def edges_to(self, keys: Iterable[int]) -> list[Edge]:
        edges = self.tx.graph.edges_to(sorted(keys), self.resources, MOST_EDGES)
        self.whole = self.whole and len(edges) < MOST_EDGES
        return edges

    def edges_of(self, symbols: Iterable[Symbol]) -> list[Edge]:
        """Edges of the files that the symbols stand in."""
        return self.tx.graph.edges_from(documents_of(symbols))

    def symbols(self, keys: Iterable[int | None]) -> Mapping[int, Symbol]:
        return self.tx.graph.symbols(sorted({key for key in keys if key is not None}))

    def inside(self, symbols: Iterable[Symbol]) -> dict[int, Symbol]:
        """The symbols and whatever is defined within them."""
        outer = {(symbol.document_key, symbol.path) for symbol in symbols}
        documents = sorted({document for document, _ in outer})[:MOST_FILES]
        return {
            each.key: each
            for each in self.tx.graph.symbols_of(documents)
            if any((each.document_key, path) in outer for path in _prefixes(each.path))
        }

    def about(self, symbols: Sequence[Symbol]) -> AskedSymbols:
        """The same question about others."""
        return replace(self, meant=symbols, targets=frozenset(each.key for each in symbols))

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
        lacking = set(documents) - self.paths.keys()
        states = self.tx.files.get(sorted(lacking))
        self.paths |= {key: state.path for key, state in states.items()}


def documents_of(symbols: Iterable[Symbol]) -> list[int]:
    return sorted({symbol.document_key for symbol in symbols})[:MOST_FILES]


def asked_about(
    tx: Transaction, name: str, resources: Sequence[int], file: str = ""
) -> AskedSymbols | None:
    """None where no symbol has the name, and no class inherits it; in a file, where one is said."""
    parts = name_parts(name.strip().removesuffix("()"))
    if not parts:
        return None
    named = tx.graph.named([parts[-1]], resources, _MOST_NAMESAKES)
    paths = _paths(tx, named)
    candidates = [each for each in named if _stands_in(paths.get(each.document_key, ""), file)]
    fitting, heir = places.meant_by(parts, candidates, paths), ""
    if not fitting and len(parts) > 1:
        fitting, heir = _inherited(tx, parts, resources)
        paths |= _paths(tx, fitting)
    if not fitting:
        return None
    meant = places.chosen(fitting)
    targets = places.with_parts(meant, tx.graph.symbols_of(documents_of(meant)))
    others = [
        each
        for each in named
        if each.name == meant[0].name
        and each.key not in targets
        and each.kind not in (Kind.MODULE, Kind.TEST)
    ]
    return AskedSymbols(tx, meant, targets, resources, others, paths, heir)


def _stands_in(path: str, file: str) -> bool:
    """A file is said as its project has it; what was read may begin further in."""
    return not file or path == file or file.endswith(f"/{path}")


def _inherited(
    tx: Transaction, parts: Sequence[str], resources: Sequence[int]
) -> tuple[list[Symbol], str]:
    """A member at the class that defines it, and the class that was asked about."""
    named = tx.graph.named([parts[-2]], resources, _MOST_NAMESAKES)
    heirs = places.meant_by(parts[:-1], named, _paths(tx, named))
    frontier = [each for each in heirs if each.kind in _TYPES]
    seen = {each.key for each in frontier}
    for _ in range(_DEEPEST_CLASS):
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
    """What classes say that they extend or implement, as far as it is known."""
    found = bases_by_class(tx, classes).values()
    return list({base.key: base for bases in found for base in bases}.values())


def bases_by_class(tx: Transaction, classes: Sequence[Symbol]) -> dict[int, list[Symbol]]:
    """The bases of each class, by its key."""
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
    """Paths of symbols whose names are written almost like this one."""
    return places.paths_of(tx.graph.named(places.near_spellings(name), resources, _MOST_ALIKE))


def tests_named(tx: Transaction, name: str, resources: Sequence[int]) -> list[Symbol]:
    """Tests that are called after the symbol, and those in files that are."""
    named = tx.graph.named(places.test_names(name), resources, _MOST_TESTS)
    files = {symbol.document_key for symbol in named if symbol.kind == Kind.MODULE.value}
    inside = tx.graph.symbols_of(sorted(files)[:MOST_FILES])
    return [symbol for symbol in (*named, *inside) if symbol.kind == Kind.TEST.value]


def _paths(tx: Transaction, symbols: Iterable[Symbol]) -> dict[int, str]:
    documents = sorted({symbol.document_key for symbol in symbols})
    return {key: state.path for key, state in tx.files.get(documents).items()}


def _prefixes(path: str) -> Iterable[str]:
    parts = path.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))
