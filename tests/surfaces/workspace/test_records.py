"""Records: snapshots of things kept elsewhere, each by its type, id and version."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.workspace.bench import Bench, noting, recording, scoped

NOT_FOUND = "KNOWLEDGE_ENTRY_NOT_FOUND"
CONFLICT = "KNOWLEDGE_CONFLICT"


def update(bench: Bench, project: str | None, id: str, **given: Any) -> dict[str, Any]:
    answer = bench.ask("record_entry", **recording(project, "update"), entryId=id, **given)
    entry: dict[str, Any] = answer["entry"]
    return entry


@pytest.mark.requirement(
    "workspace.record_entry.mode-required", "workspace.errors.record-entry-mode-required"
)
def test_the_mode_is_asked_for_first(desk: Bench) -> None:
    code = "KNOWLEDGE_RECORD_ENTRY_MODE_REQUIRED"
    assert desk.code("record_entry") == code
    assert desk.code("record_entry", entryType="agent_knowledge", scope="nonsense") == code
    assert desk.code("record_entry", mode=None, scope="global") == code


@pytest.mark.requirement("workspace.record_entry.told-at-once")
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, ("mode", "append", "entryType", "scope")),
        ({"entryType": "agent_knowledge"}, ("mode", "agentHandle", "body", "entryId", "scope")),
        ({"mode": "append"}, ("entryType", "scope")),
        (
            {"mode": "append", "entryType": "agent_knowledge"},
            ("scope", "agentHandle", "body"),
        ),
        (
            {"mode": "create", "entryType": "valdr_record_materialized", "scope": "project"},
            ("projectId", "recordType", "recordId", "recordVersion"),
        ),
        (
            {"mode": "create", "entryType": "agent_knowledge", "scope": "nowhere", "bdy": "B."},
            ("mode", "append", "delete", "scope", "bdy"),
        ),
        (
            {"mode": "delete", "entryType": "agent_knowledge", "scope": "global", "body": "B."},
            ("entryId", "body"),
        ),
    ],
)
def test_all_that_is_wrong_is_told_at_once(
    desk: Bench, given: dict[str, Any], named: tuple[str, ...]
) -> None:
    message = desk.refusal("record_entry", **given)["message"]
    assert all(name in message for name in named), message


@pytest.mark.requirement("workspace.record_entry.mode-values")
@pytest.mark.parametrize("mode", ["upsert", "APPEND", "", 3])
def test_another_mode_is_refused(desk: Bench, mode: object) -> None:
    given = {"entryType": "agent_knowledge", "scope": "global"}
    desk.refused("mode", "record_entry", mode=mode, **given)


@pytest.mark.requirement("workspace.record_entry.entry-type-required")
@pytest.mark.requirement("workspace.record_entry.scope-required")
@pytest.mark.requirement("workspace.sources.entry-types")
def test_type_and_scope_are_required(desk: Bench) -> None:
    given = {"agentHandle": "reviewer", "body": "A note."}
    desk.refused("entryType", "record_entry", mode="append", scope="global", **given)
    desk.refused("scope", "record_entry", mode="append", entryType="agent_knowledge", **given)
    for wrong in ("docs", "valdr_record", 3):
        other = {"mode": "append", "scope": "global", "entryType": wrong}
        desk.refused("entryType", "record_entry", **other, **given)


@pytest.mark.requirement("workspace.record_entry.project-id-required")
def test_a_project_scope_needs_its_project(desk: Bench) -> None:
    given = {**noting(None), "agentHandle": "reviewer", "body": "A note."}
    assert desk.code("record_entry", **{**given, "scope": "project"}) == (
        "KNOWLEDGE_PROJECT_REQUIRED"
    )
    assert desk.ask("record_entry", **given)


@pytest.mark.requirement("workspace.record_entry.entry-id-required")
def test_a_change_needs_the_entry(desk: Bench) -> None:
    desk.refused("entryId", "record_entry", **recording(None, "update"), title="T")
    desk.refused("entryId", "record_entry", **recording(None, "delete"))
    desk.refused("entryId", "record_entry", **noting(None, "delete"))


@pytest.mark.requirement(
    "workspace.record.create-example",
    "workspace.record.index-status-stale",
    "workspace.record.given-tier",
    "workspace.sources.entry-types",
)
def test_the_example(bench: Bench) -> None:
    project = bench.project()
    entry = bench.create(
        project,
        "Acceptance notes for retry behavior and alert routing.",
        recordId="CHECKOUT-42",
        title="Refund retry acceptance snapshot",
        trustTier="canonical",
    )
    assert entry.pop("id").startswith("entry_")
    assert entry.pop("attachmentId").startswith("att_")
    assert entry == {
        "entryType": "valdr_record_materialized",
        "scopeType": "project",
        "scopeId": project,
        "recordType": "task",
        "recordId": "CHECKOUT-42",
        "recordVersion": 1,
        "title": "Refund retry acceptance snapshot",
        "trustTier": "canonical",
        "rankingWeight": 1,
        "indexStatus": "stale",
    }


@pytest.mark.requirement("workspace.record.default-tier", "workspace.record_entry.trust-tier")
def test_what_is_not_said_has_a_default(bench: Bench) -> None:
    entry = bench.create(None, None)
    assert (entry["trustTier"], entry["rankingWeight"]) == ("operational", 1)
    assert entry["title"] == "task T-1"


@pytest.mark.requirement("workspace.record.identity-required")
@pytest.mark.parametrize("name", ["recordType", "recordId", "recordVersion"])
def test_a_record_needs_its_identity(desk: Bench, name: str) -> None:
    given = {"recordType": "task", "recordId": "T-1", "recordVersion": 1, "body": "B."}
    del given[name]
    desk.refused(name, "record_entry", **recording(None, "create"), **given)


@pytest.mark.requirement("workspace.record.record-version-number")
def test_a_version_is_a_number(bench: Bench) -> None:
    for number, version in enumerate([0, 1, 2.5, 20_260_524_123_456_789]):
        entry = bench.create(None, recordId=f"T-{number}", recordVersion=version)
        assert entry["recordVersion"] == version
    for wrong in ([1], {"major": 1}, "1", True):
        given = {"recordType": "task", "recordId": "T-9", "recordVersion": wrong, "body": "B."}
        bench.refused("recordVersion", "record_entry", **recording(None, "create"), **given)


@pytest.mark.requirement("workspace.record.record-types")
@pytest.mark.parametrize("kind", ["task", "sprint", "plan", "review", "project"])
def test_a_record_is_of_any_type(desk: Bench, kind: str) -> None:
    assert desk.create(None, recordType=kind)["recordType"] == kind


@pytest.mark.requirement("workspace.record.version-clash", "workspace.errors.conflict")
def test_the_same_version_again_is_a_conflict(bench: Bench) -> None:
    project = bench.project()
    first = bench.create(project, "Refunds are slow.", title="First")
    given = {"recordType": "task", "recordId": "T-1", "recordVersion": 1.0, "body": "Other."}
    clash = bench.refusal("record_entry", **recording(project, "create"), **given)
    assert clash["code"] == CONFLICT
    assert "update it instead" in clash["message"]
    assert bench.hits("refunds")[0]["title"] == "First"
    assert bench.hits("other", retrievalMode="lexical") == []
    elsewhere = bench.create(None)
    assert elsewhere["id"] != first["id"]


@pytest.mark.requirement("workspace.record.new-version-new-entry")
def test_a_higher_version_is_another_entry(bench: Bench) -> None:
    first = bench.create(None)
    second = bench.create(None, recordVersion=2)
    assert first["id"] != second["id"]
    assert bench.ask("status")["entryCount"] == 2


@pytest.mark.requirement("workspace.record.update")
def test_a_record_can_be_changed(bench: Bench) -> None:
    project = bench.project()
    id = bench.create(project, "Refunds are slow.", title="Snapshot")["id"]
    bench.ingest(project)
    changed = update(bench, project, id, title="Newer", body="Settlement is nightly.")
    assert (changed["id"], changed["title"], changed["recordVersion"]) == (id, "Newer", 1)
    assert changed["indexStatus"] == "stale"
    bench.ingest(project)
    assert bench.hits("settlement", **scoped(project))
    assert bench.hits("refunds", **scoped(project), retrievalMode="lexical") == []
    tiered = update(bench, project, id, trustTier="canonical", rankingWeight=0.5)
    assert (tiered["trustTier"], tiered["rankingWeight"], tiered["title"]) == (
        "canonical",
        0.5,
        "Newer",
    )
    assert update(bench, project, id, metadata={"state": "done"})["metadata"] == {"state": "done"}


@pytest.mark.requirement("workspace.record.update-needs-field")
def test_an_update_without_a_change_is_refused(desk: Bench) -> None:
    id = desk.create(None)["id"]
    desk.refused("title", "record_entry", **recording(None, "update"), entryId=id)


@pytest.mark.requirement("workspace.record.append-refused")
def test_a_record_is_not_appended_to(desk: Bench) -> None:
    given = {"agentHandle": "reviewer", "body": "A note."}
    desk.refused("mode", "record_entry", **recording(None, "append"), **given)


@pytest.mark.requirement("workspace.record.delete", "workspace.record_entry.deleted-not-found")
def test_a_record_can_be_deleted_once(bench: Bench) -> None:
    id = bench.create(None, "Refunds are slow.")["id"]
    delete = {**recording(None, "delete"), "entryId": id}
    assert bench.ask("record_entry", **delete) == {"deleted": True, "entryId": id}
    assert bench.code("record_entry", **delete) == NOT_FOUND
    assert bench.hits("refunds") == []
    assert "entries" not in bench.ask("get", scope="all")
    assert bench.create(None)["id"] != id


@pytest.mark.requirement("workspace.record.hit-types", "workspace.record.found-after-ingest")
def test_a_record_is_found_by_title_and_body(bench: Bench) -> None:
    project = bench.project()
    entry = bench.create(project, "Alerts go to the owner.", title="Refund snapshot")
    bench.ingest(project)
    for word in ("snapshot", "alerts"):
        (hit,) = bench.hits(word, **scoped(project), retrievalMode="lexical")
        assert (hit["knowledgeType"], hit["resourceKind"]) == ("valdr_record", "record")
        assert hit["attachmentIds"] == [entry["attachmentId"]]


@pytest.mark.requirement(
    "workspace.record_entry.unknown-entry",
    "workspace.record_entry.entry-of-other-scope",
    "workspace.errors.entry-not-found",
)
def test_a_record_of_another_scope_is_not_there(bench: Bench) -> None:
    project, other = bench.project(), bench.project("other")
    entry = bench.create(project, "Refunds.", title="Mine")
    for scope in (other, None):
        for mode, more in (("update", {"title": "Yours"}), ("delete", {})):
            given = {**recording(scope, mode), "entryId": entry["id"], **more}
            assert bench.code("record_entry", **given) == NOT_FOUND
    unknown = {**recording(project, "update"), "entryId": "entry_none", "title": "T"}
    assert bench.code("record_entry", **unknown) == NOT_FOUND
    notebook = {**noting(project, "delete"), "entryId": entry["id"]}
    assert bench.code("record_entry", **notebook) == NOT_FOUND
    assert bench.hits("refunds")[0]["title"] == "Mine"
