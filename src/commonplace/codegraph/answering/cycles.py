"""Import cycles: one shortest cycle for each strongly connected set of files. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Imports = Mapping[int, Sequence[int]]


def cycles(imports: Imports) -> list[list[int]]:
    """A shortest cycle of each strongly connected set of files, the largest set first.

    A cycle repeats its first file at its end.
    """
    components = sorted(
        _components(imports), key=lambda component: (-len(component), min(component))
    )
    return [_shortest(component, imports) for component in components]


def _components(imports: Imports) -> list[set[int]]:
    """The strongly connected components with more than one file (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_, on_stack, components = list[int](), set[int](), list[set[int]]()
    for start in imports:
        if start in order:
            continue
        work = [(start, iter(imports.get(start, ())))]
        order[start] = low[start] = len(order)
        open_.append(start)
        on_stack.add(start)
        while work:
            file, rest = work[-1]
            following = next((each for each in rest if each not in order or each in on_stack), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[file])
                if low[file] == order[file]:
                    components.append(_popped(open_, on_stack, file))
            elif following in order:
                low[file] = min(low[file], order[following])
            else:
                order[following] = low[following] = len(order)
                open_.append(following)
                on_stack.add(following)
                work.append((following, iter(imports.get(following, ()))))
    return [component for component in components if len(component) > 1]


def _popped(open_: list[int], on_stack: set[int], until: int) -> set[int]:
    component = set[int]()
    while until not in component:
        component.add(open_.pop())
    on_stack -= component
    return component


def _shortest(component: set[int], imports: Imports) -> list[int]:
    """Search breadth first from each file; of equally short cycles the first counts."""
    found = (_shortest_from(start, component, imports) for start in sorted(component))
    return min(found, key=len)


def _shortest_from(start: int, component: set[int], imports: Imports) -> list[int]:
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        file = queue.popleft()
        for each in imports.get(file, ()):
            if each == start:
                return _path_back(before, start, file)
            if each in component and each not in before:
                before[each] = file
                queue.append(each)
    raise AssertionError("every file of a component is on a cycle")


def _path_back(before: Mapping[int, int], start: int, last: int) -> list[int]:
    path = [last]
    while path[-1] != start:
        path.append(before[path[-1]])
    return [*reversed(path), start]


def by_importer(pairs: Iterable[tuple[int, int, int]]) -> dict[int, list[int]]:
    """Imported files by importing file, each once; files that import nothing are included."""
    found: dict[int, dict[int, None]] = {}
    for importer, imported, _ in pairs:
        found.setdefault(importer, {})[imported] = None
        found.setdefault(imported, {})
    return {importer: list(imported) for importer, imported in found.items()}
