"""What is passed on by stars, through several modules and round in a circle."""

from __future__ import annotations

import pytest

from commonplace.codegraph.resolution.layout import layout_of
from commonplace.codegraph.resolution.resolve import link_file, project_of
from tests.unit.codegraph.project import Project

FILES = {
    "use.ts": """
        import { near, far, round, given, missing } from './index';
        near(); far(); round(); given(); missing();
        """,
    "index.ts": "export * from './a';\nexport * from './empty';\nexport * from './whole';\n",
    "a.ts": "export function near() {}\nexport * from './b';\n",
    "b.ts": "export { renamed as far } from './c';\nexport * from './a';\nexport * from './d';\n",
    "c.ts": "export function renamed() {}\n",
    "d.ts": "export const round = () => 1;\nconst missing = 1;\n",
    "empty.ts": "export {};\n",
    "whole.js": "module.exports = { given() {} };\n",
}


@pytest.mark.parametrize(
    ("used", "target"),
    [
        ("|near();", "a.ts:1 near"),
        ("|far();", "c.ts:1 renamed"),
        ("|round();", "d.ts:1 round"),
        ("|given();", "whole.js:1 given"),
        ("|missing();", ""),
    ],
)
def test_a_name_is_found_through_stars(used: str, target: str) -> None:
    assert Project(FILES).leads_to("use.ts", used) == target


def test_a_name_that_nobody_has_depends_on_all_who_might() -> None:
    files = {**FILES, "use.ts": "import { nowhere } from './a';\nnowhere();\n"}
    linked = link_file(project_of(Project(files).facts, layout_of({})), "use.ts")
    assert not linked.links
    assert linked.reads >= {"a.ts", "b.ts", "d.ts"}
