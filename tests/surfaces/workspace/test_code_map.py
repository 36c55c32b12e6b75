"""`code_map` where no graph answers: arguments, groups, counts, and the fallback to retrieval."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.workspace.bench import Bench, Shown
from tests.surfaces.workspace.library import POLICY, POLICY_TEST, Library

ORDER = ["definition", "related", "doc", "test", "reference", "import", "export", "unknown"]
COUNTED = {"definitions", "references", "imports", "exports", "tests", "docs", "related"}
SINGULAR = {name: name.removesuffix("s") for name in COUNTED}
TOP_LEVEL = {
    "query",
    "intent",
    "inferredIntent",
    "target",
    "responseProfile",
    "graph",
    "usingPersistedSymbols",
    "usingPersistedReferences",
    "groupOrder",
    "groups",
    "groupCounts",
    "omitted",
    "resources",
}


def places(answer: Shown) -> list[Shown]:
    return [place for group in answer["groups"].values() for place in group]


@pytest.mark.requirement(
    "workspace.code_map.query-required",
    "workspace.code_map.topk-type",
    "workspace.code_map.max-hits-type",
    "workspace.code_map.switch-types",
    "workspace.code_map.filter-types",
    "workspace.code_map.scope-values",
    "workspace.code_map.profile-values",
)
def test_wrong_arguments_are_refused_by_name(library: Library) -> None:
    library.bench.refused("query", "code_map", **library.scope)
    wrong: dict[str, list[Any]] = {
        "query": [7, " "],
        "scope": ["workspace"],
        "topK": [0, -1, "ten"],
        "maxTotalHits": [0, -1, "ten"],
        "maxHitsPerGroup": [0, -1, "ten"],
        "includeDiagnostics": ["yes"],
        "includeContent": ["yes"],
        "includeRawRetrieval": ["yes"],
        "knowledgeTypes": [3],
        "resourceKinds": [3],
        "languages": [3],
        "symbolKinds": [3],
        "pathPrefixes": [3],
        "responseProfile": ["verbose"],
    }
    for name, values in wrong.items():
        for value in values:
            library.refused(name, "code_map", **{name: value})
    for name in ("topK", "maxTotalHits", "maxHitsPerGroup"):
        assert len(places(library.map("refund", **{name: 1}))) >= 1


@pytest.mark.requirement(
    "workspace.code_map.rejects-retrieval-mode",
    "workspace.code_map.rejects-exact-token",
    "workspace.code_map.rejects-offset",
    "workspace.code_map.rejects-trust-tiers",
    "workspace.code_map.rejects-attachment-ids",
    "workspace.code_map.rejects-include-score-breakdown",
    "workspace.code_map.search-only-accepted-by-search",
)
def test_controls_of_search_are_refused(library: Library) -> None:
    controls = {
        "retrievalMode": "lexical",
        "exactToken": True,
        "offset": 0,
        "trustTiers": ["canonical"],
        "attachmentIds": [library.docs["attachmentId"]],
        "includeScoreBreakdown": True,
    }
    for name, value in controls.items():
        library.refused(name, "code_map", **{name: value})
        assert library.search("refund", **{name: value})["hits"]


@pytest.mark.requirement(
    "workspace.code_map.scope-values",
    "workspace.code_map.scope-default",
    "workspace.code_map.project-ids-conditional",
)
def test_places_are_of_the_scope_that_is_asked(library: Library) -> None:
    bench, id_ = library.bench, library.project
    prose = "where the wombat is counted"
    for scope in ({"scope": "all"}, library.scope, {"scope": "projects", "projectIds": [id_]}, {}):
        assert places(bench.ask("code_map", query=prose, **scope))
    assert places(bench.ask("code_map", query=prose, scope="global")) == []
    for name in ("project", "projects"):
        assert bench.code("code_map", query=prose, scope=name) == "KNOWLEDGE_PROJECT_REQUIRED"


@pytest.mark.requirement(
    "workspace.code_map.plain-prose-fallback",
    "workspace.code_map.fallback-is-visible",
    "workspace.code_map.fallback-groups",
    "workspace.code_map.groups-singular",
    "workspace.code_map.groups-omit-empty",
    "workspace.code_map.group-count-names",
    "workspace.code_map.group-count-fields",
    "workspace.code_map.group-count-sum",
    "workspace.code_map.group-count-returned",
    "workspace.code_map.resources-map",
    "workspace.code_map.omitted-field",
    "workspace.code_map.echoes-query",
    "workspace.code_map.knowledge-types-default",
)
def test_prose_is_answered_by_retrieval_in_groups(library: Library) -> None:
    query = "how is a refund tried again with zirconium"
    answer = library.map(query)
    assert answer.keys() == TOP_LEVEL | {"note"}
    assert (answer["query"], answer["intent"], answer["target"]) == (query, "unknown", None)
    assert answer["usingPersistedSymbols"] is answer["usingPersistedReferences"] is False
    assert sorted(answer["groupOrder"]) == sorted(ORDER)
    assert answer["groups"]
    assert answer["groups"].keys() <= set(ORDER)
    assert all(answer["groups"].values())
    assert answer["groupCounts"].keys() == COUNTED
    for name, count in answer["groupCounts"].items():
        assert count.keys() == {"total", "returned", "omitted", "intentExcluded"}
        assert count["omitted"] == count["total"] - count["returned"]
        assert 0 <= count["intentExcluded"] <= count["omitted"]
        assert count["returned"] == len(answer["groups"].get(SINGULAR[name], []))
    assert answer["omitted"] == {"diagnostics": True, "content": True, "rawRetrieval": True}
    assert POLICY in {place["path"] for place in places(answer)}
    for place in places(answer):
        assert answer["resources"][place["resourceId"]] == {
            "displayName": "Checkout Source",
            "knowledgeType": "code_intelligence",
            "resourceKind": "folder",
        }


@pytest.mark.requirement(
    "workspace.code_map.docs-for",
    "workspace.code_map.documentation-for",
    "workspace.code_map.docs-for-symbol",
    "workspace.code_map.doc-group",
    "workspace.code_map.knowledge-types-default",
    "workspace.code_map.intent-fields",
)
@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("docs for deployment runbooks", "docs/guides/deploy.md"),
        ("documentation for release checklist", "docs/guides/release.md"),
        ("docs for PaymentRetryPolicy", "docs/guides/release.md"),
    ],
)
def test_documentation(library: Library, query: str, path: str) -> None:
    answer = library.map(query)
    assert answer["intent"] == answer["inferredIntent"] == "doc"
    assert answer["groups"].keys() == {"doc"}
    assert answer["groups"]["doc"][0]["path"] == path
    assert answer["groupCounts"]["docs"]["returned"] == len(answer["groups"]["doc"])
    assert {one["knowledgeType"] for one in answer["resources"].values()} == {"docs"}


@pytest.mark.requirement(
    "workspace.code_map.unknown-symbol-no-definition",
    "workspace.code_map.unresolved-target-null",
    "workspace.code_map.other-language-no-error",
    "workspace.code_map.intent-values",
)
def test_a_name_that_nobody_knows(library: Library) -> None:
    asked = {
        "definition of Qwertyuiop": "definition",
        "references to Qwertyuiop": "reference",
        "callers of Qwertyuiop": "caller",
        "imports of Qwertyuiop": "import",
        "tests for Qwertyuiop": "test",
        "docs for Qwertyuiop": "doc",
        "exports Qwertyuiop": "export",
    }
    for query, intent in asked.items():
        answer = library.map(query)
        assert answer["intent"] == intent
        assert answer["target"] is None
        assert answer["usingPersistedSymbols"] is answer["usingPersistedReferences"] is False
        assert "definition" not in answer["groups"]


@pytest.mark.requirement("workspace.code_map.forgiving-phrasing")
@pytest.mark.parametrize(
    "query",
    [
        "DEFINITION OF Ledger",
        "definition of `Ledger`?",
        "where is Ledger() defined?",
        "Where is the class Ledger defined",
    ],
)
def test_phrasing_is_forgiven(library: Library, query: str) -> None:
    answer = library.map(query)
    assert (answer["intent"], answer["inferredIntent"]) == ("definition", "definition")
    assert answer["groups"]["definition"][0]["symbolName"] == "Ledger"


@pytest.mark.requirement(
    "workspace.code_map.knowledge-types",
    "workspace.code_map.resource-kinds",
    "workspace.code_map.languages",
    "workspace.code_map.path-prefixes",
    "workspace.code_map.hit-path",
)
def test_filters_narrow_what_is_shown(library: Library) -> None:
    prose = "the wombat and the zirconium of a refund"

    def paths(**more: object) -> set[str]:
        return {place["path"] for place in places(library.map(prose, topK=50, **more))}

    everywhere = paths()
    assert paths(knowledgeTypes=["code_intelligence"]) == everywhere
    assert paths(resourceKinds=["folder"]) == everywhere
    assert paths(resourceKinds=["record"]) == set()
    assert all(path.endswith(".ts") for path in paths(languages=["ts"]))
    folder = library.bench.folder / "shop/services/checkout/src/retry"
    below = {path for path in everywhere if path.startswith("services/checkout/src/retry/")}
    assert below == {POLICY, POLICY_TEST} & everywhere
    for prefix in ("services/checkout/src/retry", str(folder), folder.as_uri()):
        assert paths(pathPrefixes=[prefix]) == below


@pytest.mark.requirement(
    "workspace.code_map.profile-values",
    "workspace.code_map.profile-default",
    "workspace.code_map.include-diagnostics-infers-debug",
    "workspace.code_map.include-diagnostics-explicit-profile",
    "workspace.code_map.include-raw-infers-full",
    "workspace.code_map.include-content",
    "workspace.code_map.full-without-content",
    "workspace.code_map.include-raw-retrieval",
    "workspace.code_map.debug-includes-diagnostics",
)
def test_profiles(library: Library) -> None:
    def profile(**more: object) -> str:
        return str(library.map("refund wombat", **more)["responseProfile"])

    assert profile() == "compact"
    for name in ("compact", "debug", "full"):
        assert profile(responseProfile=name) == name
    assert profile(includeDiagnostics=True) == "debug"
    assert profile(includeDiagnostics=True, responseProfile="compact") == "compact"
    assert profile(includeRawRetrieval=True) == "full"
    assert profile(includeRawRetrieval=True, includeDiagnostics=True) == "full"
    debug = library.map("refund wombat", responseProfile="debug")
    assert debug["omitted"] == {"diagnostics": False, "content": True, "rawRetrieval": True}
    assert debug.keys() - TOP_LEVEL == {"diagnostics", "note"}
    full = library.map("refund wombat", responseProfile="full")
    assert all("content" not in place for place in places(full))
    content = library.map("refund wombat", includeContent=True)
    assert content["omitted"]["content"] is False
    for place in places(content):
        lines = (library.bench.folder / "shop" / place["path"]).read_text("utf-8").splitlines()
        assert place["content"].splitlines()[0] == lines[place["lineStart"] - 1]
    raw = library.map("refund wombat", includeRawRetrieval=True)
    assert raw["omitted"]["rawRetrieval"] is False
    found = {hit["chunkId"] for hit in raw["rawRetrieval"]["hits"]}
    assert found >= {place["chunkId"] for place in places(raw)[:1]}


@pytest.mark.requirement(
    "workspace.code_map.topk",
    "workspace.code_map.max-total-hits",
    "workspace.code_map.max-hits-per-group",
)
def test_limits_leave_places_out_and_count_them(bench: Bench) -> None:
    for number in range(5):
        bench.write(f"src/part{number}.py", f"def part{number}():\n    return 'wombat'\n")
    bench.add(None, bench.folder_of("src"), "code_intelligence")
    bench.ask("ingest", scope="all")
    prose = "where is the wombat kept and returned"
    whole = bench.ask("code_map", query=prose)
    assert whole["groupCounts"]["related"] == {
        "total": 5,
        "returned": 5,
        "omitted": 0,
        "intentExcluded": 0,
    }
    for limit in (
        {"topK": 2},
        {"maxTotalHits": 2},
        {"maxHitsPerGroup": 2},
        {"topK": 4, "maxTotalHits": 2},
    ):
        answer = bench.ask("code_map", query=prose, **limit)
        assert len(places(answer)) == 2
        assert answer["groupCounts"]["related"]["omitted"] == 3


@pytest.mark.requirement("workspace.code_map.disabled-left-out")
def test_disabled_sources_are_left_out(bench: Bench) -> None:
    folder = bench.write("src/part.py", "def part():\n    return 'wombat'\n")
    added = bench.add(None, folder, "code_intelligence")
    bench.ask("ingest", scope="all")
    prose = "where is the wombat kept and returned"
    assert places(bench.ask("code_map", query=prose))
    bench.change(None, {"op": "disable", "attachmentId": added["attachmentId"]})
    answer = bench.ask("code_map", query=prose)
    assert (answer["groups"], answer["resources"]) == ({}, {})
    assert answer["graph"] == {"symbols": False, "references": False}
