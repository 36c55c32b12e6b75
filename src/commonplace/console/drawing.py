"""The layout of a symbol's neighbourhood: users on the left, used symbols on the right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.operations.insight.neighbourhood import SymbolNeighbourhood, SymbolNode

WIDTH = 960
_ROW = 46
_BOX_WIDTH = 250
_BOX_HEIGHT = 36
_LONGEST = 30


@dataclass(frozen=True, slots=True)
class Box:
    node: SymbolNode
    x: int
    y: int
    label: str

    @property
    def middle(self) -> int:
        return self.y + _BOX_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class Drawing:
    width: int
    height: int
    box_width: int
    box_height: int
    centre: Box
    users: tuple[Box, ...]
    used: tuple[Box, ...]
    lines: tuple[str, ...]


def layout(around: SymbolNeighbourhood) -> Drawing:
    height = max(len(around.users), len(around.used), 1) * _ROW + 20
    centre = _box(around.centre, (WIDTH - _BOX_WIDTH) // 2, (height - _BOX_HEIGHT) // 2)
    users = _column(around.users, 0, height)
    used = _column(around.used, WIDTH - _BOX_WIDTH, height)
    lines = [_line(box.x + _BOX_WIDTH, box.middle, centre.x, centre.middle) for box in users]
    lines += [_line(centre.x + _BOX_WIDTH, centre.middle, box.x, box.middle) for box in used]
    return Drawing(WIDTH, height, _BOX_WIDTH, _BOX_HEIGHT, centre, users, used, tuple(lines))


def _column(nodes: Sequence[SymbolNode], x: int, height: int) -> tuple[Box, ...]:
    top = (height - len(nodes) * _ROW) // 2 + (_ROW - _BOX_HEIGHT) // 2
    return tuple(_box(node, x, top + number * _ROW) for number, node in enumerate(nodes))


def _box(node: SymbolNode, x: int, y: int) -> Box:
    path = node.symbol.path
    return Box(node, x, y, path if len(path) <= _LONGEST else f"…{path[1 - _LONGEST :]}")


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    middle = (x1 + x2) // 2
    return f"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"
