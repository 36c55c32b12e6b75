"""The same conversation over stdio and HTTP, on every revision that a client can negotiate."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from commonplace.model.actor import Scope
from commonplace.settings import Settings
from tests.surfaces.clients import Caller
from tests.surfaces.nearness import embedded_at
from tests.surfaces.notes.steps import (
    NOT_FOUND,
    RESOURCE_NOT_FOUND,
    SEARCH,
    STORE,
    SUPERSEDE,
    entry,
    found,
    heads,
    refuse,
    store,
    stored_id,
    supersede,
)
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes
from tests.waiting import eventually

REVISIONS = (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS)
INVALID_PARAMS = -32602


def converse(caller: Caller, word: str) -> None:
    """Something of everything: each tool, the resource, both kinds of error."""
    assert caller.tools().keys() >= {STORE, SEARCH, SUPERSEDE}
    old = store(caller, title=f"Old {word}", body=f"{word} first", tags=["Wire"], clientToken=None)
    new = store(caller, title=f"New {word}", body=f"{word} sécond ✓", confidence=41.5)
    assert (old["tags"], new["confidence"]) == (["wire"], 41.5)
    assert set(found(caller, word)) == {old["id"], new["id"]}
    assert supersede(caller, old["id"], new["id"])["updatedCount"] == 1
    assert found(caller, word) == [new["id"]]
    assert heads(caller, old["id"]) == [new["id"]]
    assert entry(caller, new["id"])["body"] == f"{word} sécond ✓"
    refuse(caller, STORE, "title", title="", body="b")
    error = caller.refusal(SUPERSEDE, oldId=new["id"], newId=old["id"])
    assert error["code"] == "knowledge.cycle"
    with pytest.raises(MCPError) as unknown:
        caller.ask("forget_everything")
    assert unknown.value.code == INVALID_PARAMS
    missing = caller.read_refusal("commonplace://knowledge/none")
    modern = caller.revision in MODERN_PROTOCOL_VERSIONS
    expected = INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
    assert (missing.code, missing.data["code"]) == (expected, NOT_FOUND)


def offered(revision: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """How to connect as a client of that revision does; older ones differ in what they offer."""
    if revision in MODERN_PROTOCOL_VERSIONS:
        return "auto"
    monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", revision)
    return "legacy"


@pytest.mark.requirement(
    "notes.surface.three-tools-listed",
    "notes.supersede.marks-old",
    "notes.search.full-body-resource",
    "notes.expect.read-your-write",
    "notes.expect.clean-errors",
)
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_every_revision_on_every_transport(
    processes: Processes, wired: Settings, transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = processes.http(wired) if transport == "http" else None
    for number, revision in enumerate(REVISIONS):
        mode = offered(revision, monkeypatch)
        if address:
            caller = processes.connect(address, mode=mode)
        else:
            caller = processes.stdio(wired, mode=mode).caller
        assert caller.revision == revision
        converse(caller, f"word{number}")


@pytest.mark.requirement("notes.store.embedding-arrives", "notes.search.semantic-leg")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_a_note_is_found_by_meaning_without_a_further_call(
    processes: Processes, settings: Settings, transport: str
) -> None:
    """A worker of the server embeds it with the model inside the package."""
    working = settings.model_copy(update={"worker": True})
    if transport == "http":
        caller = processes.connect(processes.http(working))
    else:
        caller = processes.stdio(working).caller
    stored_id(caller, title="Lunch", body="The cafeteria serves soup on Tuesdays.")
    id = stored_id(
        caller, title="Cache invalidation", body="The storefront purges its CDN on every change."
    )
    wait_until_ready(caller, id)
    answer: dict[str, Any] = caller.call(
        SEARCH, query="how do we keep shoppers from seeing old prices"
    )
    assert (answer["hits"][0]["id"], answer["mode"], answer["notices"]) == (id, "hybrid", [])


def wait_until_ready(caller: Caller, id: str) -> None:
    """As long as it takes; the test's own time limit is the only one."""
    eventually(lambda: entry(caller, id)["embeddingStatus"] != "pending")
    assert entry(caller, id)["embeddingStatus"] == "ready"


@pytest.mark.requirement("notes.scope.agents-are-agents", "notes.supersede.owner-of-neither")
def test_two_programs_without_settings_are_two_agents(
    settings: Settings, endpoint: str, processes: Processes
) -> None:
    """As a person's clients start it: no agent, no scopes; then one is given more."""
    plain = settings.model_copy(update=embedded_at(endpoint))
    alice = processes.stdio(plain, name="alice-editor").caller
    bob = processes.stdio(plain, name="bob-editor").caller
    old, new = stored_id(alice), stored_id(alice)
    assert bob.refusal(SUPERSEDE, oldId=old, newId=new)["code"] == "auth.not_owner"
    assert heads(bob, old) == [None]
    assert supersede(bob, old, stored_id(bob))["updatedCount"] == 1, "one of the two is bob's"
    wider = plain.model_copy(update={"scopes": ",".join(Scope)})
    entrusted = processes.stdio(wider, name="bob-editor").caller
    third = stored_id(alice)
    assert supersede(entrusted, new, third)["updatedCount"] == 1
