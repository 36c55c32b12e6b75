"""knowledge.search: its arguments, the shape of its answer, order and number of results."""

from __future__ import annotations

import pytest

from commonplace.model.source import SourceScope
from tests.surfaces.documents.asking import GET, LIST, SEARCH, Asker, refuse
from tests.surfaces.documents.desk import SENTENCE, SPACE, WS, Desk
from tests.surfaces.nearness import near


def shelf(desk: Desk, *nearness: int) -> None:
    """One short page for each, as near as said."""
    for percent in nearness:
        desk.page(f"Page {percent}", f"{near(percent)} for the keeper of the lighthouse.")
    desk.read()


@pytest.mark.requirement(
    "documents.search.query-required",
    "documents.search.query-string",
    "documents.search.workspace-required",
    "documents.search.workspace-string",
    "documents.expect.blank-query",
)
def test_query_and_workspace_are_required_strings(asker: Asker) -> None:
    refuse(asker, SEARCH, "query", workspaceId=WS)
    refuse(asker, SEARCH, "workspaceId", query="oil")
    for wrong in (5, ["oil"], None, "", "  \n "):
        refuse(asker, SEARCH, "query", query=wrong, workspaceId=WS)
        refuse(asker, SEARCH, "workspaceId", query="oil", workspaceId=wrong)
    refuse(asker, SEARCH, "query", query="a" * 10_001, workspaceId=WS)
    refuse(asker, SEARCH, "query", query="a\0b", workspaceId=WS)


@pytest.mark.requirement("documents.search.space-optional")
def test_the_space_is_an_optional_string(both_ways: Desk) -> None:
    shelf(both_ways, 80)
    assert len(both_ways.search("oil")) == 1
    assert len(both_ways.search("oil", spaceId=SPACE)) == 1
    assert len(both_ways.search("oil", spaceId=None)) == 1
    refuse(both_ways.asker, SEARCH, "spaceId", query="oil", workspaceId=WS, spaceId=5)


@pytest.mark.requirement("documents.search.limit-bounds", "documents.search.limit-integer")
def test_a_limit_that_is_no_whole_number_above_zero_is_refused(asker: Asker) -> None:
    for limit in (0, -1, 2.5, "five", "5", True, [5]):
        refuse(asker, SEARCH, "limit", query="oil", workspaceId=WS, limit=limit)


@pytest.mark.requirement(
    "documents.search.limit-default",
    "documents.search.limit-holds",
    "documents.search.limit-bounds",
    "documents.search.order",
)
def test_the_limit_holds(both_ways: Desk) -> None:
    text = "".join(f"# H{n}\n\n{near(90 - n)}. {SENTENCE * 2}\n\n" for n in range(60))
    both_ways.file("many.md", text)
    both_ways.read()
    assert len(both_ways.search("oil")) == 5
    (best,) = both_ways.search("oil", limit=1)
    assert best["metadata"]["headings"] == ["H0"]
    for limit, count in ((5.0, 5), (7, 7), (50, 50), (51, 50), (10**9, 50)):
        results = both_ways.search("oil", limit=limit)
        assert [r["metadata"]["headings"] for r in results] == [[f"H{n}"] for n in range(count)]


@pytest.mark.requirement(
    "documents.search.output",
    "documents.search.result-fields",
    "documents.search.result-fields-exact",
    "documents.search.content",
    "documents.search.source-name",
    "documents.search.metadata-headings",
    "documents.search.similarity-number",
)
def test_a_result_has_these_fields(both_ways: Desk) -> None:
    text = f"# Lamp\n\n## Oil\n\n{near(80)} is what the level must be."
    id = both_ways.file("handbook.md", text, name="Handbook")
    both_ways.read()
    answer = both_ways.asker.call(SEARCH, query="oil", workspaceId=WS)
    assert answer.keys() == {"results", "count"}
    (result,) = answer["results"]
    assert result == {
        "content": text,
        "sourceName": "Handbook",
        "similarity": pytest.approx(0.8, abs=0.001),
        "metadata": {
            "headings": ["Lamp", "Oil"],
            "sourceId": id,
            "page": None,
            "lineStart": 1,
            "lineEnd": 5,
        },
    }
    assert both_ways.names() == ["Handbook"]


@pytest.mark.requirement(
    "documents.search.order",
    "documents.search.similarity-number",
    "documents.search.similarity-range",
    "documents.search.no-floor",
)
def test_results_come_in_descending_similarity_down_to_nothing(both_ways: Desk) -> None:
    shelf(both_ways, 30, 90, 60, 100)
    both_ways.page("Far", "Nothing that anybody asks for.")
    both_ways.read()
    found = [result["similarity"] for result in both_ways.search("oil")]
    assert found == pytest.approx([1.0, 0.9, 0.6, 0.3, 0.0], abs=0.001)
    assert all(0 <= similarity <= 1 for similarity in found)


@pytest.mark.requirement("documents.search.tie-break")
def test_of_equal_ones_the_nearer_scope_is_first(both_ways: Desk) -> None:
    text = f"# Oil\n\n{near(80)} says the handbook."
    both_ways.file("a.md", text, name="all", scope=SourceScope.SYSTEM)
    both_ways.file("a.md", text, name="workspace")
    both_ways.file("a.md", text, name="space", space=SPACE)
    both_ways.read()
    found = [result["sourceName"] for result in both_ways.search("oil", spaceId=SPACE)]
    assert found == ["space", "workspace", "all"]
    (first,) = both_ways.search("oil", spaceId=SPACE, limit=1)
    assert first["sourceName"] == "space"


@pytest.mark.requirement("documents.search.empty")
def test_nothing_to_see_is_no_error(both_ways: Desk) -> None:
    empty = {"results": [], "count": 0}
    assert both_ways.asker.call(SEARCH, query="oil", workspaceId="ws_none") == empty


@pytest.mark.requirement("documents.expect.query-characters")
def test_no_query_breaks_a_search(both_ways: Desk) -> None:
    shelf(both_ways, 80)
    queries = [
        '"',
        "''",
        "a-b/c",
        "NOT oil",
        "*",
        "oil*",
        "(",
        "🜁🛢️",
        "%_\\",
        "-",
        "a AND OR",
        "汉字",
    ]
    for query in queries:
        assert len(both_ways.search(query)) == 1, query


@pytest.mark.requirement("documents.expect.same-name")
def test_two_sources_of_one_name_are_two(desk: Desk) -> None:
    ids = [desk.page("Twin", f"{near(80)} number {n}.", name="Twin") for n in range(2)]
    desk.read()
    assert len(set(ids)) == 2
    found = {result["metadata"]["sourceId"] for result in desk.search("oil")}
    assert found == set(ids)


@pytest.mark.requirement("documents.search.workspace-unknown", "documents.list.workspace-unknown")
def test_a_workspace_without_sources_is_answered_with_those_that_have_some(
    both_ways: Desk,
) -> None:
    both_ways.page("Oil", near(80))
    both_ways.page("Gas", near(70), workspace="ws_gas")
    both_ways.page("All", near(95), scope=SourceScope.SYSTEM)
    both_ways.page("Hidden", near(90), org="umbrella", workspace="ws_hidden")
    both_ways.read()
    searched = both_ways.asker.call(SEARCH, query="oil", workspaceId="ws-123")
    listed = both_ways.asker.call(LIST, workspaceId="ws-123")
    assert [result["sourceName"] for result in searched["results"]] == ["All"]
    assert [source["name"] for source in listed["sources"]] == ["All"]
    said = f"No source belongs to the workspace ws-123. Workspaces with sources: {WS}, ws_gas."
    assert searched["notice"] == listed["notice"] == said
    for method, given in ((SEARCH, {"query": "oil", "limit": 1}), (LIST, {})):
        assert "notice" not in both_ways.asker.call(method, workspaceId=WS, **given)


@pytest.mark.requirement("documents.expect.unknown-argument")
def test_an_unknown_argument_is_refused_by_its_name(asker: Asker) -> None:
    for method in (SEARCH, LIST, GET):
        assert "surprise" in asker.refusal(method, surprise=1)["data"], method
