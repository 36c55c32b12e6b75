"""update_sources: adding, changing and removing what is attached."""

from __future__ import annotations

import pytest

from tests.surfaces.workspace.bench import (
    MISSING,
    Bench,
    Shown,
    adding,
    attached,
    docs,
)


@pytest.mark.requirement("workspace.update_sources.scope-required")
def test_the_scope_is_required(desk: Bench) -> None:
    desk.refused("scope", "update_sources", operations=[adding(docs(desk))])


@pytest.mark.requirement("workspace.update_sources.project-id-required")
def test_a_project_scope_needs_its_project(desk: Bench) -> None:
    operations = [adding(docs(desk))]
    assert (
        desk.code("update_sources", scope="project", operations=operations)
        == "KNOWLEDGE_PROJECT_REQUIRED"
    )
    assert desk.ask("update_sources", scope="global", operations=operations)


@pytest.mark.requirement("workspace.update_sources.operations-required")
@pytest.mark.parametrize(
    "given", [{}, {"operations": []}, {"operations": adding("/x")}, {"operations": "add"}]
)
def test_operations_are_a_list_of_at_least_one(desk: Bench, given: Shown) -> None:
    desk.refused("operations", "update_sources", scope="global", **given)


@pytest.mark.requirement(
    "workspace.update_sources.many-operations",
    "workspace.update_sources.operation-result",
    "workspace.update_sources.statuses",
)
def test_operations_are_done_in_order(bench: Bench) -> None:
    project = bench.project()
    first = bench.add(project, docs(bench, "one"))["attachmentId"]
    answer = bench.change(
        project,
        {"op": "disable", "attachmentId": first},
        adding(docs(bench, "two")),
        {"op": "update", "attachmentId": first, "label": "One", "enabled": True},
        {"op": "remove", "attachmentId": first},
        adding(docs(bench, "one")),
        adding(docs(bench, "two")),
    )
    done = [(one["op"], one["status"]) for one in answer["operations"]]
    assert done == [
        ("disable", "disabled"),
        ("add", "attached"),
        ("update", "updated"),
        ("remove", "detached"),
        ("add", "attached"),
        ("add", "already_attached"),
    ]
    results = answer["operations"]
    assert all(one["attachmentId"] and one["resourceId"] for one in results)
    assert results[-2]["attachmentId"] != first
    assert [one["label"] for one in answer["attachments"]] == ["two", "one"]
    enabled = bench.change(project, {"op": "enable", "attachmentId": results[1]["attachmentId"]})
    assert enabled["operations"][0]["status"] == "enabled"


@pytest.mark.requirement("workspace.update_sources.unknown-op")
@pytest.mark.parametrize("op", ["attach", "ADD", None, 3])
def test_another_operation_is_refused(desk: Bench, op: object) -> None:
    error = desk.change_refused(None, {"op": op, "attachmentId": "att_x"})
    assert "op" in error["message"]


@pytest.mark.requirement(
    "workspace.update_sources.example",
    "workspace.update_sources.echoes-scope",
    "workspace.update_sources.answer-attachments",
    "workspace.update_sources.answer-resources",
    "workspace.update_sources.add-is-stale",
    "workspace.sources.code-folder",
)
def test_the_example(bench: Bench) -> None:
    project = bench.project()
    folder = bench.write("shop/services/checkout/src/a.ts", "export class A {}")
    operation = {
        "op": "add",
        "knowledgeType": "code_intelligence",
        "resourceKind": "folder",
        "locator": folder.as_uri(),
        "label": "Checkout Service Source",
        "trustTier": "operational",
    }
    answer = bench.change(project, operation)
    assert answer.keys() == {"scope", "projectId", "operations", "attachments", "resources"}
    assert (answer["scope"], answer["projectId"]) == ("project", project)
    (done,) = answer["operations"]
    assert (done["op"], done["status"]) == ("add", "attached")
    assert answer["attachments"] == [
        {
            "id": done["attachmentId"],
            "resourceId": done["resourceId"],
            "scopeType": "project",
            "scopeId": project,
            "projectKey": "shop",
            "trustTier": "operational",
            "rankingWeight": 1,
            "enabled": True,
            "label": "Checkout Service Source",
        }
    ]
    assert answer["resources"] == [
        {
            "id": done["resourceId"],
            "knowledgeType": "code_intelligence",
            "resourceKind": "folder",
            "displayName": "Checkout Service Source",
            "canonicalLocator": folder.as_uri(),
            "indexStatus": "stale",
        }
    ]
    shown = bench.get(project)
    assert shown["attachments"] == answer["attachments"]
    assert shown["resources"] == answer["resources"]
    assert shown["staleCount"] == 1


@pytest.mark.requirement(
    "workspace.update_sources.echoes-scope",
    "workspace.update_sources.add-global",
    "workspace.sources.docs-folder",
    "workspace.get.global-without-project-key",
)
def test_a_folder_that_no_project_owns(bench: Bench) -> None:
    answer = bench.change(None, adding(docs(bench)))
    assert answer["scope"] == "global"
    assert "projectId" not in answer
    (attachment,) = answer["attachments"]
    assert attachment["scopeType"] == "global"
    assert "projectKey" not in attachment
    assert bench.attachments(None) == [attachment]
    assert bench.ask("get", scope="all")["attachments"] == [attachment]


@pytest.mark.requirement("workspace.update_sources.add-required-fields")
@pytest.mark.parametrize("name", ["knowledgeType", "resourceKind", "locator"])
def test_an_added_folder_needs_its_fields(desk: Bench, name: str) -> None:
    operation = adding("/somewhere")
    del operation[name]
    desk.refused(name, "update_sources", scope="global", operations=[operation])


@pytest.mark.requirement(
    "workspace.update_sources.add-label",
    "workspace.update_sources.add-trust-tier",
    "workspace.update_sources.add-ranking-weight",
    "workspace.update_sources.add-enabled",
    "workspace.trust.tiers",
)
@pytest.mark.parametrize("tier", ["canonical", "operational", "memory"])
def test_what_is_said_of_a_source_is_kept(bench: Bench, tier: str) -> None:
    said: Shown = {"label": "Runbooks", "trustTier": tier, "rankingWeight": 0.8, "enabled": False}
    done = bench.add(None, docs(bench), **said)
    assert attached(bench, None, done["attachmentId"]).items() >= said.items()
    assert bench.attachments(None) == []


@pytest.mark.requirement(
    "workspace.update_sources.add-enabled",
    "workspace.trust.default-on-add",
    "workspace.trust.ranking-weight-default-on-add",
)
def test_what_is_not_said_has_a_default(bench: Bench) -> None:
    done = bench.add(None, docs(bench))
    shown = attached(bench, None, done["attachmentId"])
    assert (shown["trustTier"], shown["rankingWeight"], shown["enabled"]) == (
        "operational",
        1,
        True,
    )
    assert shown["label"] == "docs"


@pytest.mark.requirement("workspace.update_sources.field-types", "workspace.trust.tiers")
@pytest.mark.parametrize("op", ["add", "update"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("label", 3),
        ("rankingWeight", "1"),
        ("enabled", "yes"),
        ("trustTier", "holy"),
        ("trustTier", 1),
    ],
)
def test_a_field_of_another_type_is_refused(desk: Bench, op: str, name: str, value: object) -> None:
    about = adding("/somewhere") if op == "add" else {"op": "update", "attachmentId": "att_x"}
    desk.refused(name, "update_sources", scope="global", operations=[{**about, name: value}])


@pytest.mark.requirement("workspace.trust.ranking-weight-bounds-on-add")
def test_the_bounds_of_a_weight(bench: Bench) -> None:
    done = bench.add(None, docs(bench), rankingWeight=0.1)
    change = {"op": "update", "attachmentId": done["attachmentId"]}
    for weight in (2.0, 0.1, 2):
        assert bench.change(None, {**change, "rankingWeight": weight})
        assert attached(bench, None, done["attachmentId"])["rankingWeight"] == weight
    for weight in (0.09, 2.1):
        bench.refused(
            "rankingWeight",
            "update_sources",
            scope="global",
            operations=[{**change, "rankingWeight": weight}],
        )
        operations = [adding(docs(bench, "two"), rankingWeight=weight)]
        bench.refused("rankingWeight", "update_sources", scope="global", operations=operations)


@pytest.mark.requirement("workspace.update_sources.attachment-id-required")
@pytest.mark.parametrize("op", ["remove", "enable", "disable", "update"])
def test_a_change_needs_an_attachment(desk: Bench, op: str) -> None:
    operation = {"op": op, **({"label": "B"} if op == "update" else {})}
    desk.refused("attachmentId", "update_sources", scope="global", operations=[operation])


@pytest.mark.requirement("workspace.update_sources.unknown-attachment")
@pytest.mark.parametrize("op", ["remove", "enable", "disable", "update"])
def test_an_attachment_that_does_not_exist(bench: Bench, op: str) -> None:
    operation = {"op": op, "attachmentId": "att_none"}
    operation |= {"label": "B"} if op == "update" else {}
    error = bench.change_refused(None, operation)
    assert error["code"] == MISSING
    assert "att_none" in error["message"]


@pytest.mark.requirement(
    "workspace.update_sources.attachment-of-other-scope", "workspace.errors.attachment-not-found"
)
@pytest.mark.parametrize("op", ["remove", "enable", "disable", "update"])
def test_an_attachment_of_another_scope_is_not_there(bench: Bench, op: str) -> None:
    project, other = bench.project(), bench.project("other")
    id = bench.add(project, docs(bench))["attachmentId"]
    before = attached(bench, project, id)
    operation = {"op": op, "attachmentId": id, **({"label": "B"} if op == "update" else {})}
    for scope in (other, None):
        assert bench.change_refused(scope, operation)["code"] == MISSING
    assert attached(bench, project, id) == before


@pytest.mark.requirement(
    "workspace.update_sources.update-label",
    "workspace.update_sources.update-trust-tier",
    "workspace.update_sources.update-ranking-weight",
    "workspace.update_sources.update-enabled",
    "workspace.update_sources.update-keeps-others",
)
@pytest.mark.parametrize(
    ("name", "value"),
    [("label", "New"), ("trustTier", "memory"), ("rankingWeight", 1.5), ("enabled", False)],
)
def test_an_update_changes_one_thing(bench: Bench, name: str, value: object) -> None:
    id = bench.add(None, docs(bench), label="Old", trustTier="canonical")["attachmentId"]
    before = attached(bench, None, id)
    bench.change(None, {"op": "update", "attachmentId": id, name: value})
    assert attached(bench, None, id) == {**before, name: value}


@pytest.mark.requirement("workspace.update_sources.update-enabled")
def test_an_update_can_switch_on_again(bench: Bench) -> None:
    id = bench.add(None, docs(bench), enabled=False)["attachmentId"]
    bench.change(None, {"op": "update", "attachmentId": id, "enabled": True})
    assert [one["id"] for one in bench.attachments(None)] == [id]


@pytest.mark.requirement("workspace.update_sources.update-needs-mutable-field")
def test_an_update_without_a_change_is_refused(desk: Bench) -> None:
    id = desk.add(None, docs(desk))["attachmentId"]
    desk.refused(
        "label", "update_sources", scope="global", operations=[{"op": "update", "attachmentId": id}]
    )


@pytest.mark.requirement("workspace.update_sources.field-types")
@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "attachmentId": "att_x", "label": "B"},
        {"op": "update", "attachmentId": "att_x", "locator": "/x", "label": "B"},
        {**adding("/x"), "attachmentId": "att_x"},
    ],
)
def test_what_an_operation_does_not_take_is_refused(desk: Bench, operation: Shown) -> None:
    desk.refused("does not take", "update_sources", scope="global", operations=[operation])
