"""status and help: real counts, and how to use the tool."""

from __future__ import annotations

import pytest

from tests.reading.test_git_log import git
from tests.surfaces.workspace.bench import TOOL, Bench, Shown, scoped
from tests.surfaces.workspace.test_listing import furnished

FIELDS = {
    *("profile", "scope", "resourceCount", "attachmentCount", "entryCount", "chunkCount"),
    *("codeChunkCount", "docsChunkCount", "codeResourceCount", "docsResourceCount"),
    *("symbolCount", "referenceCount", "resolvedReferenceCount", "unresolvedReferenceCount"),
    *("crossResourceReferenceCount", "symbolKindCounts", "referenceKindCounts"),
    *("staleCount", "failedCount", "watchingCount", "sweepOnlyCount"),
    *("activeEmbeddingModel", "indexedLanguages", "embeddingsPending", "graph"),
    *("embeddingsPreviewed", "embeddingsLeftOut", "commitCount", "commitLimit"),
}


def status(bench: Bench, project: str | None = None, **more: object) -> Shown:
    return bench.ask("status", **(scoped(project) if project else {}), **more)


@pytest.mark.requirement(
    "workspace.status.example",
    "workspace.status.counts-are-numbers",
    "workspace.status.resource-count",
    "workspace.status.attachment-count",
    "workspace.status.kind-resource-counts",
    "workspace.status.chunk-counts",
    "workspace.status.chunk-counts-match-get",
    "workspace.status.stale-count",
    "workspace.status.watching-counts",
    "workspace.status.indexed-languages",
    "workspace.status.active-model",
)
def test_the_example(bench: Bench) -> None:
    project = furnished(bench)
    answer = status(bench, project)
    assert answer.keys() >= FIELDS
    assert (answer["profile"], answer["scope"]) == ("full", "project")
    assert (answer["resourceCount"], answer["attachmentCount"]) == (2, 2)
    assert (answer["codeResourceCount"], answer["docsResourceCount"]) == (1, 1)
    counts = [value for name, value in answer.items() if name.endswith("Count")]
    assert all(isinstance(count, int) and count >= 0 for count in counts)
    assert answer["chunkCount"] == answer["codeChunkCount"] + answer["docsChunkCount"]
    shown = {one["knowledgeType"]: one["chunkCount"] for one in bench.get(project)["resources"]}
    assert (answer["codeChunkCount"], answer["docsChunkCount"]) == (
        shown["code_intelligence"],
        shown["docs"],
    )
    assert min(shown.values()) > 0
    assert (answer["staleCount"], answer["failedCount"]) == (0, 0)
    assert answer["watchingCount"] + answer["sweepOnlyCount"] == 2
    assert answer["activeEmbeddingModel"].startswith("nearness")
    assert answer["indexedLanguages"] == ["ts", "tsx"]


@pytest.mark.requirement("workspace.status.commit-count")
def test_commits_are_counted(bench: Bench) -> None:
    project = furnished(bench)
    assert (status(bench, project)["commitCount"], status(bench)["commitLimit"]) == (0, 1000)
    root = bench.folder_of("shop")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Begin")
    bench.ask("ingest", **scoped(project))
    assert status(bench, project)["commitCount"] == 2, "docs and code are a folder each"


@pytest.mark.requirement("workspace.status.scope-default")
def test_without_a_scope_everything_is_counted(bench: Bench) -> None:
    project = bench.project()
    bench.add(project, bench.write("shop/docs/a.md", "# A"))
    bench.add(None, bench.write("shared/a.md", "# A"))
    answer = status(bench)
    assert (answer["scope"], answer["attachmentCount"]) == ("all", 2)


@pytest.mark.requirement("workspace.status.project-ids-conditional")
def test_a_project_scope_needs_its_ids(desk: Bench) -> None:
    for scope in ("project", "projects"):
        assert desk.code("status", scope=scope) == "KNOWLEDGE_PROJECT_REQUIRED"
    project = desk.project()
    assert desk.ask("status", scope="projects", projectIds=[project])["scope"] == "projects"


@pytest.mark.requirement(
    "workspace.status.profile-values",
    "workspace.status.profile-default",
    "workspace.status.profile-summary",
)
def test_a_summary_leaves_out_the_kinds(desk: Bench) -> None:
    assert status(desk)["profile"] == "full"
    assert status(desk, profile="full").keys() >= FIELDS
    summary = status(desk, profile="summary")
    assert summary["profile"] == "summary"
    assert FIELDS - summary.keys() == {"symbolKindCounts", "referenceKindCounts"}
    for wrong in ("compact", 3):
        desk.refused("profile", "status", profile=wrong)


@pytest.mark.requirement(
    "workspace.status.entry-count", "workspace.status.entries-apart-from-sources"
)
def test_what_was_written_is_counted_apart(bench: Bench) -> None:
    project = furnished(bench)
    bench.append(project, "One.")
    bench.append(project, "Two.")
    bench.create(project)
    answer = status(bench, project)
    assert answer["entryCount"] == 2
    assert (answer["resourceCount"], answer["attachmentCount"]) == (2, 2)
    assert answer["chunkCount"] == answer["codeChunkCount"] + answer["docsChunkCount"] > 0


@pytest.mark.requirement("workspace.status.stale-count")
def test_stale_agrees_with_get(bench: Bench) -> None:
    project = furnished(bench)
    bench.add(project, bench.write("shop/more/a.md", "# A"))
    assert status(bench, project)["staleCount"] == bench.get(project)["staleCount"] == 1


@pytest.mark.requirement("workspace.status.reference-sum", "workspace.status.cross-resource")
def test_references_are_resolved_or_not(bench: Bench) -> None:
    lines = ("import { far } from 'far';", "function near() {}", "near();", "near();", "far();")
    folder = bench.write("src/a.ts", "\n".join(lines))
    bench.add(None, folder, "code_intelligence")
    bench.ingest()
    answer = status(bench)
    resolved, unresolved = answer["resolvedReferenceCount"], answer["unresolvedReferenceCount"]
    assert (resolved, unresolved, answer["referenceCount"]) == (2, 2, 4)
    assert answer["referenceKindCounts"] == {"call": 3, "import": 1}
    assert answer["crossResourceReferenceCount"] == 0


@pytest.mark.requirement("workspace.status.graph-field")
def test_the_graph_is_there_where_something_is_indexed(bench: Bench) -> None:
    def graphs() -> list[Shown]:
        mapped = bench.ask("code_map", query="definition of near")
        return [status(bench)["graph"], mapped["graph"]]

    assert graphs() == [{"symbols": False, "references": False}] * 2
    folder = bench.write("src/a.ts", "export function near() {}\n")
    bench.add(None, folder, "code_intelligence")
    assert graphs() == [{"symbols": False, "references": False}] * 2
    bench.ingest()
    assert graphs() == [{"symbols": True, "references": False}] * 2
    bench.write("src/b.ts", "import { near } from './a';\nnear();\n")
    bench.ingest()
    assert graphs() == [{"symbols": True, "references": True}] * 2


@pytest.mark.requirement(
    "workspace.help.no-arguments",
    "workspace.help.actions",
    "workspace.help.when-to-use",
    "workspace.help.query-patterns",
    "workspace.help.docs-path",
    "workspace.help.cautions",
)
def test_help_tells_how_to_use_the_tool(desk: Bench) -> None:
    answer = desk.ask("help")
    assert answer["actions"] == [
        *("get", "update_sources", "record_entry", "ingest"),
        *("search", "code_map", "status", "help"),
    ]
    assert answer["whenToUse"].keys() == {"search", "code_map"}
    assert all(text.endswith(".") for text in answer["whenToUse"].values())
    assert answer["queryPatterns"] == [
        "definition of <symbol|FQN>",
        "references to <symbol|FQN>",
        "callers of <symbol|FQN>",
        "imports of <symbol|FQN>",
        "tests for <symbol>",
        "docs for <symbol>",
    ]
    assert answer["docsPath"]
    cautions = " ".join(answer["cautions"])
    assert "compact" in cautions
    only_of_search = "retrievalMode exactToken offset trustTiers attachmentIds"
    assert all(name in cautions for name in [*only_of_search.split(), "includeScoreBreakdown"])


@pytest.mark.requirement(
    "workspace.help.examples",
    "workspace.help.example-values",
    "workspace.help.examples-verbatim",
    "workspace.tool.nested-params",
)
@pytest.mark.parametrize("begun", [True, False])
def test_the_examples_of_help_are_answered_as_they_are_printed(desk: Bench, begun: bool) -> None:
    if begun:
        desk.write("shop/src/a.py", "def a() -> int:\n    return 1\n")
        desk.project()
    answer = desk.ask("help")
    examples = answer["examples"]
    assert [*examples] == answer["actions"]
    (search,), (code_map,) = examples["search"], examples["code_map"]
    assert search["params"].keys() >= {"query", "pathPrefixes", "retrievalMode", "topK"}
    assert code_map["params"].keys() >= {"scope", "query", "topK"}
    for name, (example,) in examples.items():
        assert example.keys() == {"action", "params"}
        if begun or name not in {"update_sources", "ingest"}:
            assert desk.caller.call(TOOL, **example)
    if not begun:
        (operation,) = examples["update_sources"][0]["params"]["operations"]
        assert operation["locator"].startswith("<")


@pytest.mark.requirement("workspace.help.docs-path", "workspace.help.docs-path-readable")
def test_the_path_of_the_docs_leads_to_a_guide(desk: Bench) -> None:
    answer = desk.ask("help")
    guide = desk.caller.read_text(answer["docsPath"], "text/markdown")
    for action in answer["actions"]:
        part = guide.split(f"\n## {action}\n")[1].split("\n## ")[0]
        assert f'"action": "{action}"' in part
        assert ("retrievalMode" in part) is (action == "search")
    assert "KNOWLEDGE_VALIDATION" in guide
    assert desk.caller.read_refusal(f"{answer['docsPath']}-2").error.code < 0
    begun, _, id = answer["docsPath"].rpartition("/")
    assert desk.caller.completions(f"{begun}/{{id}}", id[:2]) == [id]
    assert desk.caller.completions(f"{begun}/{{id}}", "x") == []


@pytest.mark.requirement("workspace.help.patterns-work")
def test_each_pattern_is_understood(desk: Bench) -> None:
    furnished(desk)
    intents = []
    for pattern in desk.ask("help")["queryPatterns"]:
        query = pattern.split("<")[0] + "RetryPolicy"
        intents.append(desk.ask("code_map", query=query)["intent"])
    assert intents == ["definition", "reference", "caller", "import", "test", "doc"]
