"""Circles among files that import each other: one shortest way round for each knot; pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Imports = Mapping[int, Sequence[int]]


def cycles(imports: Imports) -> list[list[int]]:
    """The shortest circle of each set of files that all reach each other; the largest set first.

    A circle names its first file again at its end.
    """
    knots = sorted(_knots(imports), key=lambda knot: (-len(knot), min(knot)))
    return [_shortest(knot, imports) for knot in knots]


def _knots(imports: Imports) -> list[set[int]]:
    """Strongly connected sets of more than one (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_, on_stack, knots = list[int](), set[int](), list[set[int]]()
    for start in imports:
        if start in order:
            continue
        work = [(start, iter(imports.get(start, ())))]
        order[start] = low[start] = len(order)
        open_.append(start)
        on_stack.add(start)
        while work:
            node, rest = work[-1]
            onward = next((each for each in rest if each not in order or each in on_stack), None)
            if onward is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    knots.append(_popped(open_, on_stack, node))
            elif onward in order:
                low[node] = min(low[node], order[onward])
            else:
                order[onward] = low[onward] = len(order)
                open_.append(onward)
                on_stack.add(onward)
                work.append((onward, iter(imports.get(onward, ()))))
    return [knot for knot in knots if len(knot) > 1]


def _popped(open_: list[int], on_stack: set[int], until: int) -> set[int]:
    knot = set[int]()
    while until not in knot:
        knot.add(open_.pop())
    on_stack -= knot
    return knot


def _shortest(knot: set[int], imports: Imports) -> list[int]:
    """Breadth first from each file of the knot; the first of the shortest."""
    found = (_circle(start, knot, imports) for start in sorted(knot))
    return min(found, key=len)


def _circle(start: int, knot: set[int], imports: Imports) -> list[int]:
    before: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for each in imports.get(node, ()):
            if each == start:
                return _walked(before, start, node)
            if each in knot and each not in before:
                before[each] = node
                waiting.append(each)
    raise AssertionError("every file of a knot comes back to itself")


def _walked(before: Mapping[int, int], start: int, last: int) -> list[int]:
    way = [last]
    while way[-1] != start:
        way.append(before[way[-1]])
    return [*reversed(way), start]


def by_importer(pairs: Iterable[tuple[int, int, int]]) -> dict[int, list[int]]:
    found: dict[int, dict[int, None]] = {}
    for importer, imported, _ in pairs:
        found.setdefault(importer, {})[imported] = None
        found.setdefault(imported, {})
    return {importer: list(imported) for importer, imported in found.items()}
