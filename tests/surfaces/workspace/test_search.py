"""`search`: its arguments, its modes, its filters, and its pages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from commonplace.embedding import bundled
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.workspace.bench import Bench, Shown
from tests.surfaces.workspace.conftest import OpenBench
from tests.surfaces.workspace.library import POLICY, POLICY_TEST, RUNBOOK, Library

CODE = "code_intelligence"


@pytest.mark.requirement(
    "workspace.search.query-required",
    "workspace.search.query-blank",
    "workspace.search.topk-bounds",
    "workspace.search.topk-type",
    "workspace.search.offset-default",
    "workspace.search.mode-values",
    "workspace.search.trust-tiers",
    "workspace.search.filter-types",
    "workspace.search.switch-types",
    "workspace.search.profile-values",
)
def test_wrong_arguments_are_refused_by_name(library: Library) -> None:
    library.bench.refused("query", "search", **library.scope)
    wrong: dict[str, list[Any]] = {
        "query": [7, None, "", "  "],
        "topK": [0, 51, "ten", 2.5, True],
        "offset": [-1, "x"],
        "retrievalMode": ["fuzzy", 1],
        "trustTiers": [["supreme"], "canonical", 3],
        "knowledgeTypes": [3, ["novels"]],
        "resourceKinds": [3],
        "languages": [3],
        "symbolKinds": [3],
        "pathPrefixes": [3, [3]],
        "exactToken": ["yes"],
        "enabledOnly": ["yes"],
        "includeContent": ["yes"],
        "includeScoreBreakdown": ["yes"],
        "responseProfile": ["verbose"],
        "topk": [3],
    }
    for name, values in wrong.items():
        for value in values:
            library.refused(name, "search", **{name: value})


@pytest.mark.requirement(
    "workspace.search.scope-values",
    "workspace.search.scope-default",
    "workspace.search.echoes-scope",
    "workspace.search.project-ids-conditional",
)
def test_hits_are_of_the_scope_that_is_asked(library: Library) -> None:
    bench, id_ = library.bench, library.project
    scopes: list[Shown] = [
        {"scope": "project", "projectId": id_},
        {"scope": "projects", "projectIds": [id_]},
        {"scope": "global"},
        {"scope": "all"},
    ]
    for scope in scopes:
        assert bench.ask("search", query="refund", **scope)["scope"] == scope["scope"]
    default = bench.ask("search", query="refund")
    assert default["scope"] == "all"
    assert (
        default["totalHitCount"]
        == bench.ask("search", query="refund", scope="all")["totalHitCount"]
    )
    for name in ("project", "projects"):
        assert bench.code("search", query="x", scope=name) == "KNOWLEDGE_PROJECT_REQUIRED"


@pytest.mark.requirement(
    "workspace.search.topk-bounds",
    "workspace.search.topk-default",
    "workspace.search.topk-limits-hits",
    "workspace.search.offset",
    "workspace.search.offset-default",
    "workspace.search.offset-beyond-end",
    "workspace.search.total-hit-count",
    "workspace.search.truncated",
)
def test_pages_go_on_where_the_one_before_ended(library: Library) -> None:
    four = library.search("zirconium wombat", topK=4)
    page = library.search("zirconium wombat", topK=2, offset=2)
    total = four["totalHitCount"]
    assert total > 4
    assert [hit["chunkId"] for hit in page["hits"]] == [h["chunkId"] for h in four["hits"][2:]]
    assert (page["offsetUsed"], page["topKUsed"], page["totalHitCount"]) == (2, 2, total)
    assert len(four["hits"]) == 4
    assert four["truncated"]
    whole = library.search("zirconium wombat", topK=50)
    assert (whole["topKUsed"], whole["offsetUsed"], whole["truncated"]) == (50, 0, False)
    assert len(whole["hits"]) == total
    assert library.search("refund")["topKUsed"] == 10
    assert len(library.hits("refund", topK=1)) == 1
    beyond = library.search("zirconium wombat", offset=total)
    assert (beyond["hits"], beyond["totalHitCount"], beyond["truncated"]) == ([], total, False)


@pytest.mark.requirement(
    "workspace.search.mode-lexical",
    "workspace.search.mode-semantic",
    "workspace.search.mode-hybrid",
    "workspace.search.mode-auto",
    "workspace.search.mode-fields",
    "workspace.search.model-key",
    "workspace.search.semantic-available",
    "workspace.search.semantic-only-hit-scores",
)
def test_an_answer_says_which_mode_was_used(library: Library) -> None:
    used = {"lexical": "lexical", "semantic": "semantic", "hybrid": "hybrid", "auto": "hybrid"}
    model = library.bench.ask("status")["activeEmbeddingModel"]
    for mode, expected in used.items():
        answer = library.search("zirconium", retrievalMode=mode)
        assert (answer["retrievalModeRequested"], answer["retrievalModeUsed"]) == (mode, expected)
        assert answer["embeddingModelKeyUsed"] == (None if mode == "lexical" else model)
        assert (answer["semanticSearchAvailable"], answer["semanticUnavailableReasons"]) == (
            True,
            [],
        )
    assert library.search("zirconium")["retrievalModeRequested"] == "auto"
    assert RUNBOOK in library.paths("zirconium", retrievalMode="lexical")
    (best, *_) = library.hits("qqq money back", retrievalMode="semantic", responseProfile="debug")
    assert best["path"] == RUNBOOK
    assert best["scoreBreakdown"]["lexical"] == 0
    assert best["score"] > 0
    hybrid = library.hits("zirconium", retrievalMode="hybrid", responseProfile="debug")
    both = [hit["scoreBreakdown"] for hit in hybrid if hit.get("path") == RUNBOOK]
    assert both[0]["lexical"] > 0 < both[0]["semantic"]


@pytest.mark.requirement(
    "workspace.search.semantic-unavailable",
    "workspace.search.semantic-reason-values",
    "workspace.search.semantic-fallback",
    "workspace.search.mode-auto",
)
def test_without_a_model_words_are_enough(open_bench: OpenBench) -> None:
    bench = open_bench(embedding_url="http://127.0.0.1:9/v1")
    bench.append(None, "The codeword is zirconium.")
    for mode in ("semantic", "hybrid", "auto", "lexical"):
        answer = bench.ask("search", query="zirconium", retrievalMode=mode)
        assert answer["retrievalModeUsed"] == "lexical"
        assert answer["semanticSearchAvailable"] is False
        assert answer["semanticUnavailableReasons"] == ["semantic_backend_unavailable"]
        assert answer["embeddingModelKeyUsed"] is None
        assert len(answer["hits"]) == 1


@pytest.mark.requirement("workspace.search.semantic-reason-values")
def test_a_model_that_is_not_there_is_told_from_one_that_is_away(
    open_premises: OpenPremises, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Path(bundled.__file__).parent / "granite"
    (tmp_path / "granite").mkdir()
    shutil.copy(whole / "manifest.json", tmp_path / "granite")
    monkeypatch.setattr(bundled, "files", lambda _package: tmp_path)
    bench = Bench(open_premises(roots="/"), tmp_path, "acme")
    bench.append(None, "The codeword is zirconium.")
    answer = bench.ask("search", query="zirconium")
    assert answer["semanticUnavailableReasons"] == ["no_embedding_model"]
    assert (answer["semanticSearchAvailable"], len(answer["hits"])) == (False, 1)


@pytest.mark.requirement("workspace.search.not-indexed", "workspace.code_map.not-indexed")
def test_what_was_never_read_is_told(bench: Bench) -> None:
    folder = bench.write("src/a.py", "def osmium():\n    return 1\n")
    code = bench.add(None, folder, CODE, label="Source")
    docs = bench.add(None, bench.write("docs/a.md", "# Osmium"), label="Docs")

    def told(action: str, **more: object) -> dict[str, str]:
        answer = bench.ask(action, query="definition of osmium", **more)
        return {one["attachmentId"]: one["nextStep"] for one in answer.get("notIndexed", [])}

    assert told("search").keys() == {code["attachmentId"], docs["attachmentId"]}
    assert told("search", knowledgeTypes=["docs"]).keys() == {docs["attachmentId"]}
    assert told("code_map").keys() == {code["attachmentId"]}
    assert "ingest" in told("code_map")[code["attachmentId"]]
    one = bench.ask("search", query="osmium", knowledgeTypes=["docs"])["notIndexed"][0]
    assert (one["label"], one["indexStatus"]) == ("Docs", "stale")
    bench.ask("ingest", attachmentIds=[code["attachmentId"]])
    assert told("search").keys() == {docs["attachmentId"]}
    assert told("code_map") == {}
    bench.ingest()
    assert told("search") == {}


@pytest.mark.requirement(
    "workspace.search.knowledge-types",
    "workspace.search.knowledge-types-entries",
    "workspace.search.resource-kinds",
    "workspace.search.trust-tiers",
    "workspace.search.languages",
    "workspace.search.symbol-kinds",
    "workspace.search.attachment-ids",
    "workspace.search.filters-and",
    "workspace.search.unknown-filter-value-empty",
    "workspace.tool.all-kinds-retrievable",
)
def test_filters(library: Library) -> None:
    def kinds(**more: object) -> set[tuple[str, str]]:
        hits = library.hits("zirconium wombat", topK=50, **more)
        return {(hit["knowledgeType"], hit["resourceKind"]) for hit in hits}

    docs, code = ("docs", "folder"), (CODE, "folder")
    note, record = ("agent_knowledge", "note"), ("valdr_record", "record")
    assert kinds() == {docs, code, note, record}
    assert kinds(knowledgeTypes=["docs"]) == {docs}
    assert kinds(knowledgeTypes=["docs", CODE]) == {docs, code}
    assert kinds(knowledgeTypes=["agent_knowledge"]) == {note}
    assert kinds(knowledgeTypes=["valdr_record"]) == {record}
    assert kinds(resourceKinds=["folder"]) == {docs, code}
    assert kinds(resourceKinds=["file"]) == set()
    assert kinds(trustTiers=["canonical"]) == {docs}
    assert kinds(trustTiers=["memory"]) == {note}
    assert kinds(attachmentIds=[library.code["attachmentId"]]) == {code}
    assert kinds(attachmentIds=["att_nobody"]) == set()
    assert kinds(trustTiers=["canonical"], knowledgeTypes=[CODE]) == set()
    assert kinds(languages=["ts"], resourceKinds=["folder"]) == {code}
    languages = {h["language"] for h in library.hits("zirconium wombat", languages=["ts"])}
    assert languages == {"ts"}
    assert library.paths("wombat", languages=["python"]) == {"services/checkout/src/ledger.py"}
    assert {h["symbolKind"] for h in library.hits("zirconium wombat", symbolKinds=["class"])} == {
        "class"
    }
    for nothing in ({"languages": ["cobol"]}, {"symbolKinds": ["spell"]}, {"pathPrefixes": ["no"]}):
        answer = library.search("zirconium", **nothing)
        assert (answer["hits"], answer["totalHitCount"]) == ([], 0)


@pytest.mark.requirement(
    "workspace.search.path-prefix-file-url",
    "workspace.search.path-prefix-absolute",
    "workspace.search.path-prefix-relative",
    "workspace.search.path-prefix-any-of",
    "workspace.search.path-prefix-scheme",
    "workspace.search.hit-path",
)
def test_path_prefixes(library: Library) -> None:
    root = library.bench.folder / "shop"
    everywhere = library.paths("refund retry zirconium wombat")
    below = {path for path in everywhere if path.startswith("docs/runbooks/")}
    assert below == {RUNBOOK} < everywhere
    folder = root / "docs/runbooks"
    for prefix in ("docs/runbooks", "docs/runbooks/", str(folder), folder.as_uri(), RUNBOOK):
        assert library.paths("refund retry zirconium wombat", pathPrefixes=[prefix]) == below
    two = ["docs/runbooks", "services/checkout/src/retry"]
    assert library.paths("refund retry zirconium", pathPrefixes=two) == {
        RUNBOOK,
        POLICY,
        POLICY_TEST,
    }
    for scheme in ("https://example.org/docs", "ftp://x"):
        error = library.bench.refusal("search", query="x", pathPrefixes=[scheme])
        assert error["code"] == "KNOWLEDGE_INVALID_LOCATOR"


@pytest.mark.requirement("workspace.search.path-prefix-any-root")
def test_a_relative_prefix_is_read_against_every_root(bench: Bench) -> None:
    for key in ("one", "two"):
        bench.add(bench.project(key), bench.write(f"{key}/docs/a/page.md", "# Refund\n"))
        bench.write(f"{key}/docs/b/page.md", "# Refund\n")
    bench.add(bench.project("two"), bench.folder / "two/docs/b")
    bench.ask("ingest", scope="all")
    found = bench.hits("refund", pathPrefixes=["docs/a"])
    assert {hit["path"] for hit in found} == {"docs/a/page.md"}
    assert len(found) == 2


@pytest.mark.requirement("workspace.search.exact-token", "workspace.search.exact-token-every-term")
def test_exact_tokens(bench: Bench) -> None:
    folder = bench.write("docs/whole.md", "# Whole\n\nWe retry the payment.\n")
    bench.write("docs/part.md", "# Part\n\nWe are retrying the payment.\n")
    bench.write("docs/other.md", "# Other\n\nWe retry the upload.\n")
    bench.add(None, folder)
    bench.ask("ingest", scope="global")

    def names(query: str, **more: object) -> set[str]:
        return {hit["path"].rsplit("/", 1)[-1] for hit in bench.hits(query, **more)}

    for mode in ("lexical", "hybrid"):
        assert names("retry", retrievalMode=mode, exactToken=True) == {"whole.md", "other.md"}
        assert names("retry payment", retrievalMode=mode, exactToken=True) == {"whole.md"}
        assert names("retry", retrievalMode=mode, exactToken=False) == {
            "whole.md",
            "part.md",
            "other.md",
        }


@pytest.mark.requirement(
    "workspace.search.enabled-only-default", "workspace.search.enabled-only-false"
)
def test_disabled_sources(bench: Bench) -> None:
    added = bench.add(None, bench.write("docs/page.md", "# Page\n\nzirconium\n"))
    bench.ask("ingest", scope="global")
    assert len(bench.hits("zirconium")) == 1
    bench.change(None, {"op": "disable", "attachmentId": added["attachmentId"]})
    assert bench.hits("zirconium") == bench.hits("zirconium", enabledOnly=True) == []
    (hit,) = bench.hits("zirconium", enabledOnly=False)
    assert hit["effectiveAttachmentId"] == added["attachmentId"]


@pytest.mark.requirement(
    "workspace.search.include-content",
    "workspace.search.content-max-per-hit",
    "workspace.search.content-budget",
    "workspace.search.content-unlimited",
)
def test_content(bench: Bench) -> None:
    text = " ".join(f"word{number}" for number in range(120))
    folder = bench.write("docs/a.md", f"# A\n\nzirconium {text}\n")
    bench.write("docs/b.md", f"# B\n\nzirconium {text}\n")
    bench.add(None, folder)
    bench.ask("ingest", scope="global")
    for more in ({}, {"contentMaxTokensPerHit": 10}, {"contentBudgetTokens": 10}):
        assert all("content" not in hit for hit in bench.hits("zirconium", **more))
    whole = bench.hits("zirconium", includeContent=True)
    assert all(text in hit["content"] for hit in whole)
    assert all("contentTruncated" not in hit for hit in whole)
    short = bench.hits("zirconium", includeContent=True, contentMaxTokensPerHit=40)
    assert all(0 < len(hit["content"].split()) <= 40 for hit in short)
    first, second = bench.hits("zirconium", includeContent=True, contentBudgetTokens=60)
    assert len(first["content"]) > len(second["content"])
    assert len((first["content"] + second["content"]).split()) <= 60


@pytest.mark.requirement("workspace.search.no-match")
def test_nothing_is_no_error(library: Library) -> None:
    answer = library.search("qqqqqq", retrievalMode="lexical")
    assert (answer["hits"], answer["totalHitCount"], answer["truncated"]) == ([], 0, False)
    assert answer["attachments"] == {}
    empty = library.bench.project("empty")
    assert library.bench.hits("refund", scope="project", projectId=empty) == []


@pytest.mark.requirement("workspace.search.any-query-text")
@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
def test_no_query_breaks_the_search(library: Library, mode: str) -> None:
    odd = [
        "a-b",
        '"',
        "a/b/c.ts:12",
        "(((",
        "*",
        "x:y",
        "NOT",
        "AND OR NOT",
        "'; --",
        "%s",
        "的",
        "🦓",
    ]
    for query in odd:
        library.search(query, retrievalMode=mode)
        library.search(query, retrievalMode=mode, exactToken=True)


@pytest.mark.requirement("workspace.search.identifier-parts")
def test_parts_of_identifiers_are_words(library: Library) -> None:
    found = library.paths("parse config", retrievalMode="lexical")
    assert {"services/checkout/src/config.ts", "services/checkout/src/main.ts"} <= found


@pytest.mark.requirement("workspace.tool.tenants-apart", "workspace.scope.unknown-project")
def test_a_stranger_finds_nothing(library: Library) -> None:
    stranger = library.bench.other_org()
    assert stranger.hits("zirconium", scope="all") == []
    refused = stranger.refusal("search", query="zirconium", **library.scope)
    assert refused["code"] == "KNOWLEDGE_PROJECT_NOT_FOUND"
    assert library.project in refused["message"]
