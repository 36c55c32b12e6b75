"""Notebooks: notes that an agent keeps in a scope."""

from __future__ import annotations

import pytest

from tests.surfaces.workspace.bench import INVALID, Bench, noting, scoped

NOT_FOUND = "KNOWLEDGE_ENTRY_NOT_FOUND"


@pytest.mark.requirement(
    "workspace.notebook.append-example",
    "workspace.notebook.latest-note",
    "workspace.notebook.derived-title",
    "workspace.notebook.default-tier",
    "workspace.notebook.default-weight",
    "workspace.notebook.created-at-first-append",
    "workspace.sources.entry-types",
)
def test_the_example(bench: Bench) -> None:
    project = bench.project()
    body = "Prefer the mock gateway contract when testing refunds."
    entry = bench.append(project, body, title="Reviewer memory")
    note = entry.pop("latestNote")
    assert note.pop("id").startswith("note_")
    assert note == {"title": "Reviewer memory", "body": body}
    assert entry.pop("id").startswith("entry_")
    assert entry.pop("attachmentId").startswith("att_")
    assert entry == {
        "entryType": "agent_knowledge",
        "scopeType": "project",
        "scopeId": project,
        "agentHandle": "checkout-reviewer",
        "title": "Checkout reviewer notebook",
        "trustTier": "memory",
        "rankingWeight": 0.7,
        "noteCount": 1,
    }


@pytest.mark.requirement(
    "workspace.notebook.one-per-agent-and-scope", "workspace.notebook.note-count"
)
def test_one_notebook_per_agent_and_scope(bench: Bench) -> None:
    project, other = bench.project(), bench.project("other")
    entries = [bench.append(project, f"Note {number}.") for number in range(3)]
    assert [entry["noteCount"] for entry in entries] == [1, 2, 3]
    assert len({entry["id"] for entry in entries}) == 1
    ids = {
        entries[0]["id"],
        bench.append(project, "Mine.", agentHandle="planner")["id"],
        bench.append(other, "There.")["id"],
        bench.append(None, "Everywhere.")["id"],
    }
    assert len(ids) == 4


@pytest.mark.requirement("workspace.notebook.handle-lowercased")
def test_a_handle_is_the_same_in_any_case(bench: Bench) -> None:
    first = bench.append(None, "One.", agentHandle="Checkout-Reviewer")
    second = bench.append(None, "Two.", agentHandle=" checkout-reviewer ")
    assert first["agentHandle"] == second["agentHandle"] == "checkout-reviewer"
    assert first["id"] == second["id"]


@pytest.mark.requirement("workspace.notebook.handle-required")
@pytest.mark.parametrize("given", [{}, {"agentHandle": " "}, {"agentHandle": 3}])
def test_a_note_needs_a_handle(desk: Bench, given: dict[str, object]) -> None:
    desk.refused("agentHandle", "record_entry", **noting(None), body="A note.", **given)


@pytest.mark.requirement("workspace.notebook.body-required", "workspace.record_entry.body-type")
@pytest.mark.parametrize("given", [{}, {"body": ""}, {"body": " \n"}, {"body": 3}, {"body": {}}])
def test_a_note_needs_a_body(desk: Bench, given: dict[str, object]) -> None:
    desk.refused("body", "record_entry", **noting(None), agentHandle="reviewer", **given)
    assert desk.ask("status")["entryCount"] == 0


@pytest.mark.requirement("workspace.notebook.create-refused", "workspace.notebook.update-refused")
@pytest.mark.parametrize("mode", ["create", "update"])
def test_a_notebook_is_only_appended_to_and_deleted(desk: Bench, mode: str) -> None:
    given = {"agentHandle": "reviewer", "body": "A note.", "entryId": "entry_x"}
    desk.refused("mode", "record_entry", **noting(None, mode), **given)


@pytest.mark.requirement("workspace.record_entry.title-optional")
def test_a_title_is_optional(bench: Bench) -> None:
    untitled = bench.append(None, "First line.\nSecond line.")
    assert untitled["latestNote"]["title"] == "First line."
    assert bench.append(None, "Body.", title="  Spaced ")["latestNote"]["title"] == "  Spaced "
    bench.refused("title", "record_entry", **noting(None), agentHandle="r", body="B.", title=3)


@pytest.mark.requirement(
    "workspace.record_entry.trust-tier",
    "workspace.record_entry.ranking-weight-bounds",
    "workspace.trust.tiers",
)
def test_trust_and_weight_are_kept(bench: Bench) -> None:
    for tier in ("canonical", "operational", "memory"):
        assert bench.append(None, "A note.", trustTier=tier)["trustTier"] == tier
    for weight in (0.1, 2.0):
        assert bench.append(None, "A note.", rankingWeight=weight)["rankingWeight"] == weight
    kept = bench.append(None, "One more.")
    assert (kept["trustTier"], kept["rankingWeight"]) == ("memory", 2.0)
    for name, value in (("trustTier", "holy"), ("rankingWeight", 0.09), ("rankingWeight", 2.1)):
        given = {"agentHandle": "r", "body": "B.", name: value}
        bench.refused(name, "record_entry", **noting(None), **given)


@pytest.mark.requirement("workspace.record_entry.metadata")
def test_metadata_is_any_object(bench: Bench) -> None:
    metadata = {"pr": 42, "labels": ["a", {"deep": None}], "": True}
    assert bench.append(None, "A note.", metadata=metadata)["latestNote"]["metadata"] == metadata
    for wrong in ("text", ["list"], 3):
        given = {"agentHandle": "r", "body": "B.", "metadata": wrong}
        bench.refused("metadata", "record_entry", **noting(None), **given)


@pytest.mark.requirement("workspace.notebook.delete-note-example")
@pytest.mark.requirement("workspace.notebook.delete-note-only-that")
def test_one_note_can_be_deleted(bench: Bench) -> None:
    project = bench.project()
    bench.append(project, "Refunds go through the gateway.")
    second = bench.append(project, "Chargebacks are manual.")
    bench.append(project, "Settlement runs nightly.")
    note = second["latestNote"]["id"]
    answer = bench.ask(
        "record_entry", **noting(project, "delete"), entryId=second["id"], noteId=note
    )
    assert answer == {
        "deleted": True,
        "entryId": second["id"],
        "noteId": note,
        "remainingNoteCount": 2,
    }
    assert bench.hits("chargebacks", retrievalMode="lexical") == []
    assert bench.hits("refunds", retrievalMode="lexical")
    assert bench.hits("settlement", retrievalMode="lexical")


@pytest.mark.requirement("workspace.notebook.delete-notebook")
@pytest.mark.requirement(
    "workspace.record_entry.deleted-not-found", "workspace.record_entry.delete-removes-attachment"
)
def test_a_whole_notebook_can_be_deleted(bench: Bench) -> None:
    entry = bench.append(None, "Refunds are slow.")
    bench.append(None, "Refunds are costly.")
    answer = bench.ask("record_entry", **noting(None, "delete"), entryId=entry["id"])
    assert answer == {"deleted": True, "entryId": entry["id"]}
    assert bench.hits("refunds") == []
    shown = bench.ask("get", scope="all", includeDisabled=True)
    assert (shown["attachments"], shown["resources"]) == ([], [])
    assert "entries" not in shown
    assert bench.ask("status")["entryCount"] == 0
    assert bench.append(None, "Anew.")["noteCount"] == 1


@pytest.mark.requirement("workspace.notebook.delete-unknown-note")
def test_a_note_that_is_not_in_the_notebook(bench: Bench) -> None:
    entry = bench.append(None, "One.")
    stranger = bench.append(None, "Two.", agentHandle="planner")["latestNote"]["id"]
    for note in ("note_none", stranger):
        given = {"entryId": entry["id"], "noteId": note}
        assert bench.code("record_entry", **noting(None, "delete"), **given) == NOT_FOUND
    assert bench.append(None, "Three.")["noteCount"] == 2


@pytest.mark.requirement("workspace.notebook.delete-last-note")
def test_the_last_note_leaves_an_empty_notebook(bench: Bench) -> None:
    entry = bench.append(None, "One.")
    given = {"entryId": entry["id"], "noteId": entry["latestNote"]["id"]}
    answer = bench.ask("record_entry", **noting(None, "delete"), **given)
    assert answer["remainingNoteCount"] == 0
    assert bench.ask("status")["entryCount"] == 1
    again = bench.append(None, "Two.")
    assert (again["id"], again["noteCount"]) == (entry["id"], 1)


@pytest.mark.requirement(
    "workspace.notebook.hit-types",
    "workspace.notebook.found-at-once",
    "workspace.notebook.append-adds-chunks",
    "workspace.record_entry.automatic-attachment",
)
def test_notes_are_found_at_once(bench: Bench) -> None:
    project = bench.project()
    entry = bench.append(project, "Refunds go through the gateway.")
    bench.append(project, "Chargebacks are manual.")
    for word in ("gateway", "chargebacks"):
        answer = bench.ask("search", query=word, **scoped(project))
        (hit,) = answer["hits"]
        assert (hit["knowledgeType"], hit["resourceKind"]) == ("agent_knowledge", "note")
        assert hit["resourceId"] == entry["id"]
        assert hit["effectiveAttachmentId"] == entry["attachmentId"]
        assert hit["attachmentIds"] == [entry["attachmentId"]]
        assert answer["attachments"][entry["attachmentId"]]["projectKey"] == "shop"


@pytest.mark.requirement("workspace.notebook.locator")
def test_the_locator_of_a_notebook(bench: Bench) -> None:
    project = bench.project()
    bench.append(project, "One.", agentHandle="Reviewer")
    bench.append(None, "Two.", agentHandle="Reviewer")
    shown = [r["canonicalLocator"] for r in bench.ask("get", scope="all")["entries"]]
    assert shown == [
        f"valdr-agent-notes://project/{project}/reviewer",
        "valdr-agent-notes://global/reviewer",
    ]


@pytest.mark.requirement("workspace.record_entry.source-policy-not-applied")
def test_a_project_without_roots_can_have_notes(bench: Bench) -> None:
    project = bench.project("bare", rooted=False)
    assert bench.append(project, "A note.")["noteCount"] == 1
    assert bench.create(project)["recordId"] == "T-1"


@pytest.mark.requirement(
    "workspace.record_entry.global-entry", "workspace.record_entry.project-entry"
)
def test_a_note_belongs_to_its_scope(bench: Bench) -> None:
    project, other = bench.project(), bench.project("other")
    shared, own = bench.append(None, "Refunds."), bench.append(project, "Chargebacks.")
    assert (shared["scopeType"], own["scopeType"]) == ("global", "project")
    assert own["scopeId"] == project
    assert bench.hits("refunds", scope="global")
    assert bench.hits("refunds", scope="all")
    assert bench.hits("refunds", **scoped(project)) == []
    assert bench.hits("chargebacks", **scoped(project))
    assert bench.hits("chargebacks", **scoped(other)) == []
    assert bench.hits("chargebacks", scope="global") == []


@pytest.mark.requirement(
    "workspace.record_entry.unknown-entry", "workspace.record_entry.entry-of-other-scope"
)
def test_a_notebook_of_another_scope_is_not_there(bench: Bench) -> None:
    project, other = bench.project(), bench.project("other")
    entry = bench.append(project, "One.")
    delete = {"entryId": entry["id"]}
    for scope in (other, None):
        assert bench.code("record_entry", **noting(scope, "delete"), **delete) == NOT_FOUND
        note = {**delete, "noteId": entry["latestNote"]["id"]}
        assert bench.code("record_entry", **noting(scope, "delete"), **note) == NOT_FOUND
    unknown = bench.code("record_entry", **noting(project, "delete"), entryId="entry_none")
    assert unknown == NOT_FOUND
    assert bench.append(project, "Two.")["noteCount"] == 2


@pytest.mark.requirement("workspace.record_entry.body-type")
@pytest.mark.parametrize("name", ["body", "title", "agentHandle", "entryId"])
def test_what_no_store_can_hold_is_refused(bench: Bench, name: str) -> None:
    given = {"agentHandle": "reviewer", "body": "A note.", name: "a\0b"}
    error = bench.refusal("record_entry", **noting(None), **given)
    assert error["code"] == INVALID
    assert "NUL" in error["message"]
    assert bench.ask("status")["entryCount"] == 0
