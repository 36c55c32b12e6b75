"""get: what is attached in a scope, and how far it has been read."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from commonplace.settings import load_settings
from tests.surfaces.workspace.bench import Bench, Shown, scoped
from tests.surfaces.workspace.conftest import OpenBench


def furnished(bench: Bench) -> str:
    """A project with a docs folder and a code folder, read; its id."""
    project = bench.project()
    bench.write("shop/docs/refunds.md", "# Refunds\n\nRefunds are slow.\n")
    bench.write(
        "shop/src/retry.ts",
        "export class RetryPolicy {\n  next(): number {\n    return 1;\n  }\n}\n",
    )
    bench.write("shop/src/view.tsx", "export function View() {\n  return <b>hi</b>;\n}\n")
    bench.add(project, bench.folder / "shop/docs", label="Runbooks", trustTier="canonical")
    bench.add(project, bench.folder / "shop/src", "code_intelligence", rankingWeight=0.8)
    bench.ingest(project)
    return project


@pytest.mark.requirement("workspace.get.scope-required")
def test_the_scope_is_required(bench: Bench) -> None:
    bench.refused("scope", "get")
    project = bench.project()
    for scope in ({"scope": "global"}, {"scope": "all"}, scoped(project)):
        assert bench.ask("get", **scope)["attachments"] == []
    assert bench.ask("get", scope="projects", projectIds=[project])["attachments"] == []


@pytest.mark.requirement(
    "workspace.get.project-id-conditional", "workspace.get.project-ids-conditional"
)
def test_ids_are_strings(desk: Bench) -> None:
    assert desk.code("get", scope="project") == "KNOWLEDGE_PROJECT_REQUIRED"
    desk.refused("projectId", "get", scope="project", projectId=3)
    desk.refused("projectIds", "get", scope="projects", projectIds=desk.project())


@pytest.mark.requirement("workspace.get.include-disabled-type")
@pytest.mark.parametrize("value", ["yes", 1])
def test_include_disabled_is_a_boolean(desk: Bench, value: object) -> None:
    desk.refused("includeDisabled", "get", scope="all", includeDisabled=value)


@pytest.mark.requirement(
    "workspace.get.include-disabled-true", "workspace.get.include-disabled-default"
)
def test_what_is_switched_off_is_listed_on_demand(bench: Bench) -> None:
    folder = bench.write("shared/a.md", "# A")
    id = bench.add(None, folder, enabled=False)["attachmentId"]
    assert bench.attachments(None) == []
    assert bench.attachments(None, includeDisabled=False) == []
    (shown,) = bench.attachments(None, includeDisabled=True)
    assert (shown["id"], shown["enabled"]) == (id, False)


@pytest.mark.requirement(
    "workspace.get.example",
    "workspace.get.echoes-scope",
    "workspace.get.attachment-fields",
    "workspace.get.resource-fields",
    "workspace.get.resource-of-each-attachment",
    "workspace.get.project-key",
    "workspace.get.display-name",
    "workspace.get.locator-is-file-url",
    "workspace.get.status-ready-after-ingest",
    "workspace.get.languages-of-code",
)
def test_the_example(bench: Bench) -> None:
    project = furnished(bench)
    answer = bench.get(project, includeDisabled=False)
    assert answer.keys() == {
        *("scope", "attachments", "resources", "staleCount", "failedCount"),
        "embeddingsPending",
    }
    assert (answer["scope"], answer["staleCount"], answer["failedCount"]) == ("project", 0, 0)
    docs, code = answer["attachments"]
    assert [one["label"] for one in (docs, code)] == ["Runbooks", "src"]
    assert (docs["trustTier"], code["rankingWeight"]) == ("canonical", 0.8)
    resources: dict[str, Shown] = {one["id"]: one for one in answer["resources"]}
    assert len(resources) == len(answer["resources"]) == 2
    for attachment in (docs, code):
        assert attachment.keys() == {
            *("id", "resourceId", "scopeType", "scopeId", "projectKey"),
            *("trustTier", "rankingWeight", "enabled", "label"),
        }
        assert (attachment["scopeId"], attachment["projectKey"]) == (project, "shop")
        resource = resources[attachment["resourceId"]]
        assert resource["displayName"] == attachment["label"]
        assert resource["indexStatus"] == "ready"
        assert resource["chunkCount"] > 0
        assert resource["resourceKind"] == "folder"
    read = resources[code["resourceId"]]
    assert read["knowledgeType"] == "code_intelligence"
    assert read["languages"] == ["ts", "tsx"]
    assert read["canonicalLocator"] == (bench.folder / "shop/src").as_uri()
    assert "languages" not in resources[docs["resourceId"]]


@pytest.mark.requirement("workspace.get.stale-count")
def test_what_waits_to_be_read_is_counted(bench: Bench) -> None:
    project = bench.project()
    assert bench.get(project)["staleCount"] == 0
    bench.add(project, bench.write("shop/docs/a.md", "# A"))
    assert bench.get(project)["staleCount"] == 1
    bench.ingest(project)
    assert bench.get(project)["staleCount"] == 0


@pytest.mark.requirement(
    "workspace.get.failed-count",
    "workspace.get.latest-index-run",
    "workspace.get.index-status-values",
    "workspace.status.failed-count",
)
def test_what_could_not_be_read_is_counted(bench: Bench) -> None:
    project = bench.project()
    folder = bench.write("shop/docs/a.md", "# A")
    bench.add(project, folder)
    bench.ingest(project)
    (read,) = bench.get(project)["resources"]
    assert read["latestIndexRun"]["status"] == "ready"
    assert "errorMessage" not in read["latestIndexRun"]
    shutil.rmtree(folder)
    bench.ingest(project)
    answer = bench.get(project)
    (resource,) = answer["resources"]
    assert (answer["failedCount"], resource["indexStatus"]) == (1, "failed")
    assert resource["latestIndexRun"]["errorMessage"]
    assert bench.ask("status", **scoped(project))["failedCount"] == 1


@pytest.mark.requirement("workspace.get.index-status-values")
def test_the_values_of_a_status(bench: Bench) -> None:
    bench.add(None, bench.write("shared/a.md", "# A"))
    bench.append(None, "A note.")
    known: set[Any] = {"never_indexed", "indexing", "ready", "failed", "stale"}
    shown = bench.get(None)
    assert {one["indexStatus"] for one in shown["resources"] + shown["entries"]} <= known


@pytest.mark.requirement(
    "workspace.get.sources-only",
    "workspace.get.entries-listed",
    "workspace.status.sources-only",
    "workspace.status.entries-apart-from-sources",
    "workspace.ingest.sources-only",
)
def test_entries_are_no_sources(bench: Bench) -> None:
    project = furnished(bench)
    before, counted = bench.get(project), bench.ask("status", **scoped(project))
    assert "entries" not in before
    notebook, record = bench.append(project, "Says osmium."), bench.create(project)
    after = bench.get(project)
    entries = {one["id"]: one for one in after.pop("entries")}
    assert entries.keys() == {notebook["id"], record["id"]}
    assert entries[record["id"]]["attachmentId"] == record["attachmentId"]
    assert entries[notebook["id"]]["knowledgeType"] == "agent_knowledge"
    assert after == {**before, "embeddingsPending": 2}
    expected = {**counted, "entryCount": 2, "embeddingsPending": 2}
    assert bench.ask("status", **scoped(project)) == expected
    targets = {one["resourceId"] for one in bench.ingest(project)["targets"]}
    assert targets == {one["id"] for one in before["resources"]}
    named = bench.ask("ingest", attachmentIds=[record["attachmentId"]])
    assert [one["resourceId"] for one in named["targets"]] == [record["id"]]


@pytest.mark.requirement(
    "workspace.get.embeddings-pending",
    "workspace.status.embeddings-pending",
    "workspace.ingest.embeddings-pending",
)
def test_what_waits_to_be_embedded_is_told(bench: Bench) -> None:
    bench.append(None, "A note.")
    bench.append(None, "Another note.")
    shown = bench.get(None)
    assert shown["embeddingsPending"] == 2
    assert [one["indexStatus"] for one in shown["entries"]] == ["stale"]
    assert bench.ask("status", scope="global")["embeddingsPending"] == 2
    assert bench.ingest(None)["embeddingsPending"] == 0
    shown = bench.get(None)
    assert shown["embeddingsPending"] == 0
    assert [one["indexStatus"] for one in shown["entries"]] == ["ready"]
    assert bench.ask("status", scope="global")["embeddingsPending"] == 0


@pytest.mark.requirement(
    "workspace.get.embeddings-pending",
    "workspace.status.embeddings-pending",
    "workspace.ingest.embeddings-pending",
    "workspace.ingest.ready-means-found",
)
def test_a_model_that_is_away_leaves_the_words_and_says_so(open_bench: OpenBench) -> None:
    bench = open_bench(embedding_url="http://127.0.0.1:9/v1")
    bench.add(None, bench.write("docs/refunds.md", "# Refunds\n\nSays osmium.\n"))
    bench.add(None, bench.write("src/a.py", "def osmium():\n    return 1\n"), "code_intelligence")
    answer = bench.ingest()
    assert {one["status"] for one in answer["targets"]} == {"ready"}
    shown = bench.get()
    chunks = sum(one["chunkCount"] for one in shown["resources"])
    assert answer["embeddingsPending"] == shown["embeddingsPending"] == chunks > 1
    assert bench.ask("status")["embeddingsPending"] == chunks
    for one in shown["resources"]:
        assert (one["indexStatus"], one["embeddingsPending"]) == ("ready", one["chunkCount"])
    assert len(bench.hits("osmium")) == 2
    found = bench.ask("code_map", query="definition of osmium")
    assert (found["target"], found["groupCounts"]["definitions"]["total"]) == ("osmium", 1)


@pytest.mark.requirement("workspace.status.embeddings-previewed")
def test_bulk_text_has_previews_first_and_they_are_counted(open_bench: OpenBench) -> None:
    bench = open_bench(embedding_url=None)
    said = " ".join(f"The osmium of refund {n} is weighed before it is paid." for n in range(40))
    bench.add(None, bench.write("docs/refunds.md", f"# Refunds\n\n{said}\n"))
    answer = bench.ingest()
    assert answer["embeddingsPending"] == 0, "a preview is what an ingest waits for"
    (shown,) = bench.get()["resources"]
    status = bench.ask("status")
    assert status["embeddingsPreviewed"] == shown["embeddingsPreviewed"] == shown["chunkCount"] > 0
    found = bench.ask("search", query="How is a refund paid?", responseProfile="debug")
    assert found["diagnostics"]["embeddingsPreviewed"] == shown["chunkCount"]
    assert found["hits"]
    bench.premises.embed()
    assert bench.ask("status")["embeddingsPreviewed"] == 0
    assert "embeddingsPreviewed" not in bench.get()["resources"][0]


@pytest.mark.requirement("workspace.status.embeddings-left-out")
def test_what_a_tool_made_is_found_by_its_words_and_not_embedded(bench: Bench) -> None:
    project = bench.project()
    bench.write("shop/src/api.py", "# Code generated by apigen. DO NOT EDIT.\ndef osmium(): ...\n")
    bench.add(project, bench.write("shop/src/own.py", "def iridium(): ...\n"), "code_intelligence")
    assert bench.ingest(project)["embeddingsPending"] == 0
    status = bench.ask("status", **scoped(project))
    left_out = status["chunkCount"] - 1
    assert (status["embeddingsLeftOut"], status["embeddingsPreviewed"]) == (left_out, 0)
    assert bench.get(project)["resources"][0]["embeddingsLeftOut"] == left_out > 0
    assert [hit["path"] for hit in bench.hits("osmium", **scoped(project))] == ["src/api.py"]


@pytest.mark.requirement("workspace.ingest.embedding-budget")
def test_an_ingest_waits_for_embeddings_only_so_long(open_bench: OpenBench) -> None:
    assert load_settings().ingest_embedding_seconds == 30
    bench = open_bench(ingest_embedding_seconds=0)
    bench.add(None, bench.write("docs/refunds.md", "# Refunds\n\nSays osmium.\n"))
    answer = bench.ingest()
    assert (answer["readyCount"], answer["embeddingsPending"]) == (1, 1)
    assert bench.get()["embeddingsPending"] == 1
    assert len(bench.hits("osmium")) == 1
    bench.premises.embed()
    assert bench.get()["embeddingsPending"] == 0


@pytest.mark.requirement("workspace.get.empty-scope", "workspace.status.empty")
def test_an_empty_project_is_no_error(bench: Bench) -> None:
    project = bench.project()
    assert bench.get(project) == {
        "scope": "project",
        "attachments": [],
        "resources": [],
        "staleCount": 0,
        "failedCount": 0,
        "embeddingsPending": 0,
    }
    status = bench.ask("status", **scoped(project))
    counts = {name: value for name, value in status.items() if name.endswith("Count")}
    assert set(counts.values()) == {0}
    assert status["indexedLanguages"] == []
    assert status["symbolKindCounts"] == status["referenceKindCounts"] == {}


@pytest.mark.requirement("workspace.sources.docs-folder", "workspace.sources.docs-are-searchable")
def test_a_docs_folder_is_found_as_such(bench: Bench) -> None:
    project = furnished(bench)
    hit = bench.hits("refunds", **scoped(project), knowledgeTypes=["docs"])[0]
    assert (hit["knowledgeType"], hit["resourceKind"]) == ("docs", "folder")


@pytest.mark.requirement("workspace.sources.code-folder")
def test_a_code_folder_serves_search_and_code_map(bench: Bench) -> None:
    project = furnished(bench)
    assert bench.hits("RetryPolicy", **scoped(project))[0]["knowledgeType"] == "code_intelligence"
    mapped = bench.ask("code_map", query="definition of RetryPolicy", **scoped(project))
    assert mapped["groups"]


@pytest.mark.requirement("workspace.sources.other-languages-searchable")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", "def parse_config():\n    return 1\n"),
        ("b.go", "func ParseConfig() int { return 1 }\n"),
    ],
)
def test_other_languages_are_found_by_search(desk: Bench, name: str, text: str) -> None:
    desk.add(None, desk.write(f"src/{name}", text), "code_intelligence")
    desk.ingest()
    (hit,) = desk.hits("parse config", scope="global")
    assert hit["knowledgeType"] == "code_intelligence"
