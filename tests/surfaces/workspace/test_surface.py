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
@pytest.mark.parametrize("action", ACTIONS)
def test_an_answer_is_the_bare_object(desk: Bench, action: str) -> None:
    folder = desk.write("docs/a.md", "# A")
    desk.add(None, folder)
    note = {"mode": "append", "entryType": "agent_knowledge", "agentHandle": "a", "body": "B."}
    writing: dict[str, dict[str, Any]] = {
        "update_sources": {"scope": "global", "operations": [adding(folder)]},
        "record_entry": {"scope": "global", **note},
        "ingest": {"scope": "global"},
    }
    answer = desk.ask(action, **{**CALLS, **writing}[action])
    assert not {"success", "data", "result", "error"} & answer.keys()


@pytest.mark.requirement("workspace.tool.no-output-schema")
def test_its_answers_have_no_schema(desk: Bench) -> None:
    assert desk.caller.tools()[TOOL].output_schema is None


@pytest.mark.requirement("workspace.tool.schema-tells-apart")
def test_the_schema_names_what_only_search_takes(desk: Bench) -> None:
    properties = desk.caller.tools()[TOOL].input_schema["properties"]
    named = properties["action"]["description"].removeprefix("code_map refuses ").split(", ")
    # A value of no type that any argument takes: whoever knows the argument complains of that.
    wrong = {name: [None] for name in properties if name not in ("action", "params")}
    told = {action: desk.refusal(action, **wrong)["details"] for action in ("search", "code_map")}
    unknown = {
        action: {issue["path"][0] for issue in issues if issue["message"] == "unknown argument."}
        for action, issues in told.items()
    }
    assert set(named) == unknown["code_map"] - unknown["search"]
    assert {"retrievalMode", "exactToken", "offset", "trustTiers", "attachmentIds"} <= set(named)


@pytest.mark.requirement("workspace.tool.nested-params")
def test_arguments_may_be_nested(desk: Bench) -> None:
    whole = desk.ask("search", params={"query": "refunds", "topK": 3})
    assert whole == desk.ask("search", query="refunds", topK=3)
    assert whole == desk.ask("search", query="refunds", params={"topK": 3})
    assert whole == desk.ask("search", query="refunds", topK=3, params=None)
    desk.refused("query", "search", query="refunds", params={"query": "refunds"})
    desk.refused("topk", "search", params={"query": "refunds", "topk": 3})
    for wrong in ("query", 3, ["refunds"]):
        desk.refused("params", "search", params=wrong)


@pytest.mark.requirement("workspace.tool.error-envelope", "workspace.errors.validation")
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


@pytest.mark.requirement("workspace.tool.own-kinds")
def test_what_other_dialects_keep_is_not_its_own(bench: Bench) -> None:
    before = bench.ask("status")
    bench.caller.call("store_knowledge", title="Refunds", body="Refunds are slow.", tags=[])
    item = {"type": "gotcha", "project": "shop", "file_context": "a.py", "summary": "Refunds"}
    bench.caller.call("capture_knowledge", **item, content="Refunds are slow.")
    bench.premises.embed()
    assert bench.hits("refunds are slow") == []
    assert bench.ask("status") == before


@pytest.mark.requirement("workspace.tool.tenants-apart", "workspace.errors.project-not-found")
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
    assert (
        stranger.code("record_entry", **delete, entryId=note["id"]) == "KNOWLEDGE_ENTRY_NOT_FOUND"
    )
    assert len(bench.attachments(project)) == len(bench.get(project)["entries"]) == 1


@pytest.mark.requirement("workspace.tool.actions", "workspace.tool.scopes")
def test_reading_needs_one_scope_and_writing_another(desk: Bench) -> None:
    reader = desk.premises.caller("rita", desk.org, scopes="knowledge:read")
    for action, given in CALLS.items():
        assert reader.call(TOOL, action=action, **given)
    for action in ("update_sources", "record_entry", "ingest"):
        error = reader.refusal(TOOL, action=action)
        assert error["code"] == "KNOWLEDGE_AUTH_INSUFFICIENT_SCOPE", error
