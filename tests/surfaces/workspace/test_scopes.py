"""Scopes: what each one shows, and which ids it needs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.workspace.bench import INVALID, Bench, Shown, adding

REQUIRED = "KNOWLEDGE_PROJECT_REQUIRED"
# What each action needs besides its scope.
READS: dict[str, Shown] = {
    "get": {},
    "search": {"query": "refund"},
    "code_map": {"query": "definition of Refund"},
    "status": {},
}
NOTE = {
    "mode": "append",
    "entryType": "agent_knowledge",
    "agentHandle": "reviewer",
    "body": "Refunds.",
}
WRITES: dict[str, Shown] = {
    "update_sources": {"operations": [{"op": "remove", "attachmentId": "att_x"}]},
    "record_entry": NOTE,
}


def furnished(bench: Bench) -> dict[str, str]:
    """Projects a, b and c with a docs folder each, and one folder that nobody owns; their ids."""
    projects = {key: bench.project(key) for key in ("a", "b", "c")}
    for key, project in projects.items():
        bench.add(project, bench.write(f"{key}/docs/page.md", f"# Refund {key}"), label=key)
    bench.add(None, bench.write("shared/page.md", "# Refund shared"), label="shared")
    return projects


def labels(answer: Shown) -> list[str]:
    return sorted(attachment["label"] for attachment in answer["attachments"])


@pytest.mark.requirement(
    "workspace.scope.project",
    "workspace.scope.projects",
    "workspace.scope.global",
    "workspace.scope.all",
)
def test_each_scope_shows_its_own(bench: Bench) -> None:
    ids = furnished(bench)
    bench.ask("ingest")
    shown: dict[str, Shown] = {
        "a": {"scope": "project", "projectId": ids["a"]},
        "a b": {"scope": "projects", "projectIds": [ids["a"], ids["b"]]},
        "shared": {"scope": "global"},
        "a b c shared": {"scope": "all"},
    }
    for expected, scope in shown.items():
        names = expected.split()
        assert labels(bench.ask("get", **scope)) == names
        assert bench.ask("status", **scope)["attachmentCount"] == len(names)
        found = {hit["sourceLabel"] for hit in bench.hits("refund", **scope)}
        assert found == set(names)
        grouped = bench.ask("code_map", query="docs for refund", **scope)["resources"].values()
        assert {resource["displayName"] for resource in grouped} <= set(names)


@pytest.mark.requirement(
    "workspace.scope.project-requires-project-id", "workspace.errors.project-required"
)
@pytest.mark.parametrize("action", [*READS, *WRITES, "ingest"])
def test_a_project_scope_needs_a_project(desk: Bench, action: str) -> None:
    given = {**READS, **WRITES}.get(action, {})
    assert desk.code(action, scope="project", **given) == REQUIRED


@pytest.mark.requirement("workspace.scope.project-requires-project-id")
@pytest.mark.parametrize("action", [*READS, "record_entry"])
def test_with_a_project_it_is_accepted(desk: Bench, action: str) -> None:
    given = {**READS, "record_entry": NOTE}[action]
    assert desk.ask(action, scope="project", projectId=desk.project(), **given)


@pytest.mark.requirement("workspace.scope.projects-requires-project-ids")
@pytest.mark.parametrize("action", READS)
@pytest.mark.parametrize("ids", [{}, {"projectIds": []}], ids=["none", "empty"])
def test_a_scope_of_projects_needs_projects(desk: Bench, action: str, ids: Shown) -> None:
    assert desk.code(action, scope="projects", **ids, **READS[action]) == REQUIRED


@pytest.mark.requirement("workspace.scope.projects-requires-project-ids")
@pytest.mark.parametrize("action", READS)
def test_with_projects_it_is_accepted(desk: Bench, action: str) -> None:
    ids = [desk.project("a"), desk.project("b")]
    assert desk.ask(action, scope="projects", projectIds=ids, **READS[action])
    assert desk.ask(action, scope="projects", projectIds=ids[:1], **READS[action])


@pytest.mark.requirement("workspace.scope.unknown-value")
@pytest.mark.parametrize("action", [*READS, *WRITES, "ingest"])
@pytest.mark.parametrize("scope", ["workspace", 3])
def test_another_scope_is_refused(desk: Bench, action: str, scope: object) -> None:
    given = {**READS, **WRITES}.get(action, {})
    desk.refused("scope", action, scope=scope, **given)


@pytest.mark.requirement(
    "workspace.scope.update-sources-write-scopes", "workspace.scope.record-entry-write-scopes"
)
@pytest.mark.parametrize("action", WRITES)
@pytest.mark.parametrize("scope", ["projects", "all"])
def test_nothing_is_written_to_several_scopes(desk: Bench, action: str, scope: str) -> None:
    ids = {"projectIds": [desk.project()]}
    assert desk.refusal(action, scope=scope, **WRITES[action], **ids)["code"] == INVALID
    desk.refused("scope", action, scope=scope, **WRITES[action])


@pytest.mark.requirement(
    "workspace.scope.update-sources-write-scopes",
    "workspace.scope.record-entry-write-scopes",
    "workspace.scope.attachment-has-one-scope",
    "workspace.scope.scope-id-is-identifier",
)
def test_what_is_written_belongs_to_one_scope(bench: Bench) -> None:
    project = bench.project()
    bench.add(project, bench.write("shop/docs/a.md", "# A"))
    bench.add(None, bench.write("shared/a.md", "# A"))
    bench.append(project, "A note.")
    bench.append(None, "Another note.")
    shown = bench.ask("get", scope="all")
    for listed in (shown["attachments"], shown["entries"]):
        owners = [(one["scopeType"], one["scopeId"]) for one in listed]
        assert owners == [("project", project), ("global", "global")]
    assert len(bench.attachments(project)) == len(bench.get(project)["entries"]) == 1


@pytest.mark.requirement("workspace.errors.project-not-found-names")
def test_a_wrong_project_leads_to_those_that_exist(desk: Bench) -> None:
    assert "commonplace init" in desk.refusal("get", scope="project", projectId="star")["message"]
    for key in ("shop", "ledger"):
        desk.project(key)
    message = desk.refusal("get", scope="project", projectId="star")["message"]
    assert message == "There is no project star. These exist: ledger, shop."
    stranger = desk.other_org().refusal("get", scope="project", projectId="shop")
    assert "ledger" not in stranger["message"]


@pytest.mark.requirement("workspace.scope.unknown-project", "workspace.errors.project-not-found")
@pytest.mark.parametrize("action", [*READS, *WRITES, "ingest"])
def test_a_project_that_does_not_exist_is_named(desk: Bench, action: str) -> None:
    given: dict[str, Any] = {**READS, **WRITES}.get(action, {})
    error = desk.refusal(action, scope="project", projectId="proj_none", **given)
    assert error["code"] == "KNOWLEDGE_PROJECT_NOT_FOUND"
    assert "proj_none" in error["message"]


@pytest.mark.requirement("workspace.scope.unknown-project")
def test_one_stranger_among_several_projects_is_refused(bench: Bench) -> None:
    error = bench.refusal("get", scope="projects", projectIds=[bench.project(), "proj_none"])
    assert "proj_none" in error["message"]


@pytest.mark.requirement("workspace.scope.project", "workspace.scope.scope-id-is-identifier")
def test_a_project_is_found_by_its_key_too(bench: Bench) -> None:
    project = bench.project("shop")
    folder = bench.write("shop/docs/a.md", "# A")
    answer = bench.change("shop", adding(folder))
    assert answer["projectId"] == project
    assert [one["scopeId"] for one in bench.attachments("shop")] == [project]
