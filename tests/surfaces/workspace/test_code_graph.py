"""`code_map` and `status` from the graph of symbols: what leads where, and how that is known."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.workspace.bench import Bench
from tests.surfaces.workspace.shop import CODE, FILES, POLICY, RETRY, Shop, opened


@pytest.fixture(scope="module")
def shop(workshop: Premises, tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return opened(Bench(workshop, tmp_path_factory.mktemp("graph"), "graph-shop"))


@pytest.mark.requirement(
    "workspace.code_map.definition-of",
    "workspace.code_map.definition-group",
    "workspace.code_map.target-is-name",
    "workspace.code_map.graph-field",
    "workspace.code_map.using-persisted",
    "workspace.code_map.group-order",
    "workspace.code_map.hit-fields",
    "workspace.code_map.hit-lines",
    "workspace.code_map.typescript-definitions",
)
def test_a_definition_is_found_where_it_is(shop: Shop) -> None:
    answer = shop.map("definition of PaymentRetryPolicy")
    assert (answer["intent"], answer["target"]) == ("definition", "PaymentRetryPolicy")
    assert answer["graph"] == {"symbols": True, "references": True}
    assert answer["usingPersistedSymbols"] is True
    assert answer["usingPersistedReferences"] is True
    order = ["definition", "related", "doc", "test", "reference", "import", "export", "unknown"]
    assert answer["groupOrder"] == order
    (hit,) = answer["groups"]["definition"]
    assert answer["groupCounts"]["definitions"]["total"] == 1
    assert (hit["symbolName"], hit["symbolKind"], hit["language"]) == (
        "PaymentRetryPolicy",
        "class",
        "ts",
    )
    assert hit["title"] == "PaymentRetryPolicy"
    assert hit["path"] == f"{RETRY}/{POLICY}.ts"
    assert (hit["lineStart"], hit["lineEnd"]) == (4, 10)
    assert hit["resourceId"] in answer["resources"]
    assert hit["chunkId"]
    assert "PaymentRetryPolicy" in hit["excerpt"]


@pytest.mark.requirement(
    "workspace.code_map.example",
    "workspace.code_map.definition-shows-tests",
    "workspace.code_map.definition-counts-docs",
    "workspace.code_map.intent-excluded",
)
def test_the_example_of_the_contract(shop: Shop) -> None:
    answer = shop.map(
        "definition of PaymentRetryPolicy",
        languages=["ts"],
        topK=20,
        responseProfile="compact",
        pathPrefixes=["services/checkout/src"],
    )
    assert set(answer) == {
        "query", "intent", "inferredIntent", "target", "responseProfile", "graph",
        "usingPersistedSymbols", "usingPersistedReferences", "groupOrder", "groups", "groupCounts",
        "omitted", "resources",
    }  # fmt: skip
    assert set(answer["groups"]) == {"definition", "test"}
    whole = shop.map("definition of PaymentRetryPolicy")["groupCounts"]
    assert whole["docs"]["total"] == 1
    for name in ("references", "imports", "exports", "docs"):
        count = whole[name]
        assert count["total"] > 0
        assert (count["returned"], count["intentExcluded"]) == (0, count["total"])
    assert whole["definitions"]["intentExcluded"] == 0


@pytest.mark.requirement("workspace.code_map.doc-counts")
def test_a_question_for_docs_counts_what_it_does_not_show(shop: Shop) -> None:
    answer = shop.map("docs for PaymentRetryPolicy")
    assert (answer["intent"], answer["target"]) == ("doc", "PaymentRetryPolicy")
    assert answer["groups"].keys() == {"doc"}
    others = shop.map("definition of PaymentRetryPolicy")["groupCounts"]
    for name in ("definitions", "references", "imports", "exports", "tests"):
        count = answer["groupCounts"][name]
        assert count["total"] == others[name]["total"] > 0
        assert (count["returned"], count["intentExcluded"]) == (0, count["total"])
    assert answer["groupCounts"]["docs"]["total"] == others["docs"]["total"] == 1


@pytest.mark.requirement("workspace.code_map.where-is-defined")
def test_where_a_symbol_is_defined(shop: Shop) -> None:
    answer = shop.map("where is RetryOptions defined")
    assert (answer["intent"], answer["target"]) == ("definition", "RetryOptions")
    assert answer["groups"]["definition"][0]["symbolKind"] == "interface"


@pytest.mark.requirement("workspace.code_map.references-to", "workspace.code_map.reference-group")
def test_references_are_the_places_that_use_it(shop: Shop) -> None:
    answer = shop.map("references to parseConfig")
    assert (answer["intent"], answer["target"]) == ("reference", "parseConfig")
    places = {(hit["path"], hit["lineStart"]) for hit in answer["groups"]["reference"]}
    assert places == {
        ("services/checkout/src/settings.ts", 5),
        (f"{RETRY}/{POLICY}.ts", 8),
    }
    assert answer["groupCounts"]["references"]["total"] == 2


@pytest.mark.requirement("workspace.code_map.where-do-we-use")
def test_where_a_symbol_is_used(shop: Shop) -> None:
    answer = shop.map("where do we use Clock")
    assert (answer["intent"], answer["target"]) == ("reference", "Clock")
    assert [hit["path"] for hit in answer["groups"]["reference"]] == [f"{RETRY}/{POLICY}.ts"]


@pytest.mark.requirement(
    "workspace.code_map.callers-of",
    "workspace.code_map.callers-in-reference",
    "workspace.code_map.callers-only-calls",
    "workspace.code_map.no-same-name-stranger",
    "workspace.code_map.typescript-references",
)
def test_callers_are_the_functions_that_call_it(shop: Shop) -> None:
    used = shop.found("references to parseConfig", "reference")
    assert {hit["language"] for hit in used} == {"ts"}
    assert len(used) == 2
    answer = shop.map("callers of parseConfig")
    assert (answer["intent"], answer["target"]) == ("caller", "parseConfig")
    assert {hit["title"] for hit in answer["groups"]["reference"]} == {
        "loadSettings",
        "nextAttempt",
    }
    assert answer["groupCounts"]["references"]["returned"] == 2
    callers = shop.found("callers of PaymentRetryPolicy", "reference")
    assert [hit["path"] for hit in callers] == [f"{RETRY}/{POLICY}.test.ts"]


@pytest.mark.requirement("workspace.code_map.who-calls")
def test_who_calls_a_function(shop: Shop) -> None:
    answer = shop.map("who calls packParcel")
    assert (answer["intent"], answer["target"]) == ("caller", "packParcel")
    assert {hit["title"] for hit in answer["groups"]["reference"]} == {"sendParcel"}


@pytest.mark.requirement("workspace.code_map.edge-says-how")
def test_an_edge_says_how_it_is_known(shop: Shop) -> None:
    for query, group in (
        ("references to parseConfig", "reference"),
        ("callers of parseConfig", "reference"),
        ("imports of parseConfig", "import"),
    ):
        for hit in shop.found(query, group, responseProfile="debug"):
            assert hit["resolution"] in {"scope", "import", "member", "inherited", "name"}
            assert 0 < hit["confidence"] <= 1


@pytest.mark.requirement("workspace.code_map.imports-of", "workspace.code_map.import-group")
def test_imports_are_the_files_that_import_it(shop: Shop) -> None:
    answer = shop.map("imports of parseConfig")
    assert (answer["intent"], answer["target"]) == ("import", "parseConfig")
    assert [hit["path"] for hit in answer["groups"]["import"]] == [
        "services/checkout/src/settings.ts"
    ]
    assert answer["groupCounts"]["imports"]["total"] == 1


@pytest.mark.requirement("workspace.code_map.exports")
def test_exports_are_the_places_that_export_it(shop: Shop) -> None:
    answer = shop.map("exports PaymentRetryPolicy")
    assert (answer["intent"], answer["target"]) == ("export", "PaymentRetryPolicy")
    paths = {hit["path"] for hit in answer["groups"]["export"]}
    assert paths == {"services/checkout/src/index.ts", f"{RETRY}/{POLICY}.ts"}


@pytest.mark.requirement(
    "workspace.code_map.tests-for",
    "workspace.code_map.test-group",
    "workspace.code_map.test-hit",
)
def test_tests_of_a_symbol(shop: Shop) -> None:
    answer = shop.map("tests for PaymentRetryPolicy")
    assert (answer["intent"], answer["target"]) == ("test", "PaymentRetryPolicy")
    (hit,) = answer["groups"]["test"]
    assert (hit["symbolKind"], hit["title"]) == ("test", "PaymentRetryPolicy retry limits")
    assert hit["path"] == f"{RETRY}/{POLICY}.test.ts"
    assert answer["groupCounts"]["tests"]["total"] == 1


@pytest.mark.requirement("workspace.code_map.where-is-tested")
def test_where_a_symbol_is_tested(shop: Shop) -> None:
    answer = shop.map("where is nextAttempt tested")
    assert (answer["intent"], answer["target"]) == ("test", "nextAttempt")
    assert [hit["title"] for hit in answer["groups"]["test"]] == ["PaymentRetryPolicy retry limits"]


@pytest.mark.requirement("workspace.code_map.qualified-definition")
def test_a_qualified_name_is_one_method(shop: Shop) -> None:
    (hit,) = shop.found("definition of Cache.now", "definition")
    assert (hit["path"], hit["lineStart"]) == (f"{RETRY}/clock.ts", 6)


@pytest.mark.requirement(
    "workspace.code_map.qualified-references", "workspace.code_map.qualified-callers"
)
def test_uses_of_a_qualified_name_are_not_those_of_another(shop: Shop) -> None:
    for query in ("references to", "callers of"):
        assert shop.titles(f"{query} Cache.now", "reference") == {"readCache"}
        assert shop.titles(f"{query} Clock.now", "reference") == {"nextAttempt"}


@pytest.mark.requirement("workspace.code_map.qualified-imports", "workspace.code_map.java-imports")
def test_imports_of_exactly_that_class(shop: Shop) -> None:
    (hit,) = shop.found("imports of com.acme.money.Amount", "import")
    assert hit["path"].endswith("ledger/Booking.java")
    assert not shop.found("imports of com.acme.other.Amount", "import")


@pytest.mark.requirement("workspace.code_map.ambiguous-name")
def test_symbols_that_share_a_name_are_all_told(shop: Shop) -> None:
    hits = shop.found("definition of parseConfig", "definition")
    assert {(hit["path"], hit["lineStart"]) for hit in hits} == {
        (f"{RETRY}/{POLICY}.ts", 14),
        ("services/checkout/src/stranger.ts", 1),
    }


@pytest.mark.requirement(
    "workspace.code_map.symbol-kinds", "workspace.code_map.symbol-kinds-of-referrer"
)
def test_kinds_narrow_what_is_shown(shop: Shop) -> None:
    assert shop.titles("definition of now", "definition", symbolKinds=["method"]) == {"now"}
    assert not shop.found("definition of now", "definition", symbolKinds=["class"])
    using = shop.found("references to Clock", "reference", symbolKinds=["constructor"])
    assert {hit["symbolKind"] for hit in using} == {"constructor"}


@pytest.mark.requirement("workspace.code_map.filters-keep-target")
def test_filters_narrow_the_hits_and_never_the_target(shop: Shop) -> None:
    prefix = ["services/checkout/src/settings.ts"]
    answer = shop.map("callers of parseConfig", pathPrefixes=prefix)
    assert answer["target"] == "parseConfig"
    assert [hit["title"] for hit in answer["groups"]["reference"]] == ["loadSettings"]


@pytest.mark.requirement("workspace.code_map.tsx-definitions", "workspace.code_map.tsx-references")
def test_components(shop: Shop) -> None:
    (hit,) = shop.found("definition of Badge", "definition")
    assert (hit["language"], hit["symbolKind"]) == ("tsx", "function")
    assert shop.titles("references to Badge", "reference") == {"Header"}


@pytest.mark.requirement(
    "workspace.code_map.java-definitions", "workspace.code_map.java-references"
)
def test_java(shop: Shop) -> None:
    kinds = {
        name: shop.found(f"definition of {name}", "definition")[0]["symbolKind"]
        for name in ("Booking", "Posting", "Booking.total")
    }
    assert kinds == {"Booking": "class", "Posting": "interface", "Booking.total": "method"}
    assert shop.found("definition of Booking", "definition")[0]["language"] == "java"
    for query in ("references to", "callers of"):
        assert shop.titles(f"{query} com.acme.money.Amount.cents", "reference") == {"total"}


@pytest.mark.requirement("workspace.code_map.cross-resource")
def test_a_reference_from_one_tree_into_another(shop: Shop) -> None:
    hits = shop.found("references to packParcel", "reference")
    assert [hit["path"] for hit in hits] == ["services/checkout/src/parcels.ts"]
    assert shop.status()["crossResourceReferenceCount"] == 2


@pytest.mark.requirement(
    "workspace.status.symbol-count",
    "workspace.status.symbol-kind-counts",
    "workspace.status.reference-kind-counts",
    "workspace.ingest.builds-code-graph",
    "workspace.ingest.rebuild-refreshes-graph",
)
def test_counts_of_the_graph(bench: Bench) -> None:
    for path, text in FILES.items():
        bench.write(f"shop/{path}", text)
    project = bench.project()
    bench.add(project, bench.folder / "shop" / "services", CODE)
    shop = Shop(bench, project)
    before = shop.status()
    assert (before["symbolCount"], before["referenceCount"]) == (0, 0)
    bench.ingest(project)
    after = shop.status()
    assert after["symbolCount"] > 0
    assert after["symbolCount"] == sum(after["symbolKindCounts"].values())
    assert {"function", "method", "class", "interface"} <= set(after["symbolKindCounts"])
    assert after["referenceCount"] == sum(after["referenceKindCounts"].values())
    assert {"call", "import", "type", "export"} <= set(after["referenceKindCounts"])
    assert 0 < after["resolvedReferenceCount"] < after["referenceCount"]
    bench.ingest(project, mode="rebuild")
    assert shop.status() == after
    assert shop.titles("callers of parseConfig", "reference") == {"loadSettings", "nextAttempt"}


@pytest.mark.requirement("workspace.tool.end-to-end")
def test_an_agent_goes_from_nothing_to_a_definition(bench: Bench) -> None:
    shop = opened(bench)
    assert bench.hits("when a refund is tried again", scope="all")
    bench.append(shop.project, "The policy is in the retry folder.")
    assert shop.found("definition of PaymentRetryPolicy", "definition")
