"""Superclasses and subclasses, and members that override each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.codegraph.answering.trace import TracedPlace, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service import structural
from commonplace.codegraph.service.symbol_query import (
    EXTENDS,
    MOST_FILES,
    TYPES,
    SymbolQuery,
    bases_by_class,
    documents_of,
)
from commonplace.model.graph import Symbol

_MAX_CLASSES = 2_000
_MAX_DEPTH = 10
_BY_METHODS = "has its methods"
_MEMBERS = frozenset({Kind.METHOD.value, Kind.CONSTRUCTOR.value, Kind.FIELD.value})


@dataclass(frozen=True, slots=True)
class Related:
    """Classes or members by distance; `outside` are bases that are not in this code."""

    places: Sequence[TracedPlace] = ()
    outside: Sequence[TracedPlace] = ()
    complete: bool = True


def subclasses(query: SymbolQuery, steps: int) -> Related:
    """Direct and indirect subclasses."""
    return _related(_descendants(query, list(query.matches), steps))


def _descendants(
    query: SymbolQuery, classes: Sequence[Symbol], steps: int
) -> list[tuple[Symbol, TracedPlace]]:
    seen = {each.key: 1.0 for each in classes}
    found = _having_its_methods(query, classes)
    frontier = set(seen) | {each.key for each, _ in found}
    seen |= {each.key: place.confidence for each, place in found}
    for level in range(1, steps + 1):
        edges = [e for e in query.edges_to(frontier) if e.use == EXTENDS and e.rank == 0]
        sources = _classes(query, query.symbols(edge.source_key for edge in edges))
        frontier = set()
        for edge in edges:
            source = sources.get(edge.source_key or -1)
            if source is None or source.key in seen:
                continue
            seen[source.key] = min(seen.get(edge.target_key or -1, 1.0), edge.confidence)
            frontier.add(source.key)
            place = query.defined(source, use=EXTENDS, confidence=seen[source.key], depth=level)
            at = query.used(edge, {})[0]  # an `impl` may be in another file than its type
            found.append((source, replace(place, document=at.document, path=at.path, line=at.line)))
        if not frontier or len(found) > _MAX_CLASSES:
            break
    return found


def _having_its_methods(
    query: SymbolQuery, classes: Sequence[Symbol]
) -> list[tuple[Symbol, TracedPlace]]:
    """The types that implement one of these interfaces without saying so."""
    found = {one.type.key: one.type for one in structural.implementations_of(query, classes)}
    more = {"use": _BY_METHODS, "confidence": structural.CONFIDENCE}
    return [(each, query.defined(each, **more)) for each in found.values()]


def _classes(query: SymbolQuery, sources: Mapping[int, Symbol]) -> dict[int, Symbol]:
    """The sources as classes: for a class on a single line, the source may be its member."""
    members = [each for each in sources.values() if each.kind in _MEMBERS]
    owners = _owners_of(query, members)
    by_member = {one.key: each for each in owners for one in members if _is_member(one, each)}
    return {key: by_member.get(key, each) for key, each in sources.items()}


def _related(found: Sequence[tuple[Symbol, TracedPlace]]) -> Related:
    return Related(ordered([place for _, place in found]), complete=len(found) <= _MAX_CLASSES)


def superclasses(query: SymbolQuery, steps: int) -> Related:
    """Direct and indirect superclasses; bases outside this code are known by name only."""
    frontier, seen = list(query.matches), {each.key for each in query.matches}
    found, outside = list[TracedPlace](), list[TracedPlace]()
    for level in range(1, steps + 1):
        keys = {each.key: each for each in frontier}
        edges = [e for e in query.edges_of(frontier) if e.use == EXTENDS and e.source_key in keys]
        outside += [
            replace(query.used(e, keys)[0], symbol=e.name, kind="", depth=level)
            for e in edges
            if e.target_key is None
        ]
        targets = query.symbols(e.target_key for e in edges if e.rank == 0)
        frontier = [each for key, each in targets.items() if key not in seen]
        seen |= targets.keys()
        confidences = {e.target_key: e.confidence for e in edges}
        found += [
            query.defined(each, use=EXTENDS, depth=level, confidence=confidences.get(each.key, 1.0))
            for each in frontier
        ]
        if not frontier:
            break
    return Related(ordered(found), ordered(outside))


def overriding(query: SymbolQuery, steps: int) -> Related:
    """Members of the same name in subclasses of the symbols' classes."""
    owners = _owners(query)
    if not owners:
        return Related()
    classes = _descendants(query, owners, steps)
    wanted = {(each.document_key, f"{each.path}.{query.name}"): place for each, place in classes}
    documents = documents_of(each for each, _ in classes)
    found = [
        query.defined(each, depth=at.depth, confidence=at.confidence)
        for each in query.tx.graph.symbols_of(documents)
        if (at := wanted.get((each.document_key, each.path)))
    ]
    found += [
        query.defined(each, confidence=structural.CONFIDENCE)
        for one in structural.implementations_of(query, owners)
        for each in one.methods
        if each.name == query.name
    ]
    return Related(ordered(found), complete=len(documents) < MOST_FILES)


def implementations(query: SymbolQuery, steps: int) -> Related:
    """The subclasses of a type and the objects that are made for it, or the overriding methods of
    a method."""
    classes, members = subclasses(query, steps), overriding(query, steps)
    places = ordered([*classes.places, *_objects_of(query), *members.places])
    return Related(places, complete=classes.complete and members.complete)


def _objects_of(query: SymbolQuery) -> list[TracedPlace]:
    """Objects and functions that are declared as one of these types: `const a: Type = { ... }`."""
    types = [each.key for each in query.matches if each.kind in TYPES]
    edges = [e for e in query.edges_to(types) if e.use == "type" and e.rank == 0]
    sources = query.symbols(edge.source_key for edge in edges)
    made = re.compile(rf":\s*(?:[\w.]+\.)?{re.escape(query.name)}\b[^=|&[]*=\s*(?:async\s*)?[{{(]")
    return [
        query.defined(source, use="made for it", confidence=edge.confidence)
        for edge in edges
        if (source := sources.get(edge.source_key or -1)) and made.search(source.signature)
    ]


def overrides(query: SymbolQuery, steps: int) -> Related:
    """The members that a member overrides, and those that override it."""
    lower = overriding(query, steps)
    upper = [query.defined(each, use="overridden") for each in overridden_by(query)]
    places = [*upper, *(replace(one, use="override") for one in lower.places)]
    return Related(places, complete=lower.complete)


def overridden_by(query: SymbolQuery) -> list[Symbol]:
    """Members of the same name in superclasses, the nearest first."""
    return list(overridden(query, query.matches))


def overridden(query: SymbolQuery, members: Sequence[Symbol]) -> dict[Symbol, int]:
    """Overridden members of superclasses, the nearest first, each with the key of an override."""
    names = {
        each.key: {(one.name, one.key) for one in members if _is_member(one, each)}
        for each in _owners_of(query, members)
    }
    frontier = list(query.symbols(names).values())
    found = dict(structural.declared_by_interfaces(query, members))
    for _ in range(_MAX_DEPTH):
        bases_by_key = bases_by_class(query.tx, frontier)
        fresh = {base.key: base for bases in bases_by_key.values() for base in bases}
        frontier = [base for key, base in fresh.items() if key not in names]
        for key, bases in bases_by_key.items():
            for base in bases:
                names.setdefault(base.key, set()).update(names.get(key, ()))
        if not frontier:
            break
        wanted = {
            (base.document_key, f"{base.path}.{name}"): key
            for base in frontier
            for name, key in names[base.key]
        }
        found |= {
            each: wanted[each.document_key, each.path]
            for each in query.tx.graph.symbols_of(documents_of(frontier))
            if (each.document_key, each.path) in wanted
        }
    return found


def _is_member(member: Symbol, owner: Symbol) -> bool:
    return (member.document_key, member.path.rpartition(".")[0]) == (
        owner.document_key,
        owner.path,
    )


def _owners(query: SymbolQuery) -> list[Symbol]:
    return _owners_of(query, query.matches)


def _owners_of(query: SymbolQuery, members: Sequence[Symbol]) -> list[Symbol]:
    """The classes of the members."""
    owners = {
        (each.document_key, each.path.rpartition(".")[0]) for each in members if "." in each.path
    }
    documents = sorted({document for document, _ in owners})[:MOST_FILES]
    symbols = query.tx.graph.symbols_of(documents) if owners else []
    return [each for each in symbols if (each.document_key, each.path) in owners]


def constructors_by_class(query: SymbolQuery, members: Sequence[Symbol]) -> dict[int, int]:
    """The key of the constructor by the key of its class: creating an object runs it."""
    constructors = [each for each in members if each.kind == Kind.CONSTRUCTOR.value]
    owners = _owners_of(query, constructors)
    return {
        owner.key: one.key for owner in owners for one in constructors if _is_member(one, owner)
    }
