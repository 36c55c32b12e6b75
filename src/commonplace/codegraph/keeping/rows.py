"""Converts facts and links of a file to the symbols and edges that are stored."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from posixpath import basename, dirname, splitext

from commonplace.codegraph.extraction.facts import Definition, FileFacts, Kind, Use
from commonplace.codegraph.extraction.languages import FOLDER_FILES
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey, Link
from commonplace.codegraph.resolution.resolve import Linked
from commonplace.codegraph.resolution.visible import enclosing, visible_numbers
from commonplace.model.graph import CodeFile, Edge, Symbol, Tally, slot_of, symbol_key
from commonplace.text.path_class import PathClass, path_class

MAX_NAME_LENGTH = 300
_MAX_DOC_LENGTH = 2_000
_TEST_ANNOTATIONS = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory"})
_OUTSIDE = -1  # of every definition
_TESTABLE = frozenset({Kind.FUNCTION, Kind.METHOD})


def symbols_of(facts: FileFacts, file: CodeFile, before: Sequence[Symbol]) -> list[Symbol]:
    """The module and its definitions as symbols; known symbols keep their keys."""
    slots = _Slots(before)
    tests = _tests(facts)
    found = [_module(file, slots)]
    for number in visible_numbers(facts):
        each = facts.definitions[number]
        kind = Kind.TEST if number in tests else each.kind
        slot = slots.take(each.path[:MAX_NAME_LENGTH], kind.value)
        found.append(
            Symbol(
                key=symbol_key(file.key, slot),
                document_key=file.key,
                resource_key=file.resource_key,
                number=number,
                name=each.name[:MAX_NAME_LENGTH],
                path=each.path[:MAX_NAME_LENGTH],
                kind=kind.value,
                exported=each.exported,
                line=each.position.line + 1,
                column=each.position.column,
                first_line=each.first_line + 1,
                last_line=each.last_line + 1,
                signature=each.signature,
                doc=each.doc[:_MAX_DOC_LENGTH],
            )
        )
    return found


class _Slots:
    """Assigns slots: equal symbols keep theirs in order, and new ones get unused slots."""

    def __init__(self, before: Sequence[Symbol]) -> None:
        self._free: dict[tuple[str, str], list[int]] = defaultdict(list)
        for symbol in reversed(before):
            self._free[symbol.path, symbol.kind].append(slot_of(symbol.key))
        self._next = max((slot_of(symbol.key) for symbol in before), default=-1) + 1

    def take(self, path: str, kind: str) -> int:
        kept = self._free.get((path, kind))
        if kept:
            return kept.pop()
        self._next += 1
        return self._next - 1


def _module(file: CodeFile, slots: _Slots) -> Symbol:
    name = module_name(file.path)
    slot = slots.take(name, Kind.MODULE.value)
    return Symbol(
        symbol_key(file.key, slot), file.key, file.resource_key, MODULE_ITSELF, name, name,
        Kind.MODULE.value, True, 1, 0, 1, 1,
    )  # fmt: skip


def module_name(path: str) -> str:
    """The name of a file's module; an index file like `__init__` has the name of its folder."""
    stem = splitext(basename(path))[0]
    folder = basename(dirname(path))
    return (folder if folder and stem in FOLDER_FILES else stem)[:MAX_NAME_LENGTH]


def _tests(facts: FileFacts) -> frozenset[int]:
    """Functions that a test runner would run: by annotation, or by name in a test file."""
    marked = {
        reference.position.line
        for reference in facts.references
        if reference.use is Use.ANNOTATION and reference.name in _TEST_ANNOTATIONS
    }
    in_tests = path_class(facts.path) is PathClass.TEST
    return frozenset(
        number
        for number, each in enumerate(facts.definitions)
        if each.kind in _TESTABLE
        and (
            _is_annotated(each, marked)
            or (in_tests and each.name.lower().startswith("test") and facts.language != "java")
        )
    )


def _is_annotated(definition: Definition, lines: set[int]) -> bool:
    return any(line in lines for line in range(definition.first_line, definition.position.line + 1))


def edges_of(
    facts: FileFacts,
    linked: Linked,
    document_key: int,
    resource_key: int,
    keys: Callable[[DefinitionKey], int | None],
) -> list[Edge]:
    """Group the uses of a file into edges, without uses of a function's locals.

    `keys` maps a definition to the key of its symbol.
    """
    links = {link.reference: link for link in linked.links}
    lines = [reference.position.line for reference in facts.references]
    sources = enclosing(facts, visible_numbers(facts), lines)
    key_of = cache(keys)
    extended = _extended_types(facts, links)
    # The key is all that the uses of one edge share.
    places: dict[tuple[int | DefinitionKey, str, Use, int | None, int, str, float], list[int]] = {}
    for number, (reference, within) in enumerate(zip(facts.references, sources, strict=True)):
        if number in linked.inner:
            continue
        source: int | DefinitionKey = within
        if extended and reference.use is Use.EXTENDS:
            source = extended.get(reference.scope, within)
        link = links.get(number)
        name, use, line = reference.name[:MAX_NAME_LENGTH], reference.use, lines[number] + 1
        targets = _distinct(map(key_of, link.targets)) if link else []
        for rank, target in enumerate(targets):
            assert link is not None, "targets come from a link"
            kind = (source, name, use, target, rank, link.resolution.value, link.confidence)
            places.setdefault(kind, []).append(line)
        if not targets:
            places.setdefault((source, name, use, None, 0, "", 0.0), []).append(line)
    path = facts.path
    return [
        Edge(document_key, resource_key,
             key_of(_definition_key(path, source)) if source != _OUTSIDE else None,
             name, use.value, target, rank, resolution, confidence, tuple(found))
        for (source, name, use, target, rank, resolution, confidence), found in places.items()
    ]  # fmt: skip


def _definition_key(path: str, source: int | DefinitionKey) -> DefinitionKey:
    return DefinitionKey(path, source) if isinstance(source, int) else source


def _extended_types(facts: FileFacts, links: Mapping[int, Link]) -> dict[int, DefinitionKey]:
    """The type that each extension adds to, by the extension's scope: in `impl Trait for Type`, it
    is `Type` that extends `Trait`, not what is around."""
    scopes = {
        each.position: each.opens
        for each in facts.definitions
        if each.kind is Kind.EXTENSION and each.opens >= 0
    }
    if not scopes:
        return {}
    return {
        scopes[reference.position]: links[number].targets[0]
        for number, reference in enumerate(facts.references)
        if reference.position in scopes and number in links and links[number].targets
    }


def _distinct(keys: Iterable[int | None]) -> list[int]:
    return list(dict.fromkeys(key for key in keys if key is not None))


def tally_of(
    symbols: Iterable[Symbol], edges: Iterable[Edge], resource: Callable[[int], int]
) -> Tally:
    """Count symbols and references of a file; `resource` maps a symbol key to its resource."""
    references: Counter[str] = Counter()
    across: Counter[int] = Counter()
    resolved = 0
    for edge in edges:
        if edge.rank:
            continue
        references[edge.use] += len(edge.lines)
        if edge.target_key is not None:
            resolved += len(edge.lines)
            target = resource(edge.target_key)
            if target != edge.resource_key:
                across[target] += len(edge.lines)
    kinds = Counter(symbol.kind for symbol in symbols if symbol.number != MODULE_ITSELF)
    return Tally(dict(kinds), dict(references), resolved, dict(across))
