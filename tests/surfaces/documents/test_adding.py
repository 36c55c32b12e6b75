"""Adding sources outside the three tools: over REST and by command."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from commonplace.documents.rules import NewSource
from commonplace.errors import AccessDenied, InvalidArgument, SourceTooLarge
from commonplace.model.actor import Scope
from commonplace.model.source import SourceScope, SourceType
from tests.cli.commands import run_here
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import GET, LIST, SEARCH, HttpAsker
from tests.surfaces.documents.conftest import http_asker
from tests.surfaces.documents.desk import SPACE, WS, Desk, actor_of
from tests.surfaces.documents.website import Website
from tests.surfaces.nearness import embedded_at, near
from tests.surfaces.processes import environment

SOURCES = "/api/sources"


def added(http: HttpAsker, **request: Any) -> dict[str, Any]:
    response = http.send("POST", SOURCES, **request)
    assert response.status_code == 201, response.text
    source: dict[str, Any] = response.json()["source"]
    return source


def refused(http: HttpAsker, field: str, **request: Any) -> int:
    """Nothing is made of what is refused."""
    response = http.send("POST", SOURCES, **request)
    assert field in response.json()["error"]["message"]
    assert http.call(LIST, workspaceId=WS, spaceId=SPACE)["count"] == 0
    return response.status_code


def page(**fields: Any) -> dict[str, Any]:
    return {"type": "page", "workspaceId": WS, "title": "Oil", "content": near(80), **fields}


@pytest.mark.requirement("documents.adding.command", "documents.adding.fields")
def test_each_kind_is_added_over_rest(http: HttpAsker, desk: Desk, site: Website) -> None:
    url = site.put("/a", f"<h1>Web</h1><p>{near(90)} of the web.</p>")
    fields = {"workspaceId": WS, "spaceId": SPACE, "name": "A file"}
    upload = ("a.md", f"# File\n\n{near(70)} of a file.".encode(), "text/markdown")
    sources = [
        added(http, json=page(name="A page")),
        added(http, json={"type": "url", "workspaceId": WS, "sourceUrl": url, "name": "A url"}),
        added(http, data=fields, files={"file": upload}),
    ]
    shown = [(s["name"], s["type"], s["scope"], s["status"]) for s in sources]
    assert shown == [
        ("A page", "page", "workspace", "pending"),
        ("A url", "url", "workspace", "pending"),
        ("A file", "file", "space", "pending"),
    ]
    desk.read()
    names = {"A page", "A url", "A file"}
    assert set(desk.names(spaceId=SPACE)) == names
    assert {r["sourceName"] for r in desk.search("oil", spaceId=SPACE)} == names
    assert set(desk.names()) == names - {"A file"}


@pytest.mark.requirement("documents.adding.name-length")
def test_a_name_has_at_most_255_characters(http: HttpAsker) -> None:
    assert refused(http, "name", json=page(name="n" * 256)) == 400
    assert refused(http, "name", json=page(name=" ")) == 400
    assert added(http, json=page(name="n" * 255))["name"] == "n" * 255


@pytest.mark.requirement("documents.adding.space-needs-space")
def test_a_scope_needs_its_place(http: HttpAsker) -> None:
    assert refused(http, "space", json=page(scope="space")) == 400
    assert refused(http, "space", json=page(scope="space", spaceId=" ")) == 400
    assert refused(http, "workspace", json=page(workspaceId=None)) == 400


@pytest.mark.requirement("documents.adding.fields")
def test_wrong_fields_are_named(http: HttpAsker) -> None:
    assert refused(http, "type", json=page(type="video")) == 400
    assert refused(http, "colour", json=page(colour="red")) == 400
    assert refused(http, "title", json=page(title="")) == 400
    assert refused(http, "url", json=page(type="url", sourceUrl="ftp://a/b")) == 400
    assert refused(http, "file", json=page(type="file")) == 400
    assert refused(http, "JSON", content=b"{") == 400
    assert refused(http, "file", data={"workspaceId": WS}, files={"other": b"x"}) == 400


@pytest.mark.requirement("documents.adding.command")
def test_an_upload_has_a_limit(
    open_premises: OpenPremises, portal: BlockingPortal, endpoint: str
) -> None:
    premises = open_premises(source_max_bytes=1000, **embedded_at(endpoint))
    http = http_asker(premises, portal)
    fields = {"workspaceId": WS}
    for size in (1001, 200_000):
        upload = {"file": ("a.txt", b"x" * size, "text/plain")}
        assert refused(http, "bytes", data=fields, files=upload) == 413
    assert added(http, data=fields, files={"file": ("a.txt", b"x" * 1000, "text/plain")})
    with pytest.raises(SourceTooLarge):
        Desk(premises, http).file("a.txt", b"x" * 1001)


@pytest.mark.requirement("documents.status.refresh")
def test_a_body_of_unknown_length_replaces_a_source_too(http: HttpAsker, desk: Desk) -> None:
    """A client that streams its body sends no Content-Length."""
    id = added(http, json=page())["id"]
    desk.read()

    async def streamed() -> AsyncIterator[bytes]:
        yield json.dumps(page(content=near(60))).encode()

    refreshed = http.send("POST", f"{SOURCES}/{id}/refresh", content=streamed())
    assert refreshed.json() == {"success": True}
    desk.read()
    (chunk,) = http.send("GET", f"{SOURCES}/{id}/chunks").json()["chunks"]
    assert near(60) in chunk["content"]

    async def empty() -> AsyncIterator[bytes]:
        yield b""

    again = http.send("POST", f"{SOURCES}/{id}/refresh", content=empty())
    assert again.json() == {"success": True}, "a proxy may announce a body of unknown length"


@pytest.mark.requirement("documents.adding.fields", "documents.status.delete")
def test_sources_are_managed_over_rest(http: HttpAsker, desk: Desk) -> None:
    id = added(http, json=page())["id"]
    desk.read()
    place = {"workspaceId": WS}
    assert http.send("GET", SOURCES, params=place).json() == http.call(LIST, **place)
    assert http.send("GET", f"{SOURCES}/{id}").json() == http.call(GET, sourceId=id)
    asked = {"query": "oil", **place}
    found = http.send("POST", f"{SOURCES}/search", json=asked).json()
    assert found == http.call(SEARCH, **asked)
    (chunk,) = http.send("GET", f"{SOURCES}/{id}/chunks").json()["chunks"]
    assert (chunk["index"], chunk["content"]) == (0, f"# Oil\n\n{near(80)}")
    assert http.send("GET", f"{SOURCES}/{id}/chunks?offset=1").json() == {"chunks": []}
    assert http.send("GET", f"{SOURCES}/{id}/chunks?limit=0").status_code == 400
    assert http.send("POST", f"{SOURCES}/{id}/refresh").json() == {"success": True}
    assert http.call(GET, sourceId=id)["source"]["status"] == "pending"
    assert http.send("POST", f"{SOURCES}/refresh-all").json() == {"refreshed": 0}
    desk.read()
    assert http.send("POST", f"{SOURCES}/refresh-all", params=place).json() == {"refreshed": 1}
    desk.read()
    assert http.send("DELETE", f"{SOURCES}/{id}").json() == {"success": True}
    gone = http.send("GET", f"{SOURCES}/{id}")
    assert (gone.status_code, gone.json()["error"]["code"]) == (404, "knowledge.not_found")
    assert http.send("DELETE", f"{SOURCES}/{id}").status_code == 404


@pytest.mark.requirement("documents.adding.fields")
def test_scopes_are_checked(desk: Desk, http: HttpAsker, portal: BlockingPortal) -> None:
    """Readers read, writers write, and only administrators write what everybody reads."""
    reader = http_asker(desk.premises, portal, scopes=Scope.READ.value)
    denied = reader.send("POST", SOURCES, json=page())
    assert (denied.status_code, denied.json()["error"]["code"]) == (403, "auth.insufficient_scope")
    assert reader.send("GET", SOURCES).status_code == 200
    writing = f"{Scope.READ.value},{Scope.WRITE.value}"
    writer = http_asker(desk.premises, portal, scopes=writing)
    assert writer.send("POST", SOURCES, json=page(scope="system")).status_code == 403
    assert writer.send("POST", SOURCES, json=page()).status_code == 201
    settings = desk.premises.settings.model_copy(update={"scopes": writing})
    new = NewSource(SourceType.PAGE, scope=SourceScope.SYSTEM, title="T", text="t")
    with pytest.raises(AccessDenied):
        desk.application.documents.add(actor_of(settings), new)


@pytest.mark.requirement("documents.adding.command", "documents.adding.fields")
def test_each_kind_is_added_by_command(
    open_premises: OpenPremises, endpoint: str, site: Website, tmp_path: Path, inline: None
) -> None:
    premises = open_premises(org="acme", **embedded_at(endpoint))
    told = environment(premises.settings) | {"COMMONPLACE_FETCH_ALLOW": "127.0.0.1"}
    text = tmp_path / "text.md"
    text.write_text(f"{near(80)} as written.")
    place = ("--workspace", WS, "--json")
    commands = {
        "file": ("--file", str(text), "--name", "A file"),
        "page": ("--page", "Oil", "--text-file", str(text), "--space", SPACE),
        "url": ("--url", site.put("/a", "<p>Some text.</p>"), "--scope", "system"),
    }
    found = {}
    for kind, options in commands.items():
        outcome = run_here(told, "source", "add", *options, *place)
        assert outcome.code == 0, outcome
        source = outcome.document
        assert (source["type"], source["status"], source["chunk_count"]) == (kind, "ready", 1)
        found[source["id"]] = source["scope"]
    assert list(found.values()) == ["workspace", "space", "system"]
    desk = Desk(premises, http_asker(premises, premises._connect._portal))
    assert {id: desk.get(id)["scope"] for id in found} == found
    refusal = run_here(told, "source", "add", "--file", str(text), "--scope", "space", *place)
    assert refusal.document["error"]["code"] == InvalidArgument.code
    assert len(desk.names(spaceId=SPACE)) == 3
