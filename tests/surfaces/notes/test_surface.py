"""What the surface offers, to whom, and in which shape."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from commonplace.model.actor import ALL_SCOPES
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.notes.steps import (
    NOT_FOUND,
    SEARCH,
    STORE,
    SUPERSEDE,
    entry,
    found,
    heads,
    store,
    stored_id,
    supersede,
)

READ, WRITE = "knowledge:read", "knowledge:write"
NO_SCOPE = "auth.insufficient_scope"
_CAMEL = re.compile(r"[a-z]+([A-Z][a-z]*)*")


def names_in(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        yield from document
    children = document.values() if isinstance(document, dict) else document
    if isinstance(document, dict | list):
        for child in children:
            yield from names_in(child)


@pytest.mark.requirement("notes.surface.three-tools-listed")
def test_the_three_tools_are_listed(alice: Caller) -> None:
    tools = alice.tools()
    assert tools.keys() >= {STORE, SEARCH, SUPERSEDE}
    assert "commonplace://knowledge/{id}" in alice.templates()
    assert all(tools[name].description for name in (STORE, SEARCH, SUPERSEDE))
    assert tools[SEARCH].annotations.read_only_hint
    assert not any(tools[name].annotations.read_only_hint for name in (STORE, SUPERSEDE))


@pytest.mark.requirement(
    "notes.surface.required-arguments-declared", "notes.surface.optional-arguments-declared"
)
@pytest.mark.parametrize(
    ("tool", "required", "optional"),
    [
        (STORE, ["title", "body"], "tags confidence expiresAt taskRef clientToken"),
        (SEARCH, ["query"], "limit tags includeSuperseded includeExpired minScore efSearch"),
        (SUPERSEDE, ["oldId", "newId"], ""),
    ],
)
def test_arguments_are_declared(
    alice: Caller, tool: str, required: list[str], optional: str
) -> None:
    schema = alice.tools()[tool].input_schema
    assert schema["required"] == required
    assert list(schema["properties"]) == [*required, *optional.split()]
    assert schema["additionalProperties"] is False
    assert "$ref" not in str(schema)


@pytest.mark.requirement("notes.surface.optional-arguments-declared")
def test_bounds_and_defaults_are_declared(alice: Caller) -> None:
    stored = alice.tools()[STORE].input_schema["properties"]
    searched = alice.tools()[SEARCH].input_schema["properties"]
    assert (stored["title"]["minLength"], stored["title"]["maxLength"]) == (1, 200)
    assert (stored["body"]["minLength"], stored["body"]["maxLength"]) == (1, 32_000)
    assert (stored["tags"]["maxItems"], stored["confidence"]["default"]) == (16, 80)
    assert stored["expiresAt"]["format"] == "date-time"
    assert (stored["clientToken"]["format"], stored["clientToken"]["type"]) == ("uuid", "string")
    assert stored["taskRef"]["properties"]["kind"]["enum"] == ["references", "produced"]
    assert stored["taskRef"]["required"] == ["taskId", "kind"]
    limits = [
        (searched[name]["minimum"], searched[name]["maximum"]) for name in ("limit", "efSearch")
    ]
    assert limits == [(1, 50), (1, 200)]
    assert [searched[name]["default"] for name in ("limit", "efSearch")] == [10, 64]


@pytest.mark.requirement("notes.surface.camel-case-output")
def test_all_output_is_camel_case(alice: Caller) -> None:
    old, new = store(alice, title="Old words"), store(alice, title="New words")
    answers = [old, supersede(alice, old["id"], new["id"]), entry(alice, old["id"])]
    answers.append(alice.call(SEARCH, query="words", includeSuperseded=True))
    answers.append(alice.refusal(STORE, title="", body="b"))
    shapes = [
        alice.tools()[tool].output_schema["properties"] for tool in (STORE, SEARCH, SUPERSEDE)
    ]
    names = {name for answer in answers for name in names_in(answer)}
    names |= {name for shape in shapes for name in shape}
    assert names >= {"supersededById", "embeddingStatus", "updatedCount", "createdAt"}
    assert not [name for name in names if not _CAMEL.fullmatch(name)]


@pytest.mark.requirement("notes.scope.search-needs-read", "notes.scope.error-code")
def test_searching_needs_the_read_scope(premises: Premises) -> None:
    reader, writer = premises.caller(scopes=READ), premises.caller(scopes=WRITE)
    id = stored_id(writer, title="Beacon")
    assert found(reader, "beacon") == [id]
    assert writer.refusal(SEARCH, query="beacon")["code"] == NO_SCOPE
    refused = writer.read_refusal(f"commonplace://knowledge/{id}")
    assert refused.data == {"code": NO_SCOPE}


@pytest.mark.requirement("notes.scope.store-needs-write", "notes.scope.error-code")
def test_storing_needs_the_write_scope(premises: Premises) -> None:
    refused = premises.caller(scopes=READ).refusal(STORE, title="t", body="b")
    assert refused["code"] == NO_SCOPE
    assert WRITE in refused["message"]
    assert premises.count() == 0
    store(premises.caller(scopes=WRITE))
    assert premises.count() == 1


@pytest.mark.requirement("notes.scope.supersede-needs-write", "notes.scope.error-code")
def test_superseding_needs_the_write_scope(premises: Premises) -> None:
    reader, writer = premises.caller(scopes=READ), premises.caller(scopes=WRITE)
    old, new = stored_id(writer), stored_id(writer)
    assert reader.refusal(SUPERSEDE, oldId=old, newId=new)["code"] == NO_SCOPE
    assert heads(reader, old) == [None]
    supersede(writer, old, new)
    assert heads(reader, old) == [new]


@pytest.mark.requirement("notes.scope.no-write-others-today", "notes.supersede.owner-of-neither")
def test_only_the_scope_for_it_lifts_the_ownership_rule(premises: Premises, alice: Caller) -> None:
    """`ordinary` has the default scopes: all but the one that the contract announces for later."""
    old, new = stored_id(alice), stored_id(alice)
    ordinary = premises.caller("bob")
    assert ordinary.refusal(SUPERSEDE, oldId=old, newId=new)["code"] == "auth.not_owner"
    assert heads(alice, old) == [None]
    entrusted = premises.caller("bob", scopes=",".join(ALL_SCOPES))
    assert supersede(entrusted, old, new)["updatedCount"] == 1


@pytest.mark.requirement("notes.scope.checked-before-arguments")
@pytest.mark.parametrize(("tool", "scopes"), [(STORE, READ), (SEARCH, WRITE), (SUPERSEDE, READ)])
def test_the_scope_is_checked_before_the_arguments(
    premises: Premises, tool: str, scopes: str
) -> None:
    assert premises.caller(scopes=scopes).refusal(tool, nonsense=1)["code"] == NO_SCOPE


@pytest.mark.requirement("notes.search.full-body-resource")
def test_a_resource_that_is_not_there_says_so(alice: Caller) -> None:
    for uri in ("commonplace://knowledge/nothing", "drobek://plans/1", "commonplace://knowledge/"):
        refused = alice.read_refusal(uri)
        assert (refused.code, refused.data) == (-32002, {"uri": uri, "code": NOT_FOUND})
