"""Go's interfaces: a type implements one by having its methods, without saying so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from posixpath import dirname

from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.service.symbol_query import SymbolQuery, bases_by_class
from commonplace.model.graph import Symbol

# Methods are compared by name alone, and those of packages that are not here are not known.
CONFIDENCE = 0.8
_MOST_NAMED = 20_000
_MOST_INTERFACES = 50
_MAX_EMBEDDED = 5
_INTERFACE, _METHOD = Kind.INTERFACE.value, Kind.METHOD.value
_GO = ".go"

# A type by its package's folder and its name: its methods may be in any file of the package.
_Owner = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Implementation:
    """A type that has the methods of an interface, with these methods."""

    type: Symbol
    interface: Symbol
    methods: Sequence[Symbol]


def implementations_of(query: SymbolQuery, interfaces: Iterable[Symbol]) -> list[Implementation]:
    """The types of this code that have all methods of one of the interfaces."""
    wanted = _in_go(query, (each for each in interfaces if each.kind == _INTERFACE))
    required = {each: _required(query, each) for each in wanted[:_MOST_INTERFACES]}
    names = set().union(*required.values()) if required else set()
    if not names:
        return []
    having = _methods_by_owner(query, names)
    types = _types(query, having)
    return [
        Implementation(types[owner], interface, [each for each in methods if each.name in needed])
        for interface, needed in required.items()
        if needed
        for owner, methods in having.items()
        if owner in types and needed <= {each.name for each in methods}
    ]


def declared_by_interfaces(
    query: SymbolQuery, members: Sequence[Symbol]
) -> list[tuple[Symbol, int]]:
    """The methods of interfaces through which a call may run one of these methods, each with the
    key of that method."""
    methods = _in_go(query, (each for each in members if each.kind == _METHOD))
    if not methods:
        return []
    keys = {each.key for each in methods}
    named = _in_go(query, _named(query, {each.name for each in methods}))
    holders = {_owner(query, each) for each in named if each.key not in keys}
    interfaces = _of_owners(query, holders, {_INTERFACE})
    declared = {(_owner(query, each), each.name): each for each in named}
    return [
        (above, method.key)
        for one in implementations_of(query, interfaces.values())
        for method in one.methods
        if method.key in keys
        and (above := declared.get((_place(query, one.interface), method.name))) is not None
    ]


def _required(query: SymbolQuery, interface: Symbol) -> set[str]:
    """The names of the methods of an interface and of those that it embeds."""
    every, frontier = {interface.key: interface}, [interface]
    for _ in range(_MAX_EMBEDDED):
        bases = [base for found in bases_by_class(query.tx, frontier).values() for base in found]
        frontier = [each for each in bases if each.key not in every]
        every |= {each.key: each for each in frontier}
    outer = {(each.document_key, each.path) for each in every.values()}
    documents = sorted({document for document, _ in outer})
    return {
        each.name
        for each in query.tx.graph.symbols_of(documents)
        if each.kind == _METHOD and (each.document_key, each.path.rpartition(".")[0]) in outer
    }


def _methods_by_owner(query: SymbolQuery, names: set[str]) -> Mapping[_Owner, list[Symbol]]:
    found: dict[_Owner, list[Symbol]] = defaultdict(list)
    for each in _in_go(query, _named(query, names)):
        if each.kind == _METHOD:
            found[_owner(query, each)].append(each)
    return found


def _types(query: SymbolQuery, owners: Iterable[_Owner]) -> dict[_Owner, Symbol]:
    return _of_owners(query, owners, {Kind.CLASS.value, Kind.ALIAS.value})


def _of_owners(
    query: SymbolQuery, owners: Iterable[_Owner], kinds: set[str]
) -> dict[_Owner, Symbol]:
    wanted = set(owners)
    named = _in_go(query, _named(query, {name for _, name in wanted}))
    return {
        place: each
        for each in named
        if each.kind in kinds and (place := _place(query, each)) in wanted
    }


def _named(query: SymbolQuery, names: Iterable[str]) -> list[Symbol]:
    wanted = set(names)
    found = query.tx.graph.named(sorted(wanted), query.resources, _MOST_NAMED)
    return [each for each in found if each.name in wanted]


def _in_go(query: SymbolQuery, symbols: Iterable[Symbol]) -> list[Symbol]:
    every = list(symbols)
    query.read_paths(each.document_key for each in every)
    return [each for each in every if query.path_of(each.document_key).endswith(_GO)]


def _owner(query: SymbolQuery, method: Symbol) -> _Owner:
    return dirname(query.path_of(method.document_key)), method.path.rpartition(".")[0]


def _place(query: SymbolQuery, symbol: Symbol) -> _Owner:
    return dirname(query.path_of(symbol.document_key)), symbol.path
