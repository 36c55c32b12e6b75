"""Answers questions about files and folders: importers, outline, unused code, import cycles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from posixpath import basename

from commonplace.codegraph.answering.cycles import by_importer, cycles
from commonplace.codegraph.answering.places import in_tests
from commonplace.codegraph.answering.trace import FoundPlaces, TracedPlace, UseCount, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.extraction.languages import BARE_MEMBERS, EXTENDED, language_of
from commonplace.codegraph.service import structural
from commonplace.codegraph.service.named_files import without_inner_literals
from commonplace.codegraph.service.symbol_query import SymbolQuery
from commonplace.model.graph import Edge, Symbol
from commonplace.model.workspace import FileState
from commonplace.storage.port import Transaction

_MAX_UNUSED = 20_000
_MAX_IMPORTS = 200_000
_MAX_CYCLES = 500
_MAX_MODULES = 5
_MAX_NAMES = 4
_ALL_FOLDERS = frozenset({"", "*", ".", "/"})
_CODE_KINDS = frozenset(
    {Kind.FUNCTION.value, Kind.METHOD.value, Kind.CLASS.value, Kind.INTERFACE.value,
     Kind.ENUM.value, Kind.ALIAS.value, Kind.CONSTANT.value, Kind.VARIABLE.value}
)  # fmt: skip
_CALLED_BY_CONVENTION = frozenset({"main", "setUp", "tearDown", "setup", "teardown", "default"})
_MODULE = Kind.MODULE.value
_PASSED_ON = "passed on"
_EXPORTING = frozenset({"export"})
_PASSING = _EXPORTING | {"import"}


def modules_of(query: SymbolQuery, files: Sequence[FileState]) -> tuple[UseCount, ...]:
    """The modules of the files, as definitions."""
    symbols = query.tx.graph.symbols_of([file.key for file in files])
    modules = [each for each in symbols if each.kind == _MODULE]
    return tuple(UseCount(query.defined(each)) for each in modules[:_MAX_MODULES])


def importers(query: SymbolQuery, files: Sequence[FileState]) -> FoundPlaces:
    """Lines in other files that import these files or something from them. Where a language lets
    files of a package or crate name each other's symbols without an import, these lines count."""
    keys = {file.key for file in files}
    symbols = query.tx.graph.symbols_of(sorted(keys))
    uses = [
        edge
        for edge in query.edges_to(each.key for each in symbols)
        if edge.document_key not in keys and edge.rank == 0
    ]
    edges = [edge for edge in uses if edge.use in _PASSING]
    importing = {edge.document_key for edge in edges}
    if all(_sees_its_package(file.path) for file in files):
        outermost = {each.key for each in symbols if "." not in each.path}
        edges += [
            edge
            for edge in uses
            if edge.document_key not in importing and edge.target_key in outermost
        ]
    query.read_paths(edge.document_key for edge in edges)
    modules = {each.key for each in symbols if each.kind == _MODULE}
    by_file: dict[int, list[Edge]] = {}
    for edge in edges:
        by_file.setdefault(edge.document_key, []).append(edge)
    places = [_importing_line(query, some, modules) for some in by_file.values()]
    without = len(by_file.keys() - importing)
    summary = f"{without} use it without an import" if without else ""
    return FoundPlaces(sorted(places, key=lambda one: (one.path, one.line)), summary)


def _importing_line(
    query: SymbolQuery, edges: Sequence[Edge], modules: Collection[int]
) -> TracedPlace:
    """The line of a file that names a module itself, else the first that names something of it."""
    places = [
        (edge.target_key not in modules, place) for edge in edges for place in query.used(edge, {})
    ]
    _, line = min(places, key=lambda one: (one[0], one[1].line))
    return replace(line, note=_listed(edge.name for edge in edges))


def _sees_its_package(path: str) -> bool:
    language = language_of(path)
    return language is not None and language.name in BARE_MEMBERS | EXTENDED


def _listed(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    every = every[1:] if len(every) > 1 else every
    more = f" and {len(every) - _MAX_NAMES} more" if len(every) > _MAX_NAMES else ""
    return f"of it {', '.join(every[:_MAX_NAMES])}{more}"


def outline(query: SymbolQuery, files: Sequence[FileState]) -> FoundPlaces:
    """The symbols that files define; a note marks those that others cannot use."""
    keys = sorted(file.key for file in files)
    every = query.tx.graph.symbols_of(keys)
    found = _outlined(query, every, [each for each in every if each.kind != _MODULE])
    passed = _passed_on(query, keys)
    summary = f"{found.summary}, {len(passed)} passed on" if passed else found.summary
    return FoundPlaces([*found.places, *passed], summary)


def _passed_on(query: SymbolQuery, files: Sequence[int]) -> list[TracedPlace]:
    """What files export that others define: `export { a } from`, or imports in `__init__.py`."""
    edges = [
        edge
        for edge in query.tx.graph.edges_from(files)
        if edge.rank == 0
        and edge.target_key is not None
        and edge.use in (_PASSING if _is_python_package(query, edge.document_key) else _EXPORTING)
    ]
    targets = query.symbols(edge.target_key for edge in edges)
    named = [
        replace(place, symbol=edge.name, kind=target.kind, use="", confidence=1.0, note=_PASSED_ON)
        for edge in edges
        if (target := targets.get(edge.target_key or -1)) and target.document_key not in files
        if target.kind != _MODULE
        for place in query.used(edge, {})
    ]
    return sorted(named, key=lambda one: (one.path, one.line, one.symbol))


def _is_python_package(query: SymbolQuery, document: int) -> bool:
    return basename(query.path_of(document)) in {"__init__.py", "__init__.pyi"}


def outline_of_symbols(query: SymbolQuery) -> FoundPlaces:
    """What classes and other symbols contain."""
    inside = query.inside(query.matches)
    own = {each.key for each in query.matches}
    return _outlined(
        query, inside.values(), [each for each in inside.values() if each.key not in own]
    )


def _outlined(query: SymbolQuery, every: Iterable[Symbol], shown: Sequence[Symbol]) -> FoundPlaces:
    exported = {(each.document_key, each.path) for each in every if each.exported}
    symbols = without_inner_literals(shown)
    once = {(each.document_key, each.path, each.kind): each for each in reversed(symbols)}
    places = [
        query.defined(each, note="" if _is_public(query, each, exported) else "its own")
        for each in reversed(once.values())
    ]
    offered = sum(not place.note for place in places)
    return FoundPlaces(places, f"{offered} offered to others, {len(places) - offered} not")


def _is_public(query: SymbolQuery, symbol: Symbol, exported: set[tuple[int, str]]) -> bool:
    """Whether others may use it: it is in an exported symbol or, by its name, in Python and Go."""
    parts = symbol.path.split(".")
    if (symbol.document_key, parts[0]) in exported:
        return not parts[-1].startswith("#")
    language = language_of(query.path_of(symbol.document_key))
    name = language.name if language is not None else ""
    if name == "go":
        return all(part[:1].isupper() for part in parts)
    return name == "python" and not any(part.startswith("_") and part[:2] != "__" for part in parts)


def unused(query: SymbolQuery, folder: str) -> FoundPlaces:
    """Symbols without a known use; exported ones are marked, as code elsewhere may use them."""
    symbols = query.tx.graph.unused(query.resources, _MAX_UNUSED)
    query.read_paths(each.document_key for each in symbols)
    candidates = [each for each in symbols if _may_be_dead(query, each, folder)]
    perhaps_used = _annotated(query, candidates) | _overriding_members(query, candidates)
    perhaps_used |= {key for _, key in structural.declared_by_interfaces(query, candidates)}
    found = [each for each in candidates if each.key not in perhaps_used]
    exported = {(each.document_key, each.path) for each in candidates if each.exported}
    offered = {each.key for each in found if _is_public(query, each, exported)}
    others = [query.defined(each) for each in found if each.key not in offered]
    places = [
        query.defined(each, note="others may use it") for each in found if each.key in offered
    ]
    summary = f"{len(others)} without a known use, {len(places)} offered to others"
    return FoundPlaces(
        [*ordered(others), *ordered(places)], summary, complete=len(symbols) < _MAX_UNUSED
    )


def _may_be_dead(query: SymbolQuery, symbol: Symbol, folder: str) -> bool:
    """Whether a symbol without uses is code of the folder that nothing calls by convention."""
    path = query.path_of(symbol.document_key)
    return (
        symbol.kind in _CODE_KINDS
        and _below(path, folder)
        and not in_tests(path)
        and not (symbol.name.startswith("__") or symbol.name in _CALLED_BY_CONVENTION)
    )


def _below(path: str, folder: str) -> bool:
    wanted = folder.strip().strip("/")
    return wanted in _ALL_FOLDERS or f"/{path}/".find(f"/{wanted}/") >= 0


def _annotated(query: SymbolQuery, symbols: Sequence[Symbol]) -> set[int]:
    """Symbols with an annotation: a framework that reads it may call them."""
    documents = sorted({each.document_key for each in symbols})
    lines = {
        (edge.document_key, line)
        for edge in query.tx.graph.edges_from(documents)
        if edge.use == "annotation"
        for line in edge.lines
    }
    return {
        each.key
        for each in symbols
        if {(each.document_key, each.first_line - 1), (each.document_key, each.first_line)} & lines
    }


def _overriding_members(query: SymbolQuery, symbols: Sequence[Symbol]) -> set[int]:
    """Members of classes with a base: they may be called through the base."""
    documents = sorted({each.document_key for each in symbols})
    extending = {
        edge.source_key
        for edge in query.tx.graph.edges_from(documents)
        if edge.use == "extends" and edge.source_key is not None
    }
    classes = {(each.document_key, each.path) for each in query.symbols(extending).values()}
    return {
        each.key for each in symbols if (each.document_key, each.path.rpartition(".")[0]) in classes
    }


def import_cycles(query: SymbolQuery, folder: str) -> FoundPlaces:
    """Import cycles: enough short ones that each file which is on a cycle is in one of them."""
    pairs = query.tx.graph.imports(query.resources, _MAX_IMPORTS)
    query.read_paths(key for pair in pairs for key in pair[:2])
    within = [pair for pair in pairs if all(_below(query.path_of(key), folder) for key in pair[:2])]
    lines = {(importer, imported): line for importer, imported, line in reversed(within)}
    found = cycles(by_importer(within), _MAX_CYCLES)
    places = [_cycle(query, cycle, lines) for cycle in found.cycles]
    summary = ""
    if places:
        sets = "1 set" if found.sets == 1 else f"{found.sets} sets"
        summary = (
            f"{found.files} files import themselves through others, in {sets}; "
            "imports inside functions and for types only count, too"
        )
    return FoundPlaces(places, summary, complete=found.complete and len(pairs) < _MAX_IMPORTS)


def _cycle(
    query: SymbolQuery, cycle: Sequence[int], lines: dict[tuple[int, int], int]
) -> TracedPlace:
    steps = list(pairwise(cycle))
    (resource,) = {each.resource_key for each in query.tx.graph.symbols_of([cycle[0]])} or {0}
    hops = " -> ".join(
        f"{query.path_of(importer)}:{lines[importer, imported]}" for importer, imported in steps
    )
    return TracedPlace(resource, cycle[0], query.path_of(cycle[0]), lines[steps[0]],
                       note=f"{hops} -> {query.path_of(cycle[-1])}")  # fmt: skip


def file_query(
    tx: Transaction, resources: Sequence[int], files: Iterable[FileState]
) -> SymbolQuery:
    """A query without symbols, to read the graph for questions about files."""
    paths = {file.key: file.path for file in files}
    return SymbolQuery(tx, (), frozenset(), resources, paths=paths)
