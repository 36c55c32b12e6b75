"""What tests of the notes surface do again and again, through a client."""

from __future__ import annotations

from typing import Any

from tests.surfaces.clients import Caller, Premises

STORE, SEARCH, SUPERSEDE = "store_knowledge", "search_knowledge", "supersede_knowledge"
INVALID = "validation.invalid_argument"
NOT_FOUND = "knowledge.not_found"
RESOURCE_NOT_FOUND = -32002


def store(caller: Caller, **given: Any) -> dict[str, Any]:
    return caller.call(STORE, **{"title": "A title", "body": "A body.", **given})


def stored_id(caller: Caller, **given: Any) -> str:
    return str(store(caller, **given)["id"])


def search(caller: Caller, query: str, **given: Any) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = caller.call(SEARCH, query=query, **given)["hits"]
    return hits


def found(caller: Caller, query: str, **given: Any) -> list[str]:
    return [hit["id"] for hit in search(caller, query, **given)]


def supersede(caller: Caller, old: str, new: str) -> dict[str, Any]:
    return caller.call(SUPERSEDE, oldId=old, newId=new)


def heads(caller: Caller, *ids: str) -> list[str | None]:
    """What supersedes each entry, as its resource shows."""
    return [entry(caller, id)["supersededById"] for id in ids]


def entry(caller: Caller, id: str) -> dict[str, Any]:
    return caller.read(f"commonplace://knowledge/{id}")


def refuse(caller: Caller, tool: str, argument: str, **given: Any) -> None:
    """The call must be refused for this argument, by its name."""
    error = caller.refusal(tool, **given)
    assert (error["code"], error["field"]) == (INVALID, argument), error
    assert argument in error["message"], error


def refuse_stores(premises: Premises, caller: Caller, argument: str, *values: Any) -> None:
    """No such value may be stored; the premises have a quota of one, which must stay unspent."""
    for value in values:
        given = {"title": "A title", "body": "A body.", argument: value}
        refuse(caller, STORE, argument, **given)
    assert premises.count() == 0
    store(caller)
    assert caller.refusal(STORE, title="One", body="more")["code"] == "quota.exceeded"
