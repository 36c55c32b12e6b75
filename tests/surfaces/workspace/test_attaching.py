"""update_sources: one resource in several scopes, all or nothing, and what leaves with it."""

from __future__ import annotations

import threading

import pytest

from tests.surfaces.workspace.bench import (
    MISSING,
    UNSUPPORTED,
    Bench,
    Shown,
    adding,
    attached,
    docs,
    scoped,
)


@pytest.mark.requirement("workspace.update_sources.all-or-nothing")
def test_one_wrong_operation_stops_all(bench: Bench) -> None:
    project = bench.project()
    wrong = {"op": "enable", "attachmentId": "att_none"}
    assert bench.change_refused(project, adding(docs(bench)), wrong)["code"] == MISSING
    assert bench.get(project)["resources"] == []
    forbidden = adding("/etc/ssh")
    assert bench.change_refused(None, adding(docs(bench)), forbidden)
    assert bench.get(None)["resources"] == []


@pytest.mark.requirement("workspace.update_sources.already-attached")
@pytest.mark.requirement("workspace.update_sources.trailing-slash")
def test_the_same_folder_is_attached_once(bench: Bench) -> None:
    project = bench.project()
    folder = docs(bench)
    first = bench.add(project, folder, label="Docs")
    for locator in (f"{folder}/", folder.as_uri(), f"{folder.as_uri()}/", f"{folder}/../docs"):
        again = bench.add(project, locator)
        assert again == {**first, "status": "already_attached"}
    assert len(bench.attachments(project)) == 1


@pytest.mark.requirement("workspace.update_sources.already-attached")
def test_agents_who_attach_at_once_share_one_attachment(bench: Bench) -> None:
    project, folder = bench.project(), docs(bench)
    done: list[Shown] = []

    def attach() -> None:
        done.append(Bench(bench.premises, bench.folder, bench.org).add(project, folder))

    threads = [threading.Thread(target=attach) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 4
    assert len({one["attachmentId"] for one in done}) == 1
    assert sorted(one["status"] for one in done) == ["already_attached"] * 3 + ["attached"]


@pytest.mark.requirement("workspace.update_sources.resource-shared-across-scopes")
def test_a_folder_in_two_scopes_is_one_resource(bench: Bench) -> None:
    project = bench.project()
    here, there = bench.add(project, docs(bench)), bench.add(None, docs(bench))
    assert here["resourceId"] == there["resourceId"]
    assert here["attachmentId"] != there["attachmentId"]
    shown = bench.ask("get", scope="all")
    assert (len(shown["attachments"]), len(shown["resources"])) == (2, 1)


@pytest.mark.requirement("workspace.update_sources.remove-keeps-shared-resource")
def test_a_shared_folder_stays_for_the_others(bench: Bench) -> None:
    project = bench.project()
    here, there = bench.add(project, docs(bench)), bench.add(None, docs(bench))
    bench.ingest(project)
    bench.change(project, {"op": "remove", "attachmentId": here["attachmentId"]})
    (hit,) = bench.hits("refunds", scope="global")
    assert hit["effectiveAttachmentId"] == there["attachmentId"]
    assert bench.hits("refunds", **scoped(project)) == []


@pytest.mark.requirement("workspace.update_sources.remove")
def test_a_removed_source_is_neither_listed_nor_found(bench: Bench) -> None:
    project = bench.project()
    id = bench.add(project, docs(bench))["attachmentId"]
    bench.ingest(project)
    assert bench.hits("refunds", **scoped(project))
    bench.change(project, {"op": "remove", "attachmentId": id})
    assert bench.attachments(project, includeDisabled=True) == []
    assert bench.get(project)["resources"] == []
    assert bench.hits("refunds") == []
    assert bench.ask("status")["chunkCount"] == 0


@pytest.mark.requirement(
    "workspace.update_sources.enable",
    "workspace.update_sources.disable",
    "workspace.update_sources.enable-without-ingest",
)
def test_a_source_can_be_switched_off_and_on(bench: Bench) -> None:
    project = bench.project()
    id = bench.add(project, docs(bench))["attachmentId"]
    bench.ingest(project)
    bench.change(project, {"op": "disable", "attachmentId": id})
    assert bench.attachments(project) == []
    assert attached(bench, project, id)["enabled"] is False
    assert bench.hits("refunds", **scoped(project)) == []
    assert bench.ask("code_map", query="docs for refunds", **scoped(project))["groups"] == {}
    bench.change(project, {"op": "enable", "attachmentId": id})
    assert attached(bench, project, id)["enabled"] is True
    assert bench.hits("refunds", **scoped(project))


@pytest.mark.requirement(
    "workspace.sources.compatibility-pairs-refused",
    "workspace.sources.only-two-pairs",
    "workspace.sources.entries-not-through-add",
    "workspace.policy.unsupported-shape",
    "workspace.errors.unsupported-source-type",
)
@pytest.mark.parametrize(
    "pair",
    [
        "attachment:file",
        "url:url",
        "code_intelligence:file",
        "docs:file",
        "docs:url",
        "Docs:folder",
        "agent_knowledge:folder",
        "agent_knowledge:note",
        "valdr_record:record",
        "valdr_record_materialized:folder",
    ],
)
def test_only_folders_of_docs_and_code_can_be_attached(desk: Bench, pair: str) -> None:
    knowledge_type, resource_kind = pair.split(":")
    operation = {**adding(docs(desk), knowledge_type), "resourceKind": resource_kind}
    assert desk.change_refused(None, operation)["code"] == UNSUPPORTED
    assert desk.get(None)["resources"] == []


@pytest.mark.requirement("workspace.update_sources.remove")
def test_a_notebook_is_not_removed_like_a_source(bench: Bench) -> None:
    note = bench.append(None, "A note.")
    removal = {"op": "remove", "attachmentId": note["attachmentId"]}
    bench.refused("record_entry", "update_sources", scope="global", operations=[removal])
    disabling = {"op": "disable", "attachmentId": note["attachmentId"]}
    assert bench.change(None, disabling)["operations"][0]["status"] == "disabled"
