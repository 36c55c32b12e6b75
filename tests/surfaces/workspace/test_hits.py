"""`search`: what a hit says of itself, why it scores as it does, and whose word counts more."""

from __future__ import annotations

import re
from typing import Any

import pytest

from commonplace.embedding.endpoint import EndpointEmbedder
from tests.surfaces.nearness import near
from tests.surfaces.workspace.bench import Bench
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
def test_profiles_decide_which_fields_a_hit_has(library: Library) -> None:
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
    assert re.fullmatch("chunk_[0-9a-f]{32}", first["chunkId"]), "a number would count for others"
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


@pytest.mark.requirement("workspace.search.whole-file-counts")
def test_of_equal_passages_that_of_the_file_about_the_matter_comes_first(bench: Bench) -> None:
    def section(title: str, said: str) -> str:
        return f"## {title}\n\n{said} {'And so on and on. ' * 60}\n\n"

    for name, rest in (("gates.md", "Of gates."), ("money.md", near(80))):
        others = "".join(section(f"Rule {number}", rest) for number in range(3))
        bench.write(f"docs/{name}", section("Refunds", near(90)) + others)
    bench.add(None, bench.folder / "docs")
    bench.ask("ingest", scope="global")
    assert bench.application.new_worker().drain(60)
    hits = bench.hits("who is paid back?", retrievalMode="semantic", includeScoreBreakdown=True)
    equal = [hit for hit in hits if hit["sectionTitle"] == "Refunds"]
    assert [hit["path"].rsplit("/", 1)[-1] for hit in equal] == ["money.md", "gates.md"]
    ours, theirs = (hit["scoreBreakdown"]["semantic"] for hit in equal)
    assert ours > theirs > 0


@pytest.mark.requirement("workspace.search.attachments-map-project-key")
def test_global_sources_have_no_project(bench: Bench) -> None:
    same_text(bench, "shared")
    bench.ask("ingest", scope="global")
    (shown,) = bench.ask("search", query="zirconium")["attachments"].values()
    assert shown["scopeType"] == "global"
    assert "projectKey" not in shown


@pytest.mark.requirement("workspace.search.lexical-embeds-nothing")
def test_a_search_by_words_embeds_nothing(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[str] = []
    plain = EndpointEmbedder.embed_query

    def counted(self: EndpointEmbedder, text: str) -> Any:
        embedded.append(text)
        return plain(self, text)

    monkeypatch.setattr(EndpointEmbedder, "embed_query", counted)
    assert library.search("zirconium by words", retrievalMode="lexical")["semanticSearchAvailable"]
    assert embedded == []
    library.search("zirconium by meaning", retrievalMode="semantic")
    assert embedded == ["zirconium by meaning"]
