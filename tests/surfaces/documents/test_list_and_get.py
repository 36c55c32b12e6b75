"""knowledge.list and knowledge.get: what they show of sources, and in which order."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from commonplace.model.source import SourceScope
from tests.stores import SteppingClock
from tests.surfaces.clients import Premises
from tests.surfaces.documents.asking import GET, LIST, NOT_FOUND, Asker, refuse
from tests.surfaces.documents.desk import SPACE, WS, Desk
from tests.surfaces.documents.website import Website
from tests.surfaces.nearness import near

_LISTED = {"id", "name", "type", "scope", "status", "chunkCount", "lastSyncedAt"}
_SHOWN = _LISTED | {"errorMessage", "createdAt"}


WRONG: tuple[Any, ...] = (5, None, [], "")


def moment(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


@pytest.mark.requirement("documents.list.workspace-required", "documents.list.workspace-string")
def test_the_workspace_is_a_required_string(asker: Asker) -> None:
    refuse(asker, LIST, "workspaceId")
    for wrong in WRONG:
        refuse(asker, LIST, "workspaceId", workspaceId=wrong)


@pytest.mark.requirement("documents.list.space-optional", "documents.list.empty")
def test_the_space_is_an_optional_string(asker: Asker) -> None:
    for space in ({}, {"spaceId": SPACE}, {"spaceId": None}):
        assert asker.call(LIST, workspaceId=WS, **space) == {"sources": [], "count": 0}
    refuse(asker, LIST, "spaceId", workspaceId=WS, spaceId=5)


@pytest.mark.requirement(
    "documents.list.output",
    "documents.list.source-fields",
    "documents.list.chunk-count-pending",
    "documents.list.last-synced-null",
    "documents.status.pending",
)
def test_a_source_that_waits_is_listed(both_ways: Desk) -> None:
    id = both_ways.page("Oil", "Text.", name="Oil page")
    listed = both_ways.asker.call(LIST, workspaceId=WS)
    assert (set(listed), listed["count"]) == ({"sources", "count"}, 1)
    (source,) = listed["sources"]
    assert source == {
        "id": id,
        "name": "Oil page",
        "type": "page",
        "scope": "workspace",
        "status": "pending",
        "chunkCount": 0,
        "lastSyncedAt": None,
    }


@pytest.mark.requirement(
    "documents.list.chunk-count",
    "documents.list.last-synced",
    "documents.list.id-form",
    "documents.get.output",
    "documents.get.same-as-list",
    "documents.get.error-message-null",
    "documents.get.created-at",
)
def test_a_ready_source_is_shown(both_ways: Desk, clock: SteppingClock) -> None:
    id = both_ways.file("a.md", "".join(f"# H{n}\n\n{'word ' * 40}\n\n" for n in range(3)))
    created = both_ways.get(id)["createdAt"]
    clock.advance(60)
    both_ways.read()
    (listed,) = both_ways.asker.call(LIST, workspaceId=WS)["sources"]
    shown = both_ways.get(id)
    assert (set(listed), set(shown)) == (_LISTED, _SHOWN)
    assert listed == {name: shown[name] for name in _LISTED}
    assert id.startswith("ks_")
    assert (shown["status"], shown["chunkCount"], shown["errorMessage"]) == ("ready", 3, None)
    assert shown["createdAt"] == created
    assert moment(created) <= moment(shown["lastSyncedAt"]) == clock()


@pytest.mark.requirement("documents.list.output", "documents.types.values")
def test_sources_of_every_type_are_listed_and_counted(both_ways: Desk, site: Website) -> None:
    assert both_ways.asker.call(LIST, workspaceId=WS) == {"sources": [], "count": 0}
    ids = {
        "page": both_ways.page("Oil", "Text."),
        "file": both_ways.file("a.txt", "Text."),
        "url": both_ways.url(site.put("/oil", "<p>Text.</p>")),
    }
    for reading in (False, True):
        if reading:
            both_ways.read()
        listed = both_ways.asker.call(LIST, workspaceId=WS)
        assert listed["count"] == len(listed["sources"]) == 3
        assert {source["type"]: source["id"] for source in listed["sources"]} == ids
        assert {kind: both_ways.get(id)["type"] for kind, id in ids.items()} == {
            kind: kind for kind in ids
        }


@pytest.mark.requirement("documents.list.all-statuses", "documents.status.values")
def test_sources_of_every_status_are_listed(
    both_ways: Desk, site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_ways.page("Ready", "Text.")
    both_ways.file("broken.pdf", b"%PDF-1.7 nothing")
    both_ways.read()
    both_ways.url(site.put("/slow", "<p>Slow text.</p>"), name="Slow")
    site.gate.clear()
    worker = both_ways.application.new_worker()
    while not site.asked:
        assert worker.step()
    both_ways.page("Waiting", "Text.")
    listed = both_ways.asker.call(LIST, workspaceId=WS)["sources"]
    statuses = {source["name"]: source["status"] for source in listed}
    assert statuses == {
        "Waiting": "pending",
        "Slow": "processing",
        "broken.pdf": "error",
        "Ready": "ready",
    }
    site.gate.set()
    assert worker.drain(60)
    assert {s["status"] for s in both_ways.asker.call(LIST, workspaceId=WS)["sources"]} == {
        "ready",
        "error",
    }


@pytest.mark.requirement("documents.list.order")
def test_the_newest_is_first(both_ways: Desk, clock: SteppingClock) -> None:
    for name in ("first", "second", "third"):
        both_ways.page("T", "Text.", name=name)
        clock.advance(1)
    both_ways.read()
    assert both_ways.names() == ["third", "second", "first"]


@pytest.mark.requirement("documents.list.example", "documents.get.example")
def test_the_documented_list_and_get(both_ways: Desk, site: Website, clock: SteppingClock) -> None:
    url = site.put("/start", "<main><h1>Start</h1><p>To begin, open the door.</p></main>")
    name = "Raven Docs - Getting Started"
    system = both_ways.url(url, name=name, scope=SourceScope.SYSTEM)
    clock.advance(1)
    both_ways.file("policies.txt", "Vacation is approved by managers.", name="Company Policies")
    both_ways.read()
    answer = both_ways.asker.call(LIST, workspaceId=WS, spaceId=SPACE)
    assert answer["count"] == 2
    found = {s["name"]: (s["type"], s["scope"], s["status"]) for s in answer["sources"]}
    assert found == {name: ("url", "system", "ready"), "Company Policies": ("file", "workspace",
                                                                             "ready")}  # fmt: skip
    assert all(s["chunkCount"] == 1 and moment(s["lastSyncedAt"]) for s in answer["sources"])
    source = both_ways.get(system)
    assert (source["type"], source["scope"], source["status"]) == ("url", "system", "ready")
    assert (source["errorMessage"], source["chunkCount"]) == (None, 1)
    assert moment(source["createdAt"]) <= moment(source["lastSyncedAt"])


@pytest.mark.requirement("documents.get.source-id-required", "documents.get.source-id-string")
def test_the_source_id_is_a_required_string(asker: Asker) -> None:
    refuse(asker, GET, "sourceId")
    for wrong in WRONG:
        refuse(asker, GET, "sourceId", sourceId=wrong)


@pytest.mark.requirement("documents.get.not-found")
def test_an_id_that_is_not_there_is_not_found(asker: Asker) -> None:
    for id in ("ks_none", "ks_123", "not an id", "'; DROP TABLE", "汉字", "a" * 200):
        error = asker.refusal(GET, sourceId=id)
        assert (error["code"], error["message"]) == (NOT_FOUND, "Resource not found"), id


@pytest.mark.requirement("documents.get.any-visible")
def test_get_needs_no_workspace(both_ways: Desk) -> None:
    ids = [
        both_ways.page("A", "Text.", space=SPACE),
        both_ways.page("B", "Text.", workspace="ws_2"),
        both_ways.page("C", "Text.", scope=SourceScope.SYSTEM),
    ]
    assert [both_ways.get(id)["scope"] for id in ids] == ["space", "workspace", "system"]


@pytest.mark.requirement("documents.get.other-org", "documents.expect.tenant-separation")
def test_another_org_sees_nothing(premises: Premises, desk: Desk) -> None:
    id = desk.page("Secret", f"{near(90)} is the secret.", space=SPACE)
    desk.page("Wide", f"{near(90)} is the secret too.")
    desk.read()
    eve = premises.caller("eve", "umbrella")
    place = {"workspaceId": WS, "spaceId": SPACE}
    assert eve.refusal(GET, sourceId=id) == eve.refusal(GET, sourceId="ks_none")
    assert eve.call(LIST, **place) == {"sources": [], "count": 0}
    found = eve.call("knowledge.search", query="secret", **place)
    assert found == {"results": [], "count": 0}
