"""A symbol with what uses it and what it uses, and what a change of it reaches; as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.graph import Symbol


@dataclass(frozen=True, slots=True)
class SymbolNode:
    """A symbol where it stands; `path` is of its file, within the folder that it was read from."""

    symbol: Symbol
    path: str


@dataclass(frozen=True, slots=True)
class SymbolNeighbourhood:
    """`users` and `used` are the surest first; further ones are only counted."""

    centre: SymbolNode
    users: tuple[SymbolNode, ...]
    used: tuple[SymbolNode, ...]
    more_users: int = 0
    more_used: int = 0


@dataclass(frozen=True, slots=True)
class ImpactNode:
    """What would notice a change, and what would notice a change of that."""

    node: SymbolNode
    reached: tuple[ImpactNode, ...] = ()
