"""Which symbols a question means, and what places in code are to them; from what is kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import splitext

from commonplace.codegraph.answering.answer import PlaceRole, Sighting
from commonplace.codegraph.answering.question import Intent
from commonplace.codegraph.answering.traced import Relation, Traced
from commonplace.codegraph.extraction.languages import language_of
from commonplace.model.graph import Edge, GraphCounts, Symbol, Tally
from commonplace.text.path_class import PathClass, path_class

_MODULE, _TEST, _CONSTRUCTOR = "module", "test", "constructor"
_TYPES = frozenset({"class", "interface", "enum", "type"})
_CALLING = frozenset({"call", "jsx"})
_ROLES = {"import": PlaceRole.IMPORT, "export": PlaceRole.EXPORT}
_EXPORTING = frozenset({"ts", "tsx", "js"})
# Of symbols that share a name, those that are rather meant come first.
_ORDER = {"class": 0, "interface": 0, "enum": 0, "type": 1, "function": 1, "namespace": 1}
_LATER, _LAST = 2, 3
# How a test block is written, a call of a test runner.
_BLOCK = re.compile(r"(?:test|it|describe)(?:\.\w+)*\(")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_LONGEST_RESPELT = 40
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|\w")


# Where code_map shows what is asked beyond its own intents.
ROLE_OF = {
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
    """What is kept around the symbols that are meant; `paths` are of documents."""

    meant: Sequence[Symbol]
    edges: Sequence[Edge]
    symbols: Mapping[int, Symbol]
    paths: Mapping[int, str]
    tests: Sequence[Symbol] = ()
    used: Sequence[Symbol] = ()


def meant_by(
    parts: Sequence[str], named: Sequence[Symbol], paths: Mapping[int, str]
) -> list[Symbol]:
    """The symbols that a name path fits: written alike before in other letters, all of it."""
    named = [symbol for symbol in named if not is_test_block(symbol)]
    for same in (_same, _same_folded):
        exact = [symbol for symbol in named if same([symbol.name], parts[-1:])]
        fitting = [s for s in exact if _fits(parts, s, paths.get(s.document_key, ""), same)]
        kinds = [s for s in fitting if s.kind != _MODULE] or fitting
        if kinds := _class_or_constructor(parts, kinds):
            return sorted(kinds, key=_precedence)
    return []


def _class_or_constructor(parts: Sequence[str], symbols: Sequence[Symbol]) -> list[Symbol]:
    """A constructor with the name of its class is meant with it, unless it is named itself."""
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
    """Whether it is a test that is called after what it tests, and defines nothing itself."""
    return symbol.kind == _TEST and _BLOCK.match(symbol.signature) is not None


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return list(one) == list(other)


def _same_folded(one: Sequence[str], other: Sequence[str]) -> bool:
    return [part.casefold() for part in one] == [part.casefold() for part in other]


def _fits(parts: Sequence[str], symbol: Symbol, path: str, same: object) -> bool:
    """Whether the outer names are those around it: of symbols, its module, folders."""
    fold = same is _same_folded
    outer = [part.casefold() if fold else part for part in parts[:-1]]
    around = [*splitext(path)[0].split("/"), *symbol.path.split(".")[:-1]]
    if symbol.kind == _MODULE:
        around = around[:-1]
    names = iter([name.casefold() if fold else name for name in around])
    return all(part in names for part in outer)


def _precedence(symbol: Symbol) -> tuple[bool, int, int, int]:
    by_kind = _LAST if symbol.kind == "field" else _ORDER.get(symbol.kind, _LATER)
    return not symbol.exported, by_kind, symbol.document_key, symbol.first_line


def chosen(meant: Sequence[Symbol]) -> list[Symbol]:
    """Symbols whose uses are told: what a module offers, where another is its own affair.

    Several that are on a par stay several.
    """
    offered = [symbol for symbol in meant if symbol.exported]
    return offered or list(meant)


def with_parts(symbols: Sequence[Symbol], siblings: Iterable[Symbol]) -> frozenset[int]:
    """Keys that a use of the symbols may lead to: a class is made through its constructors."""
    classes = {(s.document_key, s.path) for s in symbols if s.kind in _TYPES}
    constructors = (
        each.key
        for each in siblings
        if each.kind == _CONSTRUCTOR
        and (each.document_key, each.path.rpartition(".")[0]) in classes
    )
    return frozenset(symbol.key for symbol in symbols) | frozenset(constructors)


def test_names(name: str) -> list[str]:
    """How tests of a symbol are called, and the files they stand in."""
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
    """The paths of those that somebody may have meant by a name, each once."""
    meant = (symbol for symbol in symbols if symbol.kind not in (_MODULE, _TEST))
    return list(dict.fromkeys(symbol.path for symbol in meant))


def near_spellings(name: str) -> list[str]:
    """The name itself and whatever one slip of the fingers makes of another name."""
    folded = name.casefold()[:_LONGEST_RESPELT]
    cuts = [(folded[:place], folded[place:]) for place in range(len(folded) + 1)]
    made = [folded]
    made += [left + right[1:] for left, right in cuts if right]
    made += [left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1]
    made += [left + letter + right[1:] for left, right in cuts if right for letter in _LETTERS]
    made += [left + letter + right for left, right in cuts for letter in _LETTERS]
    return list(dict.fromkeys(made))


def sightings(known: SymbolContext, intent: Intent) -> list[Sighting]:
    """Every place in every role, in the order of worth within each."""
    found = [
        *_definitions(known, intent),
        *_uses(known, intent),
        *_tests(known),
        *(_place(PlaceRole.RELATED, symbol, known) for symbol in known.used),
    ]
    return list(dict.fromkeys(found))


def _place(role: PlaceRole, symbol: Symbol, known: SymbolContext) -> Sighting:
    path = known.paths.get(symbol.document_key, "")
    return Sighting(
        role, symbol.resource_key, symbol.document_key, path, _language(path), symbol.first_line,
        symbol.last_line, symbol.name, symbol.kind, symbol.path,
    )  # fmt: skip


def _language(path: str) -> str:
    language = language_of(path)
    return language.name if language else ""


def _definitions(known: SymbolContext, intent: Intent) -> Iterator[Sighting]:
    for symbol in known.meant:
        place = _place(PlaceRole.DEFINITION, symbol, known)
        yield place
        if symbol.exported and symbol.kind != _MODULE and place.language in _EXPORTING:
            yield replace(place, role=PlaceRole.EXPORT)
        if symbol.doc and intent is Intent.DOC:
            yield replace(place, role=PlaceRole.DOC)


def _uses(known: SymbolContext, intent: Intent) -> Iterator[Sighting]:
    """One for each line; to a question for callers, one for each that calls."""
    for edge in known.edges:
        role = _ROLES.get(edge.use, PlaceRole.REFERENCE)
        if edge.target_key is None:
            role = PlaceRole.UNKNOWN
        call = edge.use in _CALLING
        if intent is Intent.CALLER and call and edge.source_key is not None:
            yield _use(role, edge, known, edge.lines[0], edge.lines[-1], call)
            continue
        for line in dict.fromkeys(edge.lines):
            yield _use(role, edge, known, line, line, call)


def _use(
    role: PlaceRole, edge: Edge, known: SymbolContext, first: int, last: int, call: bool
) -> Sighting:
    source = known.symbols.get(edge.source_key or -1)
    path = known.paths.get(edge.document_key, "")
    return Sighting(
        role, edge.resource_key, edge.document_key, path, _language(path), first, last,
        source.name if source else None, source.kind if source else None,
        source.path if source else None, edge.resolution or None, edge.confidence or None, call,
        edge.use,
    )  # fmt: skip


def _tests(known: SymbolContext) -> Iterator[Sighting]:
    """Tests of the symbols: by what they use, and then by how they are called."""
    for edge in known.edges:
        path = known.paths.get(edge.document_key, "")
        source = known.symbols.get(edge.source_key or -1)
        if source is None or edge.use in _ROLES or edge.target_key is None:
            continue
        if source.kind == _TEST or in_tests(path):
            yield replace(_place(PlaceRole.TEST, source, known), kind=_TEST)
    yield from (_place(PlaceRole.TEST, test, known) for test in known.tests)


def counted(tallies: Iterable[Tally], resources: frozenset[int]) -> GraphCounts:
    """The sum of what files count; references across only between these resources."""
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


def followed(traced: Traced, relation: Relation) -> list[Sighting]:
    """The places of a question that is followed step by step, as code_map shows places."""
    role = ROLE_OF[relation]
    places = [(role, place) for place in traced.places]
    places += [(PlaceRole.UNKNOWN, place) for place in traced.unresolved]
    return [
        Sighting(each, place.resource, place.document, place.path, _language(place.path),
                 place.line, place.line, place.symbol.rpartition(".")[2] or None,
                 place.kind or None, place.symbol or None, None, place.confidence,
                 place.use in _CALLING, place.use or None)
        for each, place in places
    ]  # fmt: skip
