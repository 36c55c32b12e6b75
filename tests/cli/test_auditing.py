"""`audit` from the command line and over REST: who wrote what, page by page."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient

from commonplace.access.rules import NewToken, scopes_named
from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.server.entrance import entrance_of
from commonplace.server.http import make_app
from commonplace.server.meter import CallMeter
from commonplace.settings import Settings
from tests.cli.commands import run_here
from tests.cli.test_commands import UNREACHABLE, code_of


def test_every_command_that_writes_is_recorded_with_its_client(place: dict[str, str]) -> None:
    settings = place | UNREACHABLE | {"COMMONPLACE_AGENT": "ada"}
    first = run_here(settings, "add", "One", "Body", "--json").document["id"]
    second = run_here(settings, "add", "Two", "Body", "--json").document["id"]
    run_here(settings, "edit", first, "Other")
    run_here(settings, "undo", first)
    run_here(settings, "supersede", first, second)
    run_here(settings, "delete", second)
    run_here(settings, "purge", second, "--yes")
    trail = run_here(settings, "audit", "--json").document
    assert [change["operation"] for change in trail["changes"]] == [
        *("create", "create", "edit", "restore", "supersede", "delete", "purge"),
    ]
    assert {(c["agent"], c["client"], c["entity"]) for c in trail["changes"]} == {
        ("ada", "cli", "entry")
    }
    assert "Body" not in str(trail), "who and what, not what was written"
    assert trail["next"] == trail["changes"][-1]["sequence"]


def test_the_record_is_read_page_by_page(place: dict[str, str]) -> None:
    settings = place | UNREACHABLE
    ids = [run_here(settings, "add", f"N{n}", "x", "--json").document["id"] for n in range(5)]
    seen: list[str] = []
    after = "0"
    while page := run_here(settings, "audit", "--limit", "2", "--after", after, "--json").document:
        if not page["changes"]:
            break
        seen += [change["id"] for change in page["changes"]]
        after = str(page["next"])
    assert seen == [f"note/{id}" for id in ids]
    one = run_here(settings, "audit", "--entity", f"entry/note/{ids[2]}", "--json").document
    assert [change["id"] for change in one["changes"]] == [f"note/{ids[2]}"]
    for nothing in (["--agent", "nobody"], ["--entity", "source"], ["--since", "2999-01-01"]):
        empty = run_here(settings, "audit", *nothing, "--json").document
        assert empty == {"changes": [], "next": 0}
    assert "cli (cli)  create entry/note/" in run_here(settings, "audit").stdout


def test_auditing_needs_its_scope(home: dict[str, str]) -> None:
    restricted = home | UNREACHABLE | {"COMMONPLACE_SCOPES": "knowledge:read"}
    assert code_of(run_here(restricted, "audit", "--json")) == "auth.insufficient_scope"
    assert code_of(run_here(home, "audit", "--since", "soon", "--json")) == (
        "validation.invalid_argument"
    )


def test_over_rest_a_token_sees_its_own_org_and_needs_the_scope(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, worker=False)
    lazy = LazyApplication(lambda: build(settings))
    app = make_app(lazy, settings, CallMeter(), entrance_of(settings, "127.0.0.1", 8765))
    access, admin = lazy.get().access, Actor("acme", "admin")

    def bearer(org: str, scopes: str) -> dict[str, str]:
        made = access.create(admin, NewToken(org, "ada", scopes_named(scopes.split(","))))
        return {"Authorization": f"Bearer {made.shown}"}

    auditor, writer = bearer("acme", "audit:read"), bearer("acme", "knowledge:write")
    other = bearer("umbrella", "audit:read")
    with TestClient(app, base_url="http://localhost") as client:
        assert client.get("/api/audit").status_code == 401
        assert client.get("/api/audit", headers=writer).status_code == 403
        page = client.get("/api/audit?limit=1&entity=token", headers=auditor).json()
        assert [(c["org"], c["entity"]) for c in page["changes"]] == [("acme", "token")]
        rest = client.get(f"/api/audit?after={page['next']}", headers=auditor).json()
        assert all(change["org"] == "acme" for change in rest["changes"])
        theirs = client.get("/api/audit", headers=other).json()["changes"]
        assert {change["org"] for change in theirs} == {"umbrella"}
        for wrong in ("limit=0", "limit=x", "after=-1", "since=soon", "colour=red"):
            refused = client.get(f"/api/audit?{wrong}", headers=auditor)
            assert refused.status_code == 400, wrong
            assert refused.json()["error"]["code"] == "validation.invalid_argument"
