"""Classes above and below, and the members that they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.codegraph.answering.trace import TracedPlace, ordered
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.meaning import (
    EXTENDS,
    MOST_FILES,
    AskedSymbols,
    bases_by_class,
    documents_of,
)
from commonplace.model.graph import Symbol

_MOST_CLASSES = 2_000
_DEEPEST = 10
_MEMBERS = frozenset({Kind.METHOD.value, Kind.CONSTRUCTOR.value, Kind.FIELD.value})


@dataclass(frozen=True, slots=True)
class Related:
    """Classes or members by distance; `outside` are names of bases that are not in this code."""

    places: Sequence[TracedPlace] = ()
    outside: Sequence[TracedPlace] = ()
    complete: bool = True


def below(asked: AskedSymbols, steps: int) -> Related:
    """Classes that extend these, and those that extend them."""
    return _related(_descendants(asked, list(asked.meant), steps))


def _descendants(
    asked: AskedSymbols, classes: Sequence[Symbol], steps: int
) -> list[tuple[Symbol, TracedPlace]]:
    seen = {each.key: 1.0 for each in classes}
    frontier, found = set(seen), list[tuple[Symbol, TracedPlace]]()
    for level in range(1, steps + 1):
        edges = [e for e in asked.edges_to(frontier) if e.use == EXTENDS and e.rank == 0]
        sources = _classes(asked, asked.symbols(edge.source_key for edge in edges))
        frontier = set()
        for edge in edges:
            source = sources.get(edge.source_key or -1)
            if source is None or source.key in seen:
                continue
            seen[source.key] = min(seen.get(edge.target_key or -1, 1.0), edge.confidence)
            frontier.add(source.key)
            place = asked.defined(source, use=EXTENDS, confidence=seen[source.key], depth=level)
            found.append((source, replace(place, line=edge.lines[0])))
        if not frontier or len(found) > _MOST_CLASSES:
            break
    return found


def _classes(asked: AskedSymbols, sources: Mapping[int, Symbol]) -> dict[int, Symbol]:
    """The classes that extend: where one stands on a single line, a member seems to."""
    members = [each for each in sources.values() if each.kind in _MEMBERS]
    owners = _owners_of(asked, members)
    lifted = {one.key: each for each in owners for one in members if _is_member(one, each)}
    return {key: lifted.get(key, each) for key, each in sources.items()}


def _related(found: Sequence[tuple[Symbol, TracedPlace]]) -> Related:
    return Related(ordered([place for _, place in found]), complete=len(found) <= _MOST_CLASSES)


def above(asked: AskedSymbols, steps: int) -> Related:
    """What these classes extend, and what that extends; bases from outside by name."""
    frontier, seen = list(asked.meant), {each.key for each in asked.meant}
    found, outside = list[TracedPlace](), list[TracedPlace]()
    for level in range(1, steps + 1):
        keys = {each.key: each for each in frontier}
        edges = [e for e in asked.edges_of(frontier) if e.use == EXTENDS and e.source_key in keys]
        outside += [
            replace(asked.used(e, keys)[0], symbol=e.name, kind="", depth=level)
            for e in edges
            if e.target_key is None
        ]
        targets = asked.symbols(e.target_key for e in edges if e.rank == 0)
        frontier = [each for key, each in targets.items() if key not in seen]
        seen |= targets.keys()
        sure = {e.target_key: e.confidence for e in edges}
        found += [
            asked.defined(each, use=EXTENDS, depth=level, confidence=sure.get(each.key, 1.0))
            for each in frontier
        ]
        if not frontier:
            break
    return Related(ordered(found), ordered(outside))


def overriding(asked: AskedSymbols, steps: int) -> Related:
    """Members of the same name in classes below those that the symbols are members of."""
    owners = _owners(asked)
    if not owners:
        return Related()
    classes = _descendants(asked, owners, steps)
    wanted = {(each.document_key, f"{each.path}.{asked.name}"): place for each, place in classes}
    documents = documents_of(each for each, _ in classes)
    found = [
        asked.defined(each, depth=at.depth, confidence=at.confidence)
        for each in asked.tx.graph.symbols_of(documents)
        if (at := wanted.get((each.document_key, each.path)))
    ]
    return Related(ordered(found), complete=len(documents) < MOST_FILES)


def implementations(asked: AskedSymbols, steps: int) -> Related:
    """Subclasses of a type; of a method, those of the same name in subclasses of its class."""
    classes, members = below(asked, steps), overriding(asked, steps)
    places = ordered([*classes.places, *members.places])
    return Related(places, complete=classes.complete and members.complete)


def overrides(asked: AskedSymbols, steps: int) -> Related:
    """What a member overrides, and what overrides it."""
    lower = overriding(asked, steps)
    upper = [asked.defined(each, use="overridden") for each in overridden_by(asked)]
    places = [*upper, *(replace(one, use="override") for one in lower.places)]
    return Related(places, complete=lower.complete)


def overridden_by(asked: AskedSymbols) -> list[Symbol]:
    """Members of the same name in the classes above, the nearest first."""
    return list(overridden(asked, asked.meant))


def overridden(asked: AskedSymbols, members: Sequence[Symbol]) -> dict[Symbol, int]:
    """Members of classes above by the key of one that overrides them, the nearest first."""
    names = {
        each.key: {(one.name, one.key) for one in members if _is_member(one, each)}
        for each in _owners_of(asked, members)
    }
    frontier = list(asked.symbols(names).values())
    found: dict[Symbol, int] = {}
    for _ in range(_DEEPEST):
        above_them = bases_by_class(asked.tx, frontier)
        fresh = {base.key: base for bases in above_them.values() for base in bases}
        frontier = [base for key, base in fresh.items() if key not in names]
        for key, bases in above_them.items():
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
            for each in asked.tx.graph.symbols_of(documents_of(frontier))
            if (each.document_key, each.path) in wanted
        }
    return found


def _is_member(member: Symbol, owner: Symbol) -> bool:
    return (member.document_key, member.path.rpartition(".")[0]) == (
        owner.document_key,
        owner.path,
    )


def _owners(asked: AskedSymbols) -> list[Symbol]:
    return _owners_of(asked, asked.meant)


def _owners_of(asked: AskedSymbols, members: Sequence[Symbol]) -> list[Symbol]:
    """The classes that they are members of."""
    around = {
        (each.document_key, each.path.rpartition(".")[0]) for each in members if "." in each.path
    }
    documents = sorted({document for document, _ in around})[:MOST_FILES]
    symbols = asked.tx.graph.symbols_of(documents) if around else []
    return [each for each in symbols if (each.document_key, each.path) in around]


def made_by(asked: AskedSymbols, members: Sequence[Symbol]) -> dict[int, int]:
    """Classes by key with the constructor that making one of them runs."""
    constructors = [each for each in members if each.kind == Kind.CONSTRUCTOR.value]
    owners = _owners_of(asked, constructors)
    return {
        owner.key: one.key for owner in owners for one in constructors if _is_member(one, owner)
    }
