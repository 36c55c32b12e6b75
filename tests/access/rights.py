"""How each thing of the table of rights is made, and how somebody tries to do something to it.

Through the tools and REST where they offer it, else through the command line's services.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from commonplace.application import Application
from commonplace.errors import AccessDenied
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.rights import Thing, Verb
from tests.access.house import House
from tests.transports.wire import answer_in
from tests.unit.registry.samples import pattern, skill_text

MOMENT = (
    "The build kept failing for hours and I was stuck. Finally solved it: the fix was to restart "
    "the harvester before the import. It works now!"
)
_CAPTURING = {"auto_save": False, "threshold": 0.2, "preset": "aggressive"}
_NOTING = {"action": "record_entry", "scope": "global", "entryType": "agent_knowledge"}
_RECORDING = {**_NOTING, "entryType": "valdr_record_materialized"}


@dataclass(frozen=True, slots=True)
class Doer:
    """An agent with some scopes, over HTTP and as the command line would let it act."""

    house: House
    actor: Actor

    @property
    def application(self) -> Application:
        return self.house.application

    @property
    def _token(self) -> str:
        return self.house.token(self.actor.scopes, org=self.actor.org, agent=self.actor.agent)

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """What a tool answers; AccessDenied where it refuses because of who asks."""
        response = self.house.call(tool, self._token, **arguments)
        if response.status_code == httpx.codes.FORBIDDEN:
            raise AccessDenied(response.text)
        result = answer_in(response)["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            _refused(text)
        return json.loads(text) if text[0] in "{[" else text

    def rest(self, method: str, path: str, **sent: Any) -> Any:
        response = self.house.send(method, path, self._token, **sent)
        if response.status_code == httpx.codes.FORBIDDEN:
            raise AccessDenied(response.text)
        assert response.is_success, response.text
        return response.json()


def _refused(text: str) -> None:
    if "auth" in text.lower():
        raise AccessDenied(text)
    raise AssertionError(text)


Make = Callable[[Doer], str]
Attempt = Callable[[Doer, str], object]


def note(owner: Doer) -> str:
    return str(owner.call("store_knowledge", title="Harvest", body="By hand.")["id"])


def item(owner: Doer) -> str:
    given = {"summary": "Harvest", "content": "By hand.", "type": "solution", "project": "atlas"}
    return str(owner.call("capture_knowledge", **given, file_context="a.py", tags=[])["data"]["id"])


def moment(owner: Doer) -> str:
    owner.call("auto_capture", text=MOMENT, **_CAPTURING)
    from commonplace.model.capture import ReviewStatus

    (waiting, *_), _ = owner.application.reviewing.reviews(owner.actor, ReviewStatus.WAITING, 5)
    return waiting.id


def notebook(owner: Doer) -> str:
    appended = owner.call("pm_knowledge", **_NOTING, mode="append", agentHandle="reaper", body="Hi")
    return str(appended["entry"]["id"])


def record(owner: Doer, number: int = 1) -> str:
    named = {"recordType": "task", "recordId": f"T-{number}", "recordVersion": 1}
    made = owner.call("pm_knowledge", **_RECORDING, mode="create", title="T", body="B", **named)
    return str(made["entry"]["id"])


def unit(owner: Doer) -> str:
    made = owner.call("kp_contribute_knowledge", unit=pattern("Harvest"), visibility="org")
    return str(made["id"])


def skill(owner: Doer) -> str:
    return str(owner.call("kp_contribute_skill", skill_md_content=skill_text())["id"])


def source(owner: Doer, **more: Any) -> str:
    given = {"type": "page", "title": "Harvest", "content": "By hand.", "workspaceId": "w", **more}
    return str(owner.rest("POST", "/api/sources", json=given)["source"]["id"])


def system_source(_owner: Doer) -> str:
    """By an administrator: whoever tries something is none."""
    somebody = Doer(_owner.house, Actor(_owner.actor.org, "root", ALL_SCOPES))
    return source(somebody, scope="system", workspaceId=None)


def project(owner: Doer) -> str:
    return str(owner.rest("POST", "/api/projects", json={"key": "shop"})["project"]["id"])


def folder(owner: Doer) -> str:
    project(owner)
    return str(push(owner, "")["resourceId"])


def push(doer: Doer, _id: str, text: str = "def reap(): ...\n") -> Any:
    data = text.encode()
    digest = hashlib.sha256(data).hexdigest()
    doer.rest("PUT", f"/api/push/{digest}", content=data)
    files = [{"path": "reap.py", "digest": digest, "size": len(data)}]
    return doer.rest("POST", "/api/push", json={"project": "shop", "name": "src", "files": files})


def attachment(doer: Doer) -> str:
    reader = Doer(doer.house, Actor(doer.actor.org, "reader"))
    shown = reader.call("pm_knowledge", action="get", scope="all")
    return str(shown["attachments"][0]["id"])


def operate(doer: Doer, op: str, **more: Any) -> None:
    operation = {"op": op, "attachmentId": attachment(doer), **more}
    scope = {"scope": "project", "projectId": "shop"}
    doer.call("pm_knowledge", action="update_sources", **scope, operations=[operation])


def change_folder(doer: Doer, _id: str) -> None:
    operate(doer, "disable")
    push(doer, "", "def sow(): ...\n")


def nothing(_owner: Doer) -> str:
    return ""


def edit(doer: Doer, id: str) -> None:
    content = doer.application.knowledge.get(doer.actor, id).entry.content
    doer.application.knowledge.edit(doer.actor, id, content)


def delete_and_bring_back(doer: Doer, id: str) -> None:
    """Who may do the one may do the other; one that is refused must not be half of it."""
    doer.application.knowledge.delete(doer.actor, id)
    doer.application.knowledge.restore(doer.actor, id)


def purge(doer: Doer, id: str) -> None:
    doer.application.knowledge.purge(doer.actor, id)


def supersede(doer: Doer, id: str) -> None:
    """By one that the owner wrote: of the doer's own is the other case of the same cell."""
    owner = Doer(doer.house, Actor(doer.actor.org, "alice"))
    doer.call("supersede_knowledge", oldId=id, newId=note(owner))


def remove_source(doer: Doer, id: str) -> None:
    doer.rest("DELETE", f"/api/sources/{id}")
    doer.application.documents.restore(doer.actor, id)


def replace_source(doer: Doer, id: str) -> None:
    given = {"type": "page", "title": "Other", "content": "By drone.", "workspaceId": "w"}
    doer.rest("POST", f"/api/sources/{id}/refresh", json=given)


def delete_of_workspace(entry: Mapping[str, Any]) -> Attempt:
    return lambda doer, id: doer.call("pm_knowledge", **entry, mode="delete", entryId=id)


def replace_by_another(doer: Doer, id: str) -> None:
    """By a second one of the same kind that the owner wrote, as the command line does it."""
    knowledge = doer.application.knowledge
    entry = knowledge.get(Actor(doer.actor.org, "alice", ALL_SCOPES), id).entry
    owner = Actor(doer.actor.org, "alice", ALL_SCOPES)
    second = knowledge.add(owner, entry.kind, entry.content)
    knowledge.supersede(doer.actor, entry.kind, id, second.id)


def _note_of(doer: Doer, id: str) -> str:
    """The one note of a notebook, as whoever reads the store would find it."""
    store = doer.application.knowledge
    from commonplace.model.query import Filter

    found, _ = store.page(Actor(doer.actor.org, "reader"), Filter(kinds=("notebook_note",)), 1)
    return found[0].id


def append(doer: Doer, _id: str) -> None:
    doer.call("pm_knowledge", **_NOTING, mode="append", agentHandle="reaper", body="Mine.")


def search_workspace(doer: Doer, _id: str) -> None:
    doer.call("pm_knowledge", action="search", scope="all", query="harvest")


MADE: Mapping[Thing, Make] = {
    Thing.NOTE: note,
    Thing.ITEM: item,
    Thing.MOMENT: moment,
    Thing.NOTEBOOK: notebook,
    Thing.RECORD: record,
    Thing.UNIT: unit,
    Thing.SKILL: skill,
    Thing.SOURCE: source,
    Thing.FOLDER: folder,
    Thing.PROJECT: project,
    Thing.CHANGES: note,
}


def say_that_it_helped(doer: Doer, id: str) -> object:
    return doer.call("revise", reference=id, action="helped")


TRIED: Mapping[tuple[Thing, Verb], Attempt] = {
    (Thing.NOTE, Verb.JUDGE): say_that_it_helped,
    (Thing.NOTEBOOK, Verb.JUDGE): lambda doer, id: say_that_it_helped(doer, _note_of(doer, id)),
    (Thing.RECORD, Verb.JUDGE): say_that_it_helped,
    (Thing.SKILL, Verb.JUDGE): say_that_it_helped,
    (Thing.NOTE, Verb.ADD): lambda doer, _: note(doer),
    (Thing.NOTE, Verb.READ): lambda doer, _: doer.call("search_knowledge", query="harvest"),
    (Thing.NOTE, Verb.CHANGE): edit,
    (Thing.NOTE, Verb.SUPERSEDE): supersede,
    (Thing.NOTE, Verb.REMOVE): delete_and_bring_back,
    (Thing.NOTE, Verb.PURGE): purge,
    (Thing.ITEM, Verb.ADD): lambda doer, _: item(doer),
    (Thing.ITEM, Verb.READ): lambda doer, id: doer.call("get_knowledge", id=id),
    (Thing.ITEM, Verb.CHANGE): lambda doer, id: doer.call("update_knowledge", id=id, summary="S"),
    (Thing.ITEM, Verb.SUPERSEDE): replace_by_another,
    (Thing.ITEM, Verb.JUDGE): lambda doer, id: doer.call(
        "provide_feedback", item_id=id, action="confirm"
    ),
    (Thing.ITEM, Verb.REMOVE): lambda doer, id: doer.call("delete_knowledge", id=id),
    (Thing.ITEM, Verb.PURGE): purge,
    (Thing.MOMENT, Verb.JUDGE): lambda doer, id: doer.call(
        "provide_feedback", item_id=id, action="reject"
    ),
    (Thing.NOTEBOOK, Verb.READ): search_workspace,
    (Thing.NOTEBOOK, Verb.APPEND): append,
    (Thing.NOTEBOOK, Verb.CHANGE): lambda doer, id: edit(doer, _note_of(doer, id)),
    (Thing.NOTEBOOK, Verb.SUPERSEDE): lambda doer, id: replace_by_another(doer, _note_of(doer, id)),
    (Thing.NOTEBOOK, Verb.REMOVE): delete_of_workspace(_NOTING),
    (Thing.NOTEBOOK, Verb.PURGE): lambda doer, id: purge(doer, _note_of(doer, id)),
    (Thing.RECORD, Verb.ADD): lambda doer, _: record(doer, 2),
    (Thing.RECORD, Verb.READ): search_workspace,
    (Thing.RECORD, Verb.CHANGE): lambda doer, id: doer.call(
        "pm_knowledge", **_RECORDING, mode="update", entryId=id, body="Other."
    ),
    (Thing.RECORD, Verb.SUPERSEDE): replace_by_another,
    (Thing.RECORD, Verb.REMOVE): delete_of_workspace(_RECORDING),
    (Thing.RECORD, Verb.PURGE): purge,
    (Thing.UNIT, Verb.ADD): lambda doer, _: unit(doer),
    (Thing.UNIT, Verb.READ): lambda doer, _: doer.call("kp_search_knowledge", query="harvest"),
    (Thing.UNIT, Verb.JUDGE): lambda doer, id: doer.call(
        "kp_validate_unit", unit_id=id, valid=True
    ),
    (Thing.UNIT, Verb.CHANGE): edit,
    (Thing.UNIT, Verb.SUPERSEDE): replace_by_another,
    (Thing.UNIT, Verb.REMOVE): delete_and_bring_back,
    (Thing.UNIT, Verb.PURGE): purge,
    (Thing.SKILL, Verb.ADD): lambda doer, _: skill(doer),
    (Thing.SKILL, Verb.READ): lambda doer, _: doer.call("kp_search_skill", query="review"),
    (Thing.SKILL, Verb.CHANGE): edit,
    (Thing.SKILL, Verb.SUPERSEDE): replace_by_another,
    (Thing.SKILL, Verb.REMOVE): delete_and_bring_back,
    (Thing.SKILL, Verb.PURGE): purge,
    (Thing.SOURCE, Verb.ADD): lambda doer, _: source(doer),
    (Thing.SOURCE, Verb.READ): lambda doer, id: doer.rest("GET", f"/api/sources/{id}"),
    (Thing.SOURCE, Verb.REFRESH): lambda doer, id: doer.rest("POST", f"/api/sources/{id}/refresh"),
    (Thing.SOURCE, Verb.CHANGE): replace_source,
    (Thing.SOURCE, Verb.REMOVE): remove_source,
    (Thing.SOURCE, Verb.PURGE): lambda doer, id: doer.application.documents.remove(
        doer.actor, id, purge=True
    ),
    (Thing.FOLDER, Verb.ADD): push,
    (Thing.FOLDER, Verb.READ): search_workspace,
    (Thing.FOLDER, Verb.CHANGE): change_folder,
    (Thing.FOLDER, Verb.REFRESH): lambda doer, id: doer.call(
        "pm_knowledge", action="ingest", resourceIds=[id], execution="background"
    ),
    (Thing.FOLDER, Verb.REMOVE): lambda doer, _: operate(doer, "remove"),
    (Thing.PROJECT, Verb.ADD): lambda doer, _: doer.rest(
        "POST", "/api/projects", json={"key": "other"}
    ),
    (Thing.PROJECT, Verb.READ): lambda doer, _: doer.rest("GET", "/api/projects"),
    (Thing.PROJECT, Verb.CHANGE): lambda doer, _: doer.rest(
        "POST", "/api/projects", json={"key": "shop", "name": "The shop"}
    ),
    (Thing.PROJECT, Verb.REMOVE): lambda doer, _: doer.rest("DELETE", "/api/projects/shop"),
    (Thing.CHANGES, Verb.READ): lambda doer, _: doer.rest("GET", "/api/audit"),
}

# Of the two scopes that a call may need, the one that lets it in at the door stands first.
SUFFICIENT: Mapping[Scope, frozenset[Scope]] = {
    Scope.READ: frozenset({Scope.READ}),
    Scope.WRITE: frozenset({Scope.READ, Scope.WRITE}),
    Scope.WRITE_OTHERS: frozenset({Scope.READ, Scope.WRITE, Scope.WRITE_OTHERS}),
    Scope.ADMIN: frozenset({Scope.READ, Scope.WRITE, Scope.ADMIN}),
    Scope.AUDIT: frozenset({Scope.READ, Scope.AUDIT}),
}
