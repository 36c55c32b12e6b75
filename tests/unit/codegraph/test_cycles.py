"""Circles among files: every file that is on one is told, however the files are numbered."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from commonplace.codegraph.answering.cycles import Cycles, by_importer, cycles

MANY = 100


def test_each_file_on_a_circle_is_on_one_that_is_told() -> None:
    ring = {1: [2], 2: [3], 3: [1, 4], 4: [3], 5: [1], 6: []}
    assert cycles(ring, MANY) == Cycles([[4, 3, 4], [1, 2, 3, 1]], 4, 1, complete=True)
    knots = cycles({1: [2], 2: [1], 3: [4], 4: [5], 5: [3]}, MANY)
    assert knots == Cycles([[1, 2, 1], [3, 4, 5, 3]], 5, 2, complete=True)
    assert cycles({1: [2], 2: []}, MANY) == Cycles([], 0, 0, complete=True)


def test_what_is_not_searched_is_not_said_to_be_complete() -> None:
    pairs = {n: [n ^ 1] for n in range(6)}
    assert cycles(pairs, 2) == Cycles([[0, 1, 0], [2, 3, 2]], 6, 3, complete=False)


def test_importers_are_put_together() -> None:
    assert by_importer([(1, 2, 5), (1, 2, 6), (2, 3, 1)]) == {1: [2], 2: [3], 3: []}


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_a_circle_is_told_wherever_there_is_one(pairs: list[tuple[int, int]]) -> None:
    imports = by_importer((a, b, 1) for a, b in pairs if a != b)
    found = cycles(imports, MANY)
    for circle in found.cycles:
        assert circle[0] == circle[-1]
        assert all(after in imports[before] for before, after in pairwise(circle))
    on_circles = {node for node in imports if _comes_back(node, imports)}
    assert {node for circle in found.cycles for node in circle} == on_circles
    assert found.files == len(on_circles)


def _comes_back(start: int, imports: dict[int, list[int]]) -> bool:
    seen, waiting = set[int](), list(imports[start])
    while waiting:
        node = waiting.pop()
        if node == start:
            return True
        if node not in seen:
            seen.add(node)
            waiting += imports[node]
    return False
