"""A link is judged by its first target against what a compiler says of the same place."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.codegraph.score import GroundTruth, score, total
from benchmarks.codegraph.speed import Judge, Told
from tests.unit.codegraph.project import Project

SOURCE = "export const a = 1;\nexport const b = a;\nexport const c = b;\nexport const d = c;\n"


def _line(line: int, column: int, counts: bool, definitions: list[tuple[str, int, int]]) -> str:
    return json.dumps(["m.ts", line, column, counts, definitions])


def test_right_wrong_missed_and_what_is_not_judged() -> None:
    project = Project({"m.ts": SOURCE})
    truth = GroundTruth(
        [
            _line(1, 17, True, [("m.ts", 0, 13)]),  # a, as we say
            _line(2, 17, True, [("m.ts", 0, 13)]),  # the compiler means another than we do
            _line(0, 17, True, [("m.ts", 0, 13)]),  # we have no reference there
        ]
    )
    whole = total(score(project.facts, project.links, truth))
    assert whole.right == 1
    assert [place.line for place, _ in whole.wrong] == [2]
    assert sorted(place.line for place in whole.missed) == [0, 2]
    assert (whole.precision, whole.recall) == (0.5, 1 / 3)


def test_edges_of_a_line_are_judged_by_what_they_lead_to(tmp_path: Path) -> None:
    (tmp_path / "m.ts").write_text(SOURCE, encoding="utf-8")
    truth = GroundTruth(
        [
            _line(1, 17, True, [("m.ts", 0, 13)]),  # b = a
            _line(2, 17, True, [("m.ts", 1, 13)]),  # c = b
        ]
    )
    edges = [
        Told("m.ts", 2, "m.ts", 1, 1, "a"),
        Told("m.ts", 3, "m.ts", 3, 3, "b"),  # of that name, and not where the compiler has it
        Told("m.ts", 4, "m.ts", 3, 3, "c"),  # the compiler says nothing of that line
    ]
    assert Judge(truth, tmp_path).judged(edges) == (1, 1)
