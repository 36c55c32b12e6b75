"""Selects the symbols that a name refers to, and assigns roles to places in code. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import basename, splitext

from commonplace.codegraph.answering.answer import PlaceRole, Sighting
from commonplace.codegraph.answering.question import Intent
from commonplace.codegraph.answering.trace import Relation, TraceResult
from commonplace.codegraph.extraction.languages import (
    BARE_MEMBERS,
    FOLDER_FILES,
    PACKAGED,
    language_of,
)
from commonplace.model.graph import Edge, GraphCounts, Symbol, Tally
from commonplace.text.path_class import PathClass, path_class

_MODULE, _TEST, _CONSTRUCTOR = "module", "test", "constructor"
_TYPES = frozenset({"class", "interface", "enum", "type"})
_CALLING = frozenset({"call", "jsx"})
_ROLES = {"import": PlaceRole.IMPORT, "export": PlaceRole.EXPORT}
_EXPORTING = frozenset({"ts", "tsx", "js"})
# Of symbols that share a name, the more likely ones come first.
_ORDER = {"class": 0, "interface": 0, "enum": 0, "type": 1, "function": 1, "namespace": 1}
_LATER, _LAST = 2, 3
# The signature of a test block: a call of a test runner.
_BLOCK = re.compile(r"(?:test|it|describe)(?:\.\w+)*\(")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_MAX_RESPELT_LENGTH = 40
_LONGEST_LABEL = 20
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|\w")


# The group in which code_map shows the places of a trace relation.
ROLE_BY_RELATION = {
    Relation.SUBCLASSES: PlaceRole.REFERENCE,
    Relation.IMPLEMENTATIONS: PlaceRole.REFERENCE,
    Relation.OVERRIDES: PlaceRole.REFERENCE,
    Relation.IMPACT: PlaceRole.REFERENCE,
    Relation.TESTS: PlaceRole.TEST,
    Relation.IMPORTERS: PlaceRole.IMPORT,
    Relation.OUTLINE: PlaceRole.DEFINITION,
    Relation.UNUSED: PlaceRole.DEFINITION,
    Relation.CYCLES: PlaceRole.IMPORT,
    Relation.CALLEES: PlaceRole.RELATED,
    Relation.SUPERCLASSES: PlaceRole.RELATED,
    Relation.ENTRY_POINTS: PlaceRole.RELATED,
    Relation.PATH: PlaceRole.RELATED,
}


@dataclass(frozen=True, slots=True)
class SymbolContext:
    """What the graph stores about the symbols in question.

    `symbols` has the sources of the edges by key, `paths` the paths of documents. `tests` are named
    after the symbols; `used` is what the symbols themselves use.
    """

    definitions: Sequence[Symbol]
    edges: Sequence[Edge]
    symbols: Mapping[int, Symbol]
    paths: Mapping[int, str]
    tests: Sequence[Symbol] = ()
    used: Sequence[Symbol] = ()


def matching_symbols(
    parts: Sequence[str], named: Sequence[Symbol], paths: Mapping[int, str]
) -> list[Symbol]:
    """The symbols that match a name path: in the same letter case if any do, else in any case."""
    named = [symbol for symbol in named if not is_test_block(symbol)]
    for same in (_same, _same_folded):
        exact = [symbol for symbol in named if same([symbol.name], parts[-1:])]
        fitting = [s for s in exact if _fits(parts, s, paths.get(s.document_key, ""), same)]
        direct = [s for s in fitting if _holds(parts, s, paths.get(s.document_key, ""))]
        kinds = [s for s in direct or fitting if s.kind != _MODULE] or direct or fitting
        if kinds := _class_or_constructor(parts, kinds):
            return sorted(kinds, key=_precedence)
    return []


def _class_or_constructor(parts: Sequence[str], symbols: Sequence[Symbol]) -> list[Symbol]:
    """Keep a class and not its constructor, unless the constructor is named in full."""
    classes = {(one.document_key, one.path): one for one in symbols if one.kind in _TYPES}
    own = {
        one: classes[owner]
        for one in symbols
        if one.kind == _CONSTRUCTOR
        and (owner := (one.document_key, one.path.rpartition(".")[0])) in classes
    }
    named = [one for one in own if one.path == ".".join(parts)]
    left_out = [own[one] for one in named] if named else list(own)
    return [one for one in symbols if one not in left_out]


def is_test_block(symbol: Symbol) -> bool:
    """Whether this is a test block: it bears the name of what it tests, and defines nothing."""
    return symbol.kind == _TEST and _BLOCK.match(symbol.signature) is not None


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return list(one) == list(other)


def _same_folded(one: Sequence[str], other: Sequence[str]) -> bool:
    return [part.casefold() for part in one] == [part.casefold() for part in other]


def _fits(parts: Sequence[str], symbol: Symbol, path: str, same: object) -> bool:
    """Whether the outer names occur, in order, in the symbol's path, its module or its folders."""
    fold = same is _same_folded
    outer = [part.casefold() if fold else part for part in parts[:-1]]
    around = [*splitext(path)[0].split("/"), *symbol.path.split(".")[:-1]]
    if symbol.kind == _MODULE:
        around = around[:-1]
    names = iter([name.casefold() if fold else name for name in around])
    return all(part in names for part in outer)


def _holds(parts: Sequence[str], symbol: Symbol, path: str) -> bool:
    """Whether the outer names are those directly around the symbol: `gen.make` means `make` in
    the package `gen` before `make` in `gen.inner`."""
    folders, stem = path.rpartition("/")[0].split("/"), splitext(basename(path))[0]
    language, inner = language_of(path), symbol.path.split(".")[:-1]
    is_package = language is not None and language.name in BARE_MEMBERS | PACKAGED
    holders = [[*folders, stem, *inner]]
    if is_package or stem in FOLDER_FILES:
        holders.append([*folders, *inner])
    return len(parts) > 1 and any(
        holder[-len(parts) + 1 :] == list(parts[:-1]) for holder in holders
    )


def _precedence(symbol: Symbol) -> tuple[bool, int, int, int]:
    by_kind = _LAST if symbol.kind == "field" else _ORDER.get(symbol.kind, _LATER)
    if symbol.kind == "function" and "." in symbol.path:
        by_kind = _LAST  # inside of another one
    return not symbol.exported, by_kind, symbol.document_key, symbol.first_line


def preferred(symbols: Sequence[Symbol]) -> list[Symbol]:
    """The symbols to report: the exported ones if there are any, else all.

    Another module's private namesake is rarely the one in question; several equals remain, and
    so do overloads, of which only some may be exported.
    """
    exported = {(symbol.document_key, symbol.path) for symbol in symbols if symbol.exported}
    return [one for one in symbols if (one.document_key, one.path) in exported] or list(symbols)


def labels(placed: Sequence[tuple[Symbol, str]]) -> dict[int, str]:
    """The shortest names that tell symbols apart: their paths or, where these are the same, the
    ends of their files' paths. Overloads are one symbol; a single one needs no name."""
    kinds = {(path, symbol.path) for symbol, path in placed}
    if len(kinds) == 1:
        return {}
    alike: dict[str, set[str]] = {}
    for path, symbol_path in kinds:
        alike.setdefault(symbol_path, set()).add(path)
    lengths = {symbol_path: _telling_length(paths) for symbol_path, paths in alike.items()}
    return {
        symbol.key: _end(path, lengths[symbol.path]) if len(alike[symbol.path]) > 1 else symbol.path
        for symbol, path in placed
    }


def _telling_length(paths: set[str]) -> int:
    """How many parts of paths, from the end, tell them apart."""
    lengths = (
        n for n in range(1, _LONGEST_LABEL) if len({_end(p, n) for p in paths}) == len(paths)
    )
    return next(lengths, _LONGEST_LABEL)


def _end(path: str, length: int) -> str:
    return "/".join(path.split("/")[-length:])


def with_parts(symbols: Sequence[Symbol], siblings: Iterable[Symbol]) -> frozenset[int]:
    """Keys that a use of the symbols may link to: creating an object links to a constructor."""
    classes = {(s.document_key, s.path) for s in symbols if s.kind in _TYPES}
    constructors = (
        each.key
        for each in siblings
        if each.kind == _CONSTRUCTOR
        and (each.document_key, each.path.rpartition(".")[0]) in classes
    )
    return frozenset(symbol.key for symbol in symbols) | frozenset(constructors)


def test_names(name: str) -> list[str]:
    """Common names for tests of a symbol, and for the files with these tests."""
    words = [word.lower() for word in _WORD.findall(name)]
    snake, kebab = "_".join(words), "-".join(words)
    stems = dict.fromkeys((name, snake, kebab, "".join(words)))
    shapes = ("test_{}", "test{}", "{}test", "{}tests", "{}spec", "{}it", "{}testcase", "{}.test",
              "{}.spec", "{}_test", "{}_spec", "{}-test")  # fmt: skip
    return [shape.format(stem) for stem in stems for shape in shapes]


def in_tests(path: str) -> bool:
    return path_class(path) is PathClass.TEST


def test_blocks(name: str, named: Iterable[Symbol]) -> list[Symbol]:
    return [symbol for symbol in named if symbol.name == name and is_test_block(symbol)]


def paths_of(symbols: Iterable[Symbol]) -> list[str]:
    """The distinct paths of symbols, without modules and tests."""
    named = (symbol for symbol in symbols if symbol.kind not in (_MODULE, _TEST))
    return list(dict.fromkeys(symbol.path for symbol in named))


def near_spellings(name: str) -> list[str]:
    """The name and all its variants at one typing error: a letter less, swapped, wrong or more."""
    folded = name.casefold()[:_MAX_RESPELT_LENGTH]
    cuts = [(folded[:place], folded[place:]) for place in range(len(folded) + 1)]
    made = [folded]
    made += [left + right[1:] for left, right in cuts if right]
    made += [left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1]
    made += [left + letter + right[1:] for left, right in cuts if right for letter in _LETTERS]
    made += [left + letter + right for left, right in cuts for letter in _LETTERS]
    return list(dict.fromkeys(made))


def sightings(context: SymbolContext, intent: Intent) -> list[Sighting]:
    """Places in all roles, the most relevant first within each role."""
    found = [
        *_definitions(context, intent),
        *_uses(context, intent),
        *_tests(context),
        *(_place(PlaceRole.RELATED, symbol, context) for symbol in context.used),
    ]
    return list(dict.fromkeys(found))


def _place(role: PlaceRole, symbol: Symbol, context: SymbolContext) -> Sighting:
    path = context.paths.get(symbol.document_key, "")
    return Sighting(
        role, symbol.resource_key, symbol.document_key, path, _language(path), symbol.first_line,
        symbol.last_line, symbol.name, symbol.kind, symbol.path,
    )  # fmt: skip


def _language(path: str) -> str:
    language = language_of(path)
    return language.name if language else ""


def _definitions(context: SymbolContext, intent: Intent) -> Iterator[Sighting]:
    for symbol in context.definitions:
        place = _place(PlaceRole.DEFINITION, symbol, context)
        yield place
        if symbol.exported and symbol.kind != _MODULE and place.language in _EXPORTING:
            yield replace(place, role=PlaceRole.EXPORT)
        if symbol.doc and intent is Intent.DOC:
            yield replace(place, role=PlaceRole.DOC)


def _uses(context: SymbolContext, intent: Intent) -> Iterator[Sighting]:
    """One sighting per line; for a question about callers, one per caller."""
    for edge in context.edges:
        role = _ROLES.get(edge.use, PlaceRole.REFERENCE)
        if edge.target_key is None:
            role = PlaceRole.UNKNOWN
        call = edge.use in _CALLING
        if intent is Intent.CALLER and call and edge.source_key is not None:
            yield _use(role, edge, context, edge.lines[0], edge.lines[-1], call)
            continue
        for line in dict.fromkeys(edge.lines):
            yield _use(role, edge, context, line, line, call)


def _use(
    role: PlaceRole, edge: Edge, context: SymbolContext, first: int, last: int, call: bool
) -> Sighting:
    source = context.symbols.get(edge.source_key or -1)
    path = context.paths.get(edge.document_key, "")
    return Sighting(
        role, edge.resource_key, edge.document_key, path, _language(path), first, last,
        source.name if source else None, source.kind if source else None,
        source.path if source else None, edge.resolution or None, edge.confidence or None, call,
        edge.use,
    )  # fmt: skip


def _tests(context: SymbolContext) -> Iterator[Sighting]:
    """Tests of the symbols: those that use them, then those named after them."""
    for edge in context.edges:
        path = context.paths.get(edge.document_key, "")
        source = context.symbols.get(edge.source_key or -1)
        if source is None or edge.use in _ROLES or edge.target_key is None:
            continue
        if source.kind == _TEST or in_tests(path):
            yield replace(_place(PlaceRole.TEST, source, context), kind=_TEST)
    yield from (_place(PlaceRole.TEST, test, context) for test in context.tests)


def counted(tallies: Iterable[Tally], resources: frozenset[int]) -> GraphCounts:
    """Sum the tallies of files; cross-resource references count only among these resources."""
    symbols: Counter[str] = Counter()
    references: Counter[str] = Counter()
    resolved = across = 0
    for tally in tallies:
        symbols.update(tally.symbols)
        references.update(tally.references)
        resolved += tally.resolved
        across += sum(count for key, count in tally.across.items() if key in resources)
    return GraphCounts(
        symbols=symbols.total(),
        references=references.total(),
        resolved=resolved,
        across_resources=across,
        symbol_kinds=dict(symbols),
        reference_kinds=dict(references),
    )


def followed(traced: TraceResult, relation: Relation) -> list[Sighting]:
    """The places of a trace as sightings for code_map."""
    role = ROLE_BY_RELATION[relation]
    places = [(role, place) for place in traced.places]
    places += [(PlaceRole.UNKNOWN, place) for place in traced.unresolved]
    return [
        Sighting(each, place.resource, place.document, place.path, _language(place.path),
                 place.line, place.line, place.symbol.rpartition(".")[2] or None,
                 place.kind or None, place.symbol or None, None, place.confidence,
                 place.use in _CALLING, place.use or None)
        for each, place in places
    ]  # fmt: skip
