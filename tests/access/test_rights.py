"""The table of rights, cell by cell: who holds the scope may, who holds all others may not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from commonplace.errors import AccessDenied
from commonplace.knowledge.rules import THINGS
from commonplace.model.actor import AGENT_SCOPES, ALL_SCOPES, Actor, Scope
from commonplace.model.rights import MATRIX, Right, Thing, Verb, Whose
from commonplace.settings import Settings
from tests.access.house import House, house_on
from tests.access.rights import (
    MADE,
    SUFFICIENT,
    TRIED,
    Doer,
    append,
    note,
    notebook,
    nothing,
    project,
    record,
    system_source,
)
from tests.stores import DIALECTS

CELLS = [(right, whose) for right in MATRIX for whose in Whose if right.scope(whose)]
_ORGS = count()


@pytest.fixture(scope="module", params=DIALECTS)
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """One server for all cells: each has an org of its own, and its model is away."""
    settings = Settings(
        home=tmp_path_factory.mktemp("home"),
        worker=False,
        watch=False,
        rate_limit=1_000_000,
        rate_limit_read=1_000_000,
        embedding_url="http://127.0.0.1:1/v1",
        embedding_model="absent",
        embedding_dimension=8,
    )
    with house_on(request, settings) as server:
        yield server


def doer(opened: House, org: str, agent: str, scopes: frozenset[Scope] = ALL_SCOPES) -> Doer:
    return Doer(opened, Actor(org, agent, scopes))


def attempt_on_new(opened: House, right: Right, whose: Whose) -> Callable[[frozenset[Scope]], bool]:
    """Make a thing of that owner; the result tells if somebody with some scopes can do it to it."""
    org = f"org-{next(_ORGS)}"
    make = MADE[right.thing]
    if whose is Whose.SYSTEM and right.verb is not Verb.ADD:
        make = system_source
    elif right.verb is Verb.ADD and right.thing is not Thing.FOLDER:
        make = nothing
    elif right.verb is Verb.ADD:
        make = project
    made = make(doer(opened, org, "alice"))
    attempt = TRIED[right.thing, right.verb]
    if whose is Whose.SYSTEM and right.verb is Verb.ADD:
        given = {"type": "page", "title": "T", "content": "C", "scope": "system"}
        attempt = lambda tries, _: tries.rest("POST", "/api/sources", json=given)  # noqa: E731

    def may(scopes: frozenset[Scope]) -> bool:
        try:
            attempt(doer(opened, org, "alice" if whose is Whose.OWN else "bob", scopes), made)
        except AccessDenied:
            return False
        return True

    return may


def _named(part: Right | Whose) -> str:
    return part.name if isinstance(part, Whose) else f"{part.thing.name}-{part.verb.name}"


@pytest.mark.parametrize(("right", "whose"), CELLS, ids=_named)
def test_only_the_needed_scope_grants_a_right(opened: House, right: Right, whose: Whose) -> None:
    needed = right.scope(whose)
    assert needed is not None
    may = attempt_on_new(opened, right, whose)
    assert not may(ALL_SCOPES - {needed})
    assert may(SUFFICIENT[needed]), "what was refused has changed nothing"


def test_every_kind_of_entry_has_a_row_for_all_that_is_done_to_entries() -> None:
    rows = {(right.thing, right.verb) for right in MATRIX}
    common = (Verb.READ, Verb.CHANGE, Verb.SUPERSEDE, Verb.REMOVE, Verb.PURGE)
    assert {(thing, verb) for thing in THINGS.values() for verb in common} <= rows


def test_every_row_can_be_tried() -> None:
    assert TRIED.keys() == {(right.thing, right.verb) for right in MATRIX}


def test_a_note_may_be_replaced_by_ones_own_and_ones_own_by_anothers(opened: House) -> None:
    alice = doer(opened, "pairs", "alice")
    bob = doer(opened, "pairs", "bob", AGENT_SCOPES)
    for old, new in ((note(alice), note(bob)), (note(bob), note(alice))):
        done = bob.call("supersede_knowledge", oldId=old, newId=new)
        assert done["supersededById"] == new
    with pytest.raises(AccessDenied):
        bob.call("supersede_knowledge", oldId=note(alice), newId=note(alice))


def test_a_project_goes_only_with_what_one_may_delete(opened: House) -> None:
    """One's own project, in which another has a notebook."""
    alice = doer(opened, "shared", "alice", AGENT_SCOPES)
    bob = doer(opened, "shared", "bob", AGENT_SCOPES)
    id = project(alice)
    noting = {"action": "record_entry", "scope": "project", "projectId": id}
    noting |= {"entryType": "agent_knowledge", "mode": "append", "agentHandle": "bob"}
    bob.call("pm_knowledge", **noting, body="Bob's memory.")
    with pytest.raises(AccessDenied):
        alice.rest("DELETE", "/api/projects/shop")
    assert alice.rest("GET", "/api/projects")["projects"], "nothing of it has gone"
    found = bob.call("pm_knowledge", action="search", scope="all", query="memory")
    assert len(found["hits"]) == 1
    doer(opened, "shared", "alice").rest("DELETE", "/api/projects/shop")


def test_a_note_in_anothers_notebook_is_its_writers(opened: House) -> None:
    alice = doer(opened, "books", "alice", AGENT_SCOPES)
    book = notebook(alice)
    append(doer(opened, "books", "root"), book)
    with pytest.raises(AccessDenied):
        alice.call(
            "pm_knowledge",
            action="record_entry",
            scope="global",
            entryType="agent_knowledge",
            mode="delete",
            entryId=book,
        )


def test_what_was_refused_is_as_it_was(opened: House) -> None:
    alice = doer(opened, "kept", "alice")
    bob = doer(opened, "kept", "bob", AGENT_SCOPES)
    made = record(alice)
    with pytest.raises(AccessDenied):
        TRIED[Thing.RECORD, Verb.REMOVE](bob, made)
    found = bob.call("pm_knowledge", action="get", scope="all")
    assert made in str(found)
