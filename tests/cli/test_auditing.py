"""`audit` from the command line and over REST: who wrote what, page by page."""

from __future__ import annotations

from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from commonplace.access.rules import NewToken, scopes_named
from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.change import AuditQuery
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.server.rest.audit import trail_document
from commonplace.settings import Settings
from tests.cli.commands import run_here
from tests.cli.test_commands import UNREACHABLE, code_of

ABSENT: dict[str, Any] = {
    "embedding_url": "http://127.0.0.1:1/v1",
    "embedding_model": "absent",
    "embedding_dimension": 8,
}
MORE_WRONG = ("after=zz", "since=soon", "colour=red")


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
    assert trail["next"] == trail["changes"][-1]["cursor"]


def test_the_record_is_read_page_by_page(place: dict[str, str]) -> None:
    settings = place | UNREACHABLE
    ids = [run_here(settings, "add", f"N{n}", "x", "--json").document["id"] for n in range(5)]
    seen: list[str] = []
    after = ""
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
        assert empty == {"changes": [], "next": ""}
        assert run_here(settings, "audit", *nothing).stdout == "No changes.\n"
    assert "cli (cli)  create entry/note/" in run_here(settings, "audit").stdout
    assert run_here(settings, "audit", "--since", "1d").stdout == run_here(settings, "audit").stdout


def test_auditing_needs_its_scope(home: dict[str, str]) -> None:
    restricted = home | UNREACHABLE | {"COMMONPLACE_SCOPES": "knowledge:read"}
    assert code_of(run_here(restricted, "audit", "--json")) == "auth.insufficient_scope"
    assert code_of(run_here(home, "audit", "--since", "soon", "--json")) == (
        "validation.invalid_argument"
    )


def test_over_rest_a_token_sees_its_own_org_and_needs_the_scope(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, worker=False)
    with closing(LazyApplication(lambda: build(settings))) as lazy:
        _asks_over_rest(lazy, settings)


def _asks_over_rest(lazy: LazyApplication, settings: Settings) -> None:
    app = make_app(lazy, settings, CallMeter(), access_policy(settings, "127.0.0.1", 8765))
    access, admin = lazy.get().access, Actor("acme", "admin")

    def bearer(org: str, scopes: str) -> dict[str, str]:
        made = access.create(admin, NewToken(org, "ada", scopes_named(scopes.split(","))))
        return {"Authorization": f"Bearer {made.text}"}

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
        for wrong in ("limit=0", "limit=x", "after=7", f"after={theirs[0]['cursor']}", *MORE_WRONG):
            refused = client.get(f"/api/audit?{wrong}", headers=auditor)
            assert refused.status_code == 400, wrong
            assert refused.json()["error"]["code"] == "validation.invalid_argument"


def test_an_org_learns_no_counts_of_another(tmp_path: Path) -> None:
    """The same changes of one org, alone and between those of another, look alike."""

    def seen(busy: bool) -> list[dict[str, object]]:
        settings = Settings(home=tmp_path / str(busy), worker=False, **ABSENT)
        application = build(settings)
        for number in range(3):
            content = EntryContent(f"N{number}", "x")
            application.knowledge.add(
                Actor("acme", "ada"), EntryKind.NOTE, content, id=f"n{number}"
            )
            for _ in range(25 if busy else 0):
                application.knowledge.add(Actor("umbrella", "eve"), EntryKind.NOTE, content)
        trail = trail_document(application.audit.changes(Actor("acme", "ada"), AuditQuery()))
        application.close()
        cursors = [change.pop("cursor") for change in trail["changes"]]
        numbers = [int(cursor, 16) for cursor in cursors]
        assert numbers != sorted(numbers) or len({b - a for a, b in pairwise(numbers)}) > 1
        for change in trail["changes"]:
            change.pop("at")
        changes: list[dict[str, object]] = trail["changes"]
        return changes

    assert seen(busy=False) == seen(busy=True)
