"""The neighbourhood of a symbol, and the impact of changing it, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.graph import Symbol


@dataclass(frozen=True, slots=True)
class SymbolNode:
    """A symbol with its file, as a path in the folder that was read."""

    symbol: Symbol
    path: str


@dataclass(frozen=True, slots=True)
class SymbolNeighbourhood:
    """The users of a symbol and the symbols it uses, most certain first; the rest is only
    counted."""

    centre: SymbolNode
    users: tuple[SymbolNode, ...]
    used: tuple[SymbolNode, ...]
    more_users: int = 0
    more_used: int = 0


@dataclass(frozen=True, slots=True)
class ImpactNode:
    """A symbol affected by a change, and those affected through it."""

    node: SymbolNode
    reached: tuple[ImpactNode, ...] = ()
