"""Questions about files and folders: who imports them, what they offer, what nothing uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from posixpath import splitext

from commonplace.codegraph.answering.cycles import by_importer, cycles
from commonplace.codegraph.answering.places import in_tests
from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import TracedPlace, UseCount, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.service.following import Found
from commonplace.codegraph.service.meaning import MOST_EDGES, AskedSymbols
from commonplace.model.graph import Symbol
from commonplace.model.workspace import FileState
from commonplace.storage.port import Transaction

_MOST_UNUSED = 20_000
_MOST_IMPORTS = 200_000
_MOST_CYCLES = 500
_MOST_MODULES = 5
_MOST_NAMED = 8
_EVERYTHING = frozenset({"", "*", ".", "/"})
_COUNTED_AS_CODE = frozenset(
    {Kind.FUNCTION.value, Kind.METHOD.value, Kind.CLASS.value, Kind.INTERFACE.value,
     Kind.ENUM.value, Kind.ALIAS.value, Kind.CONSTANT.value, Kind.VARIABLE.value}
)  # fmt: skip
_CALLED_BY_NAME = frozenset({"main", "setUp", "tearDown", "setup", "teardown", "default"})
_MODULE = Kind.MODULE.value


def files_meant(tx: Transaction, text: str, resources: Sequence[int]) -> list[FileState]:
    """Files by their path, the end of it, or a module's name; not those of a folder."""
    wanted = text.strip().strip("/")
    parts = name_parts(splitext(wanted)[0] if language_of(wanted) else wanted)
    if not parts:
        return []
    named = tx.graph.named([parts[-1], *parts[-2:-1]], resources, MOST_EDGES)
    modules = sorted({each.document_key for each in named if each.kind == _MODULE})
    states = tx.files.get(modules)
    return [each for each in states.values() if _is_meant(each.path, wanted, parts)]


def _is_meant(path: str, wanted: str, parts: Sequence[str]) -> bool:
    if language_of(wanted):
        return path == wanted or path.endswith(f"/{wanted}")
    folders = splitext(path)[0].split("/")
    if folders[-1] in ("index", "__init__", "mod", "package-info") and len(folders) > 1:
        folders = folders[:-1]
    return tuple(folders[-len(parts) :]) == tuple(parts)


def modules_of(asked: AskedSymbols, files: Sequence[FileState]) -> tuple[UseCount, ...]:
    """The files that are asked about, as definitions."""
    symbols = asked.tx.graph.symbols_of([file.key for file in files])
    modules = [each for each in symbols if each.kind == _MODULE]
    return tuple(UseCount(asked.defined(each)) for each in modules[:_MOST_MODULES])


def importers(asked: AskedSymbols, files: Sequence[FileState]) -> Found:
    """Lines of other files that import one of these or something of them."""
    keys = {file.key for file in files}
    symbols = asked.tx.graph.symbols_of(sorted(keys))
    edges = [
        edge
        for edge in asked.edges_to(each.key for each in symbols)
        if edge.use in ("import", "export") and edge.document_key not in keys
    ]
    asked.read_paths(edge.document_key for edge in edges)
    names: dict[int, list[str]] = {}
    first: dict[int, TracedPlace] = {}
    for edge in edges:
        names.setdefault(edge.document_key, []).append(edge.name)
        for place in asked.used(edge, {}):
            best = first.setdefault(edge.document_key, place)
            first[edge.document_key] = min(best, place, key=lambda one: one.line)
    places = [replace(place, note=_listed(names[key])) for key, place in first.items()]
    return Found(sorted(places, key=lambda one: (one.path, one.line)))


def _listed(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    every = every[1:] if len(every) > 1 else every
    more = f" and {len(every) - _MOST_NAMED} more" if len(every) > _MOST_NAMED else ""
    return f"of it {', '.join(every[:_MOST_NAMED])}{more}"


def outline(asked: AskedSymbols, files: Sequence[FileState]) -> Found:
    """What files define at their top and in their classes; what others may use is marked."""
    keys = sorted(file.key for file in files)
    symbols = [each for each in asked.tx.graph.symbols_of(keys) if each.kind != _MODULE]
    exported = {(each.document_key, each.path) for each in symbols if each.exported}
    once = {(each.document_key, each.path, each.kind): each for each in reversed(symbols)}
    places = [
        asked.defined(each, note="" if _is_offered(asked, each, exported) else "its own")
        for each in reversed(once.values())
    ]
    offered = sum(not place.note for place in places)
    return Found(places, f"{offered} offered to others, {len(places) - offered} not")


def _is_offered(asked: AskedSymbols, symbol: Symbol, exported: set[tuple[int, str]]) -> bool:
    """Whether others may use it: by a mark around it; in Python by a name without underscore."""
    parts = symbol.path.split(".")
    if (symbol.document_key, parts[0]) in exported:
        return not parts[-1].startswith("#")
    language = language_of(asked.path_of(symbol.document_key))
    python = language is not None and language.name == "python"
    return python and not any(part.startswith("_") and part[:2] != "__" for part in parts)


def unused(asked: AskedSymbols, folder: str) -> Found:
    """What nothing is known to use; what is exported may be used by others outside."""
    symbols = asked.tx.graph.unused(asked.resources, _MOST_UNUSED)
    asked.read_paths(each.document_key for each in symbols)
    candidates = [
        each
        for each in symbols
        if each.kind in _COUNTED_AS_CODE
        and _below(asked.path_of(each.document_key), folder)
        and not in_tests(asked.path_of(each.document_key))
        and not (each.name.startswith("__") or each.name in _CALLED_BY_NAME)
    ]
    marked = _annotated(asked, candidates)
    over = _overriding_members(asked, candidates)
    sure = [each for each in candidates if each.key not in marked | over]
    exported = {(each.document_key, each.path) for each in candidates if each.exported}
    places = [
        asked.defined(each, depth=2, note="others may use it")
        if _is_offered(asked, each, exported)
        else asked.defined(each)
        for each in sure
    ]
    outside = sum(place.depth > 1 for place in places)
    summary = f"{len(places) - outside} of no use to anybody, {outside} offered to others"
    return Found(
        [replace(place, depth=1) for place in ordered(places)],
        summary,
        complete=len(symbols) < _MOST_UNUSED,
    )


def _below(path: str, folder: str) -> bool:
    wanted = folder.strip().strip("/")
    return wanted in _EVERYTHING or f"/{path}/".find(f"/{wanted}/") >= 0


def _annotated(asked: AskedSymbols, symbols: Sequence[Symbol]) -> set[int]:
    """Those that carry a mark: whoever reads the mark may call them."""
    documents = sorted({each.document_key for each in symbols})
    lines = {
        (edge.document_key, line)
        for edge in asked.tx.graph.edges_from(documents)
        if edge.use == "annotation"
        for line in edge.lines
    }
    return {
        each.key
        for each in symbols
        if {(each.document_key, each.first_line - 1), (each.document_key, each.first_line)} & lines
    }


def _overriding_members(asked: AskedSymbols, symbols: Sequence[Symbol]) -> set[int]:
    """Members of classes that extend something: they may be called through that."""
    documents = sorted({each.document_key for each in symbols})
    extending = {
        edge.source_key
        for edge in asked.tx.graph.edges_from(documents)
        if edge.use == "extends" and edge.source_key is not None
    }
    classes = {(each.document_key, each.path) for each in asked.symbols(extending).values()}
    return {
        each.key for each in symbols if (each.document_key, each.path.rpartition(".")[0]) in classes
    }


def import_cycles(asked: AskedSymbols, folder: str) -> Found:
    """Files that import each other in a circle: of each knot of files the shortest."""
    pairs = asked.tx.graph.imports(asked.resources, _MOST_IMPORTS)
    asked.read_paths(key for pair in pairs for key in pair[:2])
    within = [pair for pair in pairs if all(_below(asked.path_of(key), folder) for key in pair[:2])]
    lines = {(importer, imported): line for importer, imported, line in reversed(within)}
    found = cycles(by_importer(within))[:_MOST_CYCLES]
    places = [_circle(asked, way, lines) for way in found]
    summary = "imports inside functions and for types only count, too" if places else ""
    return Found(places, summary, complete=len(pairs) < _MOST_IMPORTS)


def _circle(
    asked: AskedSymbols, way: Sequence[int], lines: dict[tuple[int, int], int]
) -> TracedPlace:
    steps = list(pairwise(way))
    (resource,) = {each.resource_key for each in asked.tx.graph.symbols_of([way[0]])} or {0}
    told = " -> ".join(
        f"{asked.path_of(importer)}:{lines[importer, imported]}" for importer, imported in steps
    )
    return TracedPlace(resource, way[0], asked.path_of(way[0]), lines[steps[0]],
                       note=f"{told} -> {asked.path_of(way[-1])}")  # fmt: skip


def nothing_asked(
    tx: Transaction, resources: Sequence[int], files: Iterable[FileState]
) -> AskedSymbols:
    """How to get around where files are asked about, not symbols."""
    paths = {file.key: file.path for file in files}
    return AskedSymbols(tx, (), frozenset(), resources, paths=paths)
