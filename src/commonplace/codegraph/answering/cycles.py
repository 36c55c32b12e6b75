"""Import cycles: short ones through every file that is on one. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Imports = Mapping[int, Sequence[int]]
# Imports that are followed; one search follows those of a whole set of files at most.
_MOST_FOLLOWED = 2_000_000


@dataclass(frozen=True, slots=True)
class Cycles:
    """Cycles, each with its first file repeated at its end, the shortest first.

    `files` is the number of files on any cycle, and `sets` that of the sets of files that reach
    each other. `complete` is False if a file of them is on no cycle that is listed.
    """

    cycles: Sequence[Sequence[int]]
    files: int
    sets: int
    complete: bool


def cycles(imports: Imports, most: int) -> Cycles:
    """A shortest cycle through each file that no cycle before went through."""
    components = sorted(_components(imports), key=lambda each: (-len(each), min(each)))
    found: list[list[int]] = []
    covered: set[int] = set()
    followed, complete = 0, True
    for component in components:
        size = sum(len(imports.get(each, ())) for each in component)
        for start in sorted(component):
            if start in covered:
                continue
            if len(found) == most or (found and followed + size > _MOST_FOLLOWED):
                complete = False
                break
            followed += size
            found.append(_shortest_from(start, component, imports))
            covered.update(found[-1])
    files = sum(map(len, components))
    return Cycles(sorted(found, key=len), files, len(components), complete)


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
