"""`code_map` and `search`: filters and weights that change an answer, each with its opposite."""

from __future__ import annotations

import pytest

from tests.surfaces.workspace.bench import Bench, Shown
from tests.surfaces.workspace.shop import CODE

LEDGER_TS = "export class Ledger {\n  total(): number { return 1; }\n}\n"
LEDGER_JAVA = "public class Ledger {\n  int total() { return 1; }\n}\n"


def paths(answer: Shown) -> list[str]:
    places = [place for group in answer["groups"].values() for place in group]
    return [place["path"].rsplit("/", 1)[-1] for place in places]


@pytest.fixture
def ledgers(bench: Bench) -> Bench:
    """The same class in two languages, and a page about it."""
    bench.write("src/ledger.ts", LEDGER_TS)
    bench.write("src/Ledger.java", LEDGER_JAVA)
    bench.write("docs/ledger.md", "# Ledger\n\nLedger keeps the books.\n")
    bench.add(None, bench.folder / "src", CODE)
    bench.add(None, bench.folder / "docs")
    bench.ingest()
    return bench


@pytest.mark.requirement("workspace.code_map.languages")
def test_a_language_keeps_its_hits_and_drops_others_of_the_same_name(ledgers: Bench) -> None:
    def found(**more: object) -> list[str]:
        answer = ledgers.ask("code_map", query="definition of Ledger", **more)
        assert answer["target"] == "Ledger"
        return sorted(paths(answer))

    assert found() == ["Ledger.java", "ledger.ts"]
    assert found(languages=["ts"]) == ["ledger.ts"]
    assert found(languages=["java"]) == ["Ledger.java"]


@pytest.mark.requirement(
    "workspace.code_map.knowledge-types", "workspace.code_map.knowledge-types-default"
)
def test_types_decide_whether_docs_are_counted(ledgers: Bench) -> None:
    def counts(**more: object) -> tuple[int, int]:
        answer = ledgers.ask("code_map", query="definition of Ledger", **more)
        return tuple(answer["groupCounts"][name]["total"] for name in ("definitions", "docs"))

    assert counts() == (2, 1)
    assert counts(knowledgeTypes=["code_intelligence"]) == (2, 0)
    assert counts(knowledgeTypes=["docs"]) == (0, 1)
    prose = ledgers.ask("code_map", query="who keeps the books", knowledgeTypes=["docs"])
    assert paths(prose) == ["ledger.md"]
    assert paths(ledgers.ask("code_map", query="who keeps the books")) == []


@pytest.mark.requirement("workspace.code_map.tests-for", "workspace.code_map.test-group")
def test_tests_are_found_by_what_they_are_called(bench: Bench) -> None:
    bench.write("src/ledger.py", "class Ledger:\n    pass\n")
    bench.write("src/test_ledger.py", "def test_books_balance():\n    assert make() == 1\n")
    bench.add(None, bench.folder / "src", CODE)
    bench.ingest()
    (hit,) = bench.ask("code_map", query="tests for Ledger")["groups"]["test"]
    assert (hit["title"], hit["symbolKind"]) == ("test_books_balance", "test")


@pytest.mark.requirement("workspace.search.score-breakdown-parts")
def test_weights_by_place_are_those_that_are_documented(bench: Bench) -> None:
    text = "export function zirconium(): number { return 1; }\n"
    for place in ("src", "tests", "third_party"):
        bench.write(f"code/{place}/zirconium.ts", text)
    bench.add(None, bench.folder / "code", CODE)
    bench.ingest()
    hits = bench.hits("zirconium", responseProfile="debug")
    parts = {hit["path"].split("/")[-2]: hit["scoreBreakdown"] for hit in hits}
    assert parts["src"]["contextMultiplier"] == 0.85
    assert parts["third_party"]["contextMultiplier"] == 0.4
    assert parts["src"]["testPenaltyMultiplier"] == 1
    assert parts["tests"]["testPenaltyMultiplier"] == 0.6


@pytest.mark.requirement("workspace.search.token-estimate-near")
def test_a_budget_of_tokens_is_not_spent_on_indentation(bench: Bench) -> None:
    body = "".join(f"{' ' * 24}call(zirconium)\n" for _ in range(6))
    bench.add(None, bench.write("src/deep.py", f"def deep():\n{body}"), CODE)
    bench.ingest()
    (hit,) = bench.hits("zirconium", includeContent=True, contentBudgetTokens=50)
    # Six lines of about six tokens: the name, the brackets, the argument, the indentation.
    assert 25 <= hit["tokenEstimate"] <= 50
    assert "contentTruncated" not in hit


@pytest.mark.requirement("workspace.search.score-breakdown-parts")
def test_further_chunks_of_one_file_step_back(bench: Bench) -> None:
    sections = "".join(f"## Part {n}\n\nzirconium is kept in part {n}.\n\n" for n in range(4))
    bench.add(None, bench.write("docs/long.md", f"# Long\n\n{sections}"))
    bench.ingest()
    hits = bench.hits("where is zirconium kept", responseProfile="debug", topK=10)
    balance = [hit["scoreBreakdown"]["sourceBalanceMultiplier"] for hit in hits]
    assert len(balance) > 1
    assert balance == sorted(balance, reverse=True)
    assert min(balance) < max(balance)


@pytest.mark.requirement("workspace.code_map.language-names")
def test_a_language_goes_by_the_names_that_people_use(ledgers: Bench) -> None:
    ledgers.write("src/view.tsx", "export function Ledgers() {\n  return <b>Ledger</b>;\n}\n")
    ledgers.ingest()

    def found(name: str, *languages: str) -> set[str]:
        answer = ledgers.ask("code_map", query=f"definition of {name}", languages=[*languages])
        return set(paths(answer))

    assert found("Ledgers", "TypeScript") == {"view.tsx"}
    assert found("Ledger", "typescript") == {"ledger.ts"}
    assert found("Ledger", "javascript") == set()
