"""Circles among files: found once, the shortest of each knot, however the files are numbered."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from commonplace.codegraph.answering.cycles import by_importer, cycles


def test_each_knot_has_its_shortest_circle() -> None:
    ring = {1: [2], 2: [3], 3: [1, 4], 4: [3], 5: [1], 6: []}
    assert cycles(ring) == [[3, 4, 3]]
    assert cycles({1: [2], 2: [1], 3: [4], 4: [5], 5: [3]}) == [[3, 4, 5, 3], [1, 2, 1]]
    assert cycles({1: [2], 2: []}) == []


def test_importers_are_put_together() -> None:
    assert by_importer([(1, 2, 5), (1, 2, 6), (2, 3, 1)]) == {1: [2], 2: [3], 3: []}


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_a_circle_is_told_wherever_there_is_one(pairs: list[tuple[int, int]]) -> None:
    imports = by_importer((a, b, 1) for a, b in pairs if a != b)
    found = cycles(imports)
    for circle in found:
        assert circle[0] == circle[-1]
        assert all(after in imports[before] for before, after in pairwise(circle))
    on_circles = {node for node in imports if _comes_back(node, imports)}
    assert bool(found) == bool(on_circles)


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
