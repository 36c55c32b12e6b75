"""`search`: its arguments, its modes, its filters, its pages, and what it says of itself."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.workspace.bench import Bench, Shown
from tests.surfaces.workspace.conftest import OpenBench
from tests.surfaces.workspace.library import POLICY, POLICY_TEST, RUNBOOK, Library

CODE = "code_intelligence"
TOP_LEVEL = {
    "scope",
    "retrievalModeRequested",
    "retrievalModeUsed",
    "embeddingModelKeyUsed",
    "semanticSearchAvailable",
    "semanticUnavailableReasons",
    "offsetUsed",
    "topKUsed",
    "totalHitCount",
    "truncated",
    "responseProfile",
    "hits",
    "attachments",
}


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
def test_scopes(library: Library) -> None:
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
def test_pages(library: Library) -> None:
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
def test_modes(library: Library) -> None:
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
    short = bench.hits("zirconium", includeContent=True, contentMaxTokensPerHit=40)
    assert all(0 < len(hit["content"].split()) <= 40 for hit in short)
    first, second = bench.hits("zirconium", includeContent=True, contentBudgetTokens=60)
    assert len(first["content"]) > len(second["content"])
    assert len((first["content"] + second["content"]).split()) <= 60


@pytest.mark.requirement(
    "workspace.search.profile-values",
    "workspace.search.profile-default",
    "workspace.search.compact-without-diagnostics",
    "workspace.search.debug-diagnostics",
    "workspace.search.full-diagnostics",
    "workspace.search.include-score-breakdown",
    "workspace.search.expanded-attachments",
    "workspace.search.score-in-compact",
    "workspace.search.attachments-map",
    "workspace.search.attachments-map-project-key",
)
def test_profiles(library: Library) -> None:
    diagnostics = {"rankingReasons", "scoreBreakdown"}
    summary = {"id", "resourceId", "scopeType", "scopeId", "projectKey", "label", "enabled"}
    default = library.search("refund")
    assert default["responseProfile"] == "compact"
    assert all(not diagnostics & hit.keys() for hit in default["hits"])
    assert all("score" in hit for hit in default["hits"])
    assert {frozenset(one) for one in default["attachments"].values()} == {frozenset(summary)}
    for profile in ("compact", "debug", "full"):
        answer = library.search("refund", responseProfile=profile)
        assert answer["responseProfile"] == profile
        if profile != "compact":
            assert all(diagnostics <= hit.keys() for hit in answer["hits"])
            shown = answer["attachments"][library.docs["attachmentId"]]
            assert (shown["trustTier"], shown["rankingWeight"]) == ("canonical", 1)
            assert shown["projectKey"] == "shop"
    asked = library.hits("refund", includeScoreBreakdown=True)
    assert all("scoreBreakdown" in h and "rankingReasons" not in h for h in asked)


@pytest.mark.requirement(
    "workspace.search.example",
    "workspace.search.hit-fields",
    "workspace.search.hit-source-label",
    "workspace.search.hit-title",
    "workspace.search.hit-excerpt",
    "workspace.search.hit-section",
    "workspace.search.hit-token-estimate",
    "workspace.search.attachments-map-covers-hits",
    "workspace.search.effective-attachment",
)
def test_the_example(library: Library) -> None:
    answer = library.search(
        "refund retry escalation", retrievalMode="hybrid", topK=10, pathPrefixes=["docs/runbooks"]
    )
    assert answer.keys() == TOP_LEVEL
    first = answer["hits"][0]
    expected = {
        "resourceId": library.docs["resourceId"],
        "title": "Refund Retry Runbook",
        "knowledgeType": "docs",
        "resourceKind": "folder",
        "sourceLabel": "Checkout Runbooks",
        "path": RUNBOOK,
        "effectiveAttachmentId": library.docs["attachmentId"],
        "attachmentIds": [library.docs["attachmentId"]],
        "sectionTitle": "Escalation",
        "sectionPath": "Refund Retry Runbook > Escalation",
    }
    assert first.items() >= expected.items()
    assert "Escalate refund retries" in first["excerpt"]
    assert first["chunkId"]
    assert first["tokenEstimate"] > 0
    for hit in answer["hits"]:
        assert hit["effectiveAttachmentId"] in hit["attachmentIds"]
        assert set(hit["attachmentIds"]) <= answer["attachments"].keys()


@pytest.mark.requirement(
    "workspace.search.hit-lines",
    "workspace.search.hit-code-fields",
    "workspace.search.symbol-kinds",
    "workspace.sources.other-languages-searchable",
)
def test_hits_of_files_say_where_they_stand(library: Library) -> None:
    root = library.bench.folder / "shop"
    for hit in library.hits("zirconium wombat", resourceKinds=["folder"], topK=50):
        lines = (root / hit["path"]).read_text("utf-8").splitlines()
        assert 1 <= hit["lineStart"] <= hit["lineEnd"] <= len(lines)
        passage = "\n".join(lines[hit["lineStart"] - 1 : hit["lineEnd"]])
        assert hit["excerpt"].strip("…") in passage
    (hit, *_) = library.hits("PaymentRetryPolicy", symbolKinds=["class"], languages=["ts"])
    named = (hit["language"], hit["symbolKind"], hit["symbolName"], hit["title"])
    assert named == ("ts", "class", "PaymentRetryPolicy", "PaymentRetryPolicy")
    assert hit["symbolKey"] == f"{POLICY}#PaymentRetryPolicy"
    (java, *_) = library.hits("Basket", languages=["java"])
    assert (java["symbolKind"], java["symbolName"]) == ("class", "Basket")
    assert library.paths("Ledger", languages=["python"]) == {"services/checkout/src/ledger.py"}


@pytest.mark.requirement(
    "workspace.search.score-order",
    "workspace.search.score-range",
    "workspace.search.score-breakdown-parts",
    "workspace.search.score-breakdown-adds-up",
    "workspace.search.match-boost",
    "workspace.search.test-penalty",
    "workspace.trust.weights",
)
def test_scores_explain_themselves(library: Library) -> None:
    hits = library.hits("PaymentRetryPolicy zirconium", responseProfile="full", topK=50)
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    trust = {"docs": 1.0, CODE: 0.7, "agent_knowledge": 0.4, "valdr_record": 0.7}
    factors = [
        "trust",
        "rankingWeight",
        "matchBoost",
        "contextMultiplier",
        "sourceBalanceMultiplier",
        "testPenaltyMultiplier",
    ]
    for hit in hits:
        parts = hit["scoreBreakdown"]
        assert parts.keys() == {"lexical", "semantic", "final", *factors}
        product = parts["lexical"] + parts["semantic"]
        for factor in factors:
            product *= parts[factor]
        assert parts["final"] == hit["score"] == pytest.approx(min(1.0, product), abs=0.002)
        assert parts["trust"] == trust[hit["knowledgeType"]]
    by_path = {hit.get("path"): hit["scoreBreakdown"] for hit in hits}
    assert by_path[POLICY]["matchBoost"] > by_path["docs/guides/release.md"]["matchBoost"]
    assert by_path[POLICY_TEST]["testPenaltyMultiplier"] < 1
    assert by_path[POLICY]["testPenaltyMultiplier"] == 1


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


@pytest.mark.requirement("workspace.search.shared-resource-once")
def test_a_folder_in_two_scopes_is_found_once(bench: Bench) -> None:
    project = bench.project("shop")
    folder = bench.write("shop/docs/page.md", "# Page\n\nzirconium\n")
    here = bench.add(project, folder, trustTier="memory")
    there = bench.add(None, folder, trustTier="canonical")
    bench.ask("ingest", scope="all")
    (hit,) = bench.hits("zirconium", scope="all")
    assert set(hit["attachmentIds"]) == {here["attachmentId"], there["attachmentId"]}
    assert hit["effectiveAttachmentId"] == there["attachmentId"], "the more trusted one counts"
    (own,) = bench.hits("zirconium", scope="project", projectId=project)
    assert own["attachmentIds"] == [here["attachmentId"]]


def same_text(bench: Bench, name: str, **more: Any) -> str:
    """A folder of its own with a text that all share; its attachment."""
    folder = bench.write(f"{name}/page.md", "# Page\n\nThe codeword is zirconium.\n")
    return str(bench.add(None, folder, label=name, **more)["attachmentId"])


@pytest.mark.requirement(
    "workspace.trust.influences-ranking", "workspace.trust.tier-change-takes-effect"
)
def test_trust_orders_and_takes_effect_at_once(bench: Bench) -> None:
    tiers = ("memory", "canonical", "operational")
    ids = {tier: same_text(bench, tier, trustTier=tier) for tier in tiers}
    bench.ask("ingest", scope="global")
    order = [hit["sourceLabel"] for hit in bench.hits("zirconium")]
    assert order == ["canonical", "operational", "memory"]
    bench.change(None, {"op": "update", "attachmentId": ids["memory"], "trustTier": "canonical"})
    bench.change(None, {"op": "update", "attachmentId": ids["canonical"], "trustTier": "memory"})
    order = [hit["sourceLabel"] for hit in bench.hits("zirconium")]
    assert order == ["memory", "operational", "canonical"]


@pytest.mark.requirement("workspace.trust.ranking-weight-orders", "workspace.search.score-range")
def test_the_weight_of_a_source_orders(bench: Bench) -> None:
    same_text(bench, "light", rankingWeight=0.1, trustTier="canonical")
    same_text(bench, "heavy", rankingWeight=2.0, trustTier="canonical")
    bench.ask("ingest", scope="global")
    heavy, light = bench.hits("zirconium", retrievalMode="lexical")
    assert (heavy["sourceLabel"], light["sourceLabel"]) == ("heavy", "light")
    assert 0 < light["score"] < heavy["score"] <= 1


@pytest.mark.requirement("workspace.search.attachments-map-project-key")
def test_global_sources_have_no_project(bench: Bench) -> None:
    same_text(bench, "shared")
    bench.ask("ingest", scope="global")
    (shown,) = bench.ask("search", query="zirconium")["attachments"].values()
    assert shown["scopeType"] == "global"
    assert "projectKey" not in shown


@pytest.mark.requirement("workspace.tool.tenants-apart", "workspace.scope.unknown-project")
def test_a_stranger_finds_nothing(library: Library) -> None:
    stranger = library.bench.other_org()
    assert stranger.hits("zirconium", scope="all") == []
    refused = stranger.refusal("search", query="zirconium", **library.scope)
    assert refused["code"] == "KNOWLEDGE_PROJECT_NOT_FOUND"
    assert library.project in refused["message"]
