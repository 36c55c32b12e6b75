"""The tool as a whole: its schema, its envelope, and who may use it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.workspace.bench import INVALID, TOOL, Bench, adding

ACTIONS = (
    "get",
    "update_sources",
    "record_entry",
    "ingest",
    "search",
    "code_map",
    "status",
    "help",
)
# The smallest call of each action that is answered.
CALLS: dict[str, dict[str, Any]] = {
    "get": {"scope": "all"},
    "search": {"query": "refunds"},
    "code_map": {"query": "definition of Refund"},
    "status": {},
    "help": {},
}


@pytest.mark.requirement("workspace.tool.listed", "workspace.tool.flat-arguments")
def test_the_tool_is_listed_with_one_flat_schema(desk: Bench) -> None:
    tool = desk.caller.tools()[TOOL]
    schema = tool.input_schema
    assert tool.description
    assert schema["required"] == ["action"]
    assert schema["properties"]["action"]["enum"] == list(ACTIONS)
    assert not {"oneOf", "anyOf", "allOf"} & schema.keys()
    assert {"scope", "projectId", "operations", "mode", "query"} <= schema["properties"].keys()


@pytest.mark.requirement("workspace.tool.flat-arguments")
def test_an_argument_of_several_actions_takes_what_any_of_them_takes(desk: Bench) -> None:
    properties = desk.caller.tools()[TOOL].input_schema["properties"]
    assert set(properties["mode"]["enum"]) == {
        *("create", "update", "delete", "append"),
        *("incremental", "rebuild"),
    }
    assert properties["scope"]["enum"] == ["project", "projects", "global", "all"]
    assert all("default" not in field for field in properties.values())


@pytest.mark.requirement("workspace.tool.actions")
@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_is_known(desk: Bench, action: str) -> None:
    result = desk.caller.ask(TOOL, action=action)
    assert "KNOWLEDGE_UNKNOWN_ACTION" not in str(result)


@pytest.mark.requirement("workspace.errors.unknown-action")
@pytest.mark.parametrize("action", ["explode", "", "GET", None, 7, ["get"]])
def test_another_action_is_refused(desk: Bench, action: object) -> None:
    error = desk.caller.refusal(TOOL, action=action)
    assert error["code"] == "KNOWLEDGE_UNKNOWN_ACTION"
    assert all(name in error["message"] for name in ACTIONS)


@pytest.mark.requirement("workspace.errors.unknown-action")
def test_a_call_without_an_action_is_refused(desk: Bench) -> None:
    assert desk.caller.refusal(TOOL)["code"] == "KNOWLEDGE_UNKNOWN_ACTION"


@pytest.mark.requirement("workspace.tool.bare-result")
@pytest.mark.parametrize("action", CALLS)
def test_an_answer_is_the_bare_object(desk: Bench, action: str) -> None:
    answer = desk.ask(action, **CALLS[action])
    assert not {"success", "data", "result", "error"} & answer.keys()


@pytest.mark.requirement("workspace.tool.error-envelope")
def test_a_refusal_says_what_is_wrong_and_where(desk: Bench) -> None:
    error = desk.refusal("get", scope="workspace", topk=3)
    assert error["code"] == INVALID
    assert {issue["path"][0] for issue in error["details"]} == {"scope", "topk"}
    assert desk.refusal("get", scope="project").keys() == {"code", "message"}


@pytest.mark.requirement("workspace.tool.unknown-argument")
@pytest.mark.parametrize("action", [*CALLS, "update_sources", "record_entry", "ingest"])
def test_an_argument_that_an_action_does_not_know_is_refused(desk: Bench, action: str) -> None:
    given = {"mode": "append"} if action == "record_entry" else {}
    desk.refused("topk", action, topk=3, **given)


@pytest.mark.requirement("workspace.tool.validation-nothing-written")
def test_a_refused_call_has_changed_nothing(bench: Bench) -> None:
    project = bench.project()
    docs = bench.write("shop/docs/a.md", "# A")
    bench.add(project, docs, label="Docs")
    before = bench.get(project), bench.ask("status")
    bench.change_refused(project, adding(docs.parent), {"op": "remove", "attachmentId": "att_x"})
    bench.change_refused(project, {"op": "update", "attachmentId": "att_x", "label": "B"})
    bench.refusal("record_entry", mode="create", entryType="agent_knowledge", scope="global")
    assert (bench.get(project), bench.ask("status")) == before


@pytest.mark.requirement("workspace.tool.no-tier-gate")
def test_it_works_without_a_licence_or_key(desk: Bench) -> None:
    assert desk.ask("status")["scope"] == "all"


@pytest.mark.requirement("workspace.tool.tenants-apart")
def test_an_agent_of_another_org_sees_nothing(bench: Bench) -> None:
    project = bench.project()
    done = bench.add(project, bench.write("shop/docs/a.md", "# Refunds"))
    note = bench.append(project, "Refunds are slow.")
    stranger = bench.other_org()
    assert stranger.ask("get", scope="all")["attachments"] == []
    assert stranger.ask("status")["chunkCount"] == 0
    assert stranger.ask("search", query="refunds")["hits"] == []
    assert stranger.code("get", scope="project", projectId=project) == "KNOWLEDGE_PROJECT_NOT_FOUND"
    removal = {"op": "remove", "attachmentId": done["attachmentId"]}
    assert stranger.change_refused(None, removal)["code"] == "KNOWLEDGE_ATTACHMENT_NOT_FOUND"
    delete = {"mode": "delete", "entryType": "agent_knowledge", "scope": "global"}
    assert stranger.code("record_entry", **delete, entryId=note["id"]) == "KNOWLEDGE_NOT_FOUND"
    assert len(bench.attachments(project)) == 2


@pytest.mark.requirement("workspace.tool.actions")
def test_reading_needs_one_scope_and_writing_another(desk: Bench) -> None:
    reader = desk.premises.caller("rita", desk.org, scopes="knowledge:read")
    assert reader.call(TOOL, action="status")["scope"] == "all"
    for action in ("update_sources", "record_entry", "ingest"):
        error = reader.refusal(TOOL, action=action)
        assert error["code"] == "KNOWLEDGE_AUTH_INSUFFICIENT_SCOPE", error
