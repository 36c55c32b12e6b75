"""`code_map`: what an answer says of itself, so that nobody takes it for more than it is."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.workspace.bench import Bench
from tests.surfaces.workspace.shop import CODE, POLICY, RETRY, Shop, opened


@pytest.fixture(scope="module")
def shop(workshop: Premises, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return opened(Bench(workshop, tmp_path_factory.mktemp("answers"), "answers-shop"))


@pytest.mark.requirement(
    "workspace.code_map.test-block-no-definition", "workspace.code_map.definition-shows-tests"
)
def test_a_test_block_defines_nothing(bench: Bench) -> None:
    bench.write("src/helper.ts", "export function helper(): number { return 1; }\n")
    blocks = ("describe('helper', () => {", "  it('helper', () => { helper(); });", "});")
    bench.write("src/helper.test.ts", "\n".join(("import { helper } from './helper';", *blocks)))
    bench.write(
        "src/alone.test.ts", "describe('alone', () => {\n  it.only('works', () => {});\n});\n"
    )
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    answer = bench.ask("code_map", query="definition of helper")
    (definition,) = answer["groups"]["definition"]
    assert (definition["symbolKind"], definition["lineStart"]) == ("function", 1)
    assert answer["groupCounts"]["definitions"]["total"] == 1
    blocks_shown = {(hit["lineStart"], hit["symbolKind"]) for hit in answer["groups"]["test"]}
    assert blocks_shown == {(2, "test"), (3, "test")}
    alone = bench.ask("code_map", query="definition of alone")
    assert (alone["target"], "definition" in alone["groups"]) == (None, False)


@pytest.mark.requirement("workspace.code_map.unknown-symbol-told")
def test_a_symbol_that_does_not_exist_is_told(shop: Shop) -> None:
    answer = shop.map("callers of parseConfgi")
    assert answer["target"] is None
    assert answer["note"] == (
        "There is no symbol parseConfgi in the code of this scope; nothing says it."
    )
    assert answer["didYouMean"] == ["parseConfig"]
    assert answer["groups"] == {}
    assert {count["total"] for count in answer["groupCounts"].values()} == {0}
    nothing = shop.map("callers of qqqqqq")
    assert (nothing["groups"], "didYouMean" in nothing) == ({}, False)
    said = shop.map("definition of toBe")
    assert "only places that say the name" in said["note"]
    assert {hit["path"] for hit in said["groups"]["test"]} == {f"{RETRY}/{POLICY}.test.ts"}
    assert "note" not in shop.map("definition of Cache.now")


@pytest.mark.requirement("workspace.code_map.unlinked-told")
def test_uses_that_could_not_be_linked_are_counted(bench: Bench) -> None:
    bench.write("src/a.ts", "export class A { go(): void {} }\nnew A().go();\n")
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    linked = bench.ask("code_map", query="callers of A.go")
    assert "unlinkedUses" not in linked
    assert "note" not in linked
    bench.write(
        "src/b.ts", "export function f(x: any, y: any) {\n  x.go();\n  y.go(); x.go();\n}\n"
    )
    bench.ingest()
    answer = bench.ask("code_map", query="callers of A.go")
    assert answer["groupCounts"]["references"]["total"] == 1
    assert answer["unlinkedUses"] == 3
    assert "3 more uses of the name go" in answer["note"]


@pytest.mark.requirement(
    "workspace.code_map.constructor-named", "workspace.code_map.excerpt-of-use"
)
def test_a_use_in_a_member_is_told_with_its_class_and_its_line(bench: Bench) -> None:
    filler = "".join(f"        self.part{number} = {number}\n" for number in range(40))
    bench.write("src/paths.py", "def compile_path(path):\n    return path\n")
    routes = "".join(
        f"class {name}:\n    def __init__(self, path):\n{filler}"
        f"        self.regex = compile_path(path)\n\n"
        for name in ("Route", "Host")
    )
    bench.write("src/routes.py", f"from paths import compile_path\n\n\n{routes}")
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    hits = bench.ask("code_map", query="callers of compile_path")["groups"]["reference"]
    assert {hit["title"] for hit in hits} == {"Route.__init__", "Host.__init__"}
    assert {hit["symbolPath"] for hit in hits} == {"Route.__init__", "Host.__init__"}
    assert {hit["symbolName"] for hit in hits} == {"__init__"}
    assert all("compile_path(path)" in hit["excerpt"] for hit in hits)
    (imported,) = bench.ask("code_map", query="imports of compile_path")["groups"]["import"]
    assert imported["excerpt"].strip() == "from paths import compile_path"


@pytest.mark.requirement("workspace.code_map.other-letters")
def test_another_spelling_does_not_hide_what_is_asked_for(bench: Bench) -> None:
    bench.write("kit/token.ts", "export function widget(): number { return 1; }\n")
    bench.write("app/View.elm", "type alias Widget =\n  { size : Int }\n")
    for folder in ("kit", "app"):
        bench.add(None, bench.folder / folder, CODE)
    bench.ingest()
    answer = bench.ask("code_map", query="definition of WIDGET")
    assert (answer["target"], answer["groupCounts"]["definitions"]["total"]) == ("widget", 1)
    elm = bench.ask(
        "code_map", query="definition of Widget", pathPrefixes=[str(bench.folder / "app")]
    )
    assert elm["target"] is None
    paths = [hit["path"] for group in elm["groups"].values() for hit in group]
    assert [path.rsplit("/", 1)[-1] for path in paths] == ["View.elm"]
    none = bench.ask("code_map", query="definition of widget", languages=["java"])
    assert (none["target"], none["groups"]) == ("widget", {})
    assert none["note"] == "The filters leave out every place of widget."


@pytest.mark.requirement("workspace.code.read-in-part")
def test_what_the_grammar_cannot_read_is_told(bench: Bench) -> None:
    bench.write("src/whole.ts", "export const whole = 1;\n")
    bench.write("src/half.ts", "export const one = 1;\nexport function half( {\n" + "\n" * 8)
    bench.add(None, bench.folder / "src", CODE)
    reason = "read in part: syntax errors in 1 of 10 lines (10 %), from line 2 on"
    assert bench.ingest()["warnings"] == [f"half.ts: {reason}"]
    problem = {"path": "half.ts", "reason": reason}
    (resource,) = bench.ask("get", scope="all")["resources"]
    assert (resource["problemCount"], resource["problems"]) == (1, [problem])
    status = bench.ask("status")
    assert (status["problemCount"], status["problems"]) == (1, [problem])
    assert "problems" not in bench.ask("status", profile="summary")
    bench.write("src/half.ts", "export const one = 1;\n")
    assert "warnings" not in bench.ingest()
    assert bench.ask("status")["problemCount"] == 0
    assert "problems" not in bench.ask("get", scope="all")["resources"][0]


LAMPS = """export class Lamp { light(): void {} }
export class Stove { light(): void {} }
export class Oil extends Lamp { light(): void { super.light(); } }
export function evening(lamp: Lamp, stove: Stove, other: any): void {
  lamp.light();
  stove.light();
  other.light();
}
"""


@pytest.fixture
def lamps(bench: Bench) -> Bench:
    bench.write("src/lamps.ts", LAMPS)
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    return bench


@pytest.mark.requirement("workspace.code_map.unlinked-listed")
def test_unlinked_uses_and_namesakes_stand_behind_the_linked_ones(lamps: Bench) -> None:
    answer = lamps.ask("code_map", query="callers of Lamp.light")
    linked = {(hit["lineStart"], hit["use"]) for hit in answer["groups"]["reference"]}
    assert linked == {(3, "call"), (5, "call")}
    (unsure,) = answer["groups"]["unknown"]
    assert (unsure["lineStart"], unsure["symbolName"], unsure["use"]) == (7, "evening", "call")
    assert "other.light()" in unsure["excerpt"]
    assert "confidence" not in unsure
    uses = {one["symbolPath"]: one["uses"] for one in answer["namesakes"]}
    assert uses == {"Stove.light": 1, "Oil.light": 0}
    definition = lamps.ask("code_map", query="definition of Lamp.light")
    assert "unknown" not in definition["groups"]


@pytest.mark.requirement("workspace.code_map.inherited")
def test_an_inherited_member_is_found_at_its_definition(bench: Bench) -> None:
    bench.write("src/a.py", "class Fire:\n    def light(self): ...\n\nclass Stove(Fire): ...\n")
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    (definition,) = bench.ask("code_map", query="definition of Stove.light")["groups"]["definition"]
    assert (definition["symbolPath"], definition["lineStart"]) == ("Fire.light", 2)


@pytest.mark.requirement("workspace.code_map.further-questions")
def test_further_questions_are_answered_in_the_group_that_fits(lamps: Bench) -> None:
    sub = lamps.ask("code_map", query="subclasses of Lamp")
    assert (sub["intent"], sub["target"], sub["note"]) == (
        "reference", "Lamp", "Read as subclasses of Lamp.")  # fmt: skip
    assert [hit["symbolName"] for hit in sub["groups"]["reference"]] == ["Oil"]
    assert sub["groupCounts"]["references"]["total"] == 1
    callees = lamps.ask("code_map", query="what does evening call")
    assert callees["intent"] == "unknown"
    assert {hit["symbolPath"] for hit in callees["groups"]["related"]} == {
        "Lamp.light", "Stove.light"}  # fmt: skip
    impact = lamps.ask("code_map", query="impact of changing Lamp.light")
    assert impact["note"].startswith("Read as impact of Lamp.light: 2 direct, 0 further;")
    assert {hit["use"] for hit in impact["groups"]["reference"]} == {"call", "override"}
    outline = lamps.ask("code_map", query="outline of lamps.ts")
    assert len(outline["groups"]["definition"]) == 7
    unknown = lamps.ask("code_map", query="impact of lihgt")
    assert (unknown["target"], unknown["didYouMean"]) == (None, ["Lamp.light"])


@pytest.mark.requirement("workspace.code_map.not-understood")
def test_what_is_not_understood_is_said_with_the_forms(lamps: Bench) -> None:
    answer = lamps.ask("code_map", query="where do the lamps of the evening come from")
    assert answer["target"] is None
    assert answer["note"].startswith("This was not understood as a question about a symbol")
    assert "callers of X" in answer["note"]
    assert "path from X to Y" in answer["note"]


@pytest.mark.requirement("workspace.code_map.read-in-part")
def test_an_answer_about_a_file_that_is_read_in_part_says_so(bench: Bench) -> None:
    bench.write("src/half.ts", "export const one = 1;\nexport function half( {\n")
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    (problem,) = bench.ask("code_map", query="references to one")["readInPart"]
    assert problem["path"] == "half.ts"
    assert "1 of 2 lines" in problem["reason"]
