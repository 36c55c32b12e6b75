"""The permission table: which scope a caller needs, by object, action and owner.

Surfaces, REST and the command line check it through `permit`; docs/howto/authenticate.md shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.errors import AccessDenied, InsufficientScope, NotOwner
from commonplace.model.actor import SYSTEM_ORG, Actor, Scope


class Thing(StrEnum):
    NOTE = "note"
    ITEM = "item"
    MOMENT = "moment awaiting review"
    NOTEBOOK = "notebook"
    RECORD = "record"
    UNIT = "knowledge unit"
    SKILL = "skill"
    SOURCE = "source"
    FOLDER = "folder, attached or pushed"
    PROJECT = "project"
    CHANGES = "record of changes"


class Verb(StrEnum):
    READ = "read"
    ADD = "add"
    CHANGE = "change"
    APPEND = "append a note"
    SUPERSEDE = "supersede"
    JUDGE = "judge"
    REFRESH = "refresh"
    REMOVE = "delete, restore"
    PURGE = "purge"


class Whose(StrEnum):
    OWN = "own"
    OTHERS = "another agent's"
    SHARED = "the project's or org's"
    SYSTEM = "the system's"


@dataclass(frozen=True, slots=True)
class Right:
    """The scope that an action needs, by owner; None where that cannot occur."""

    thing: Thing
    verb: Verb
    own: Scope | None = None
    others: Scope | None = None
    shared: Scope | None = None
    system: Scope | None = None
    why: str = ""

    def scope(self, whose: Whose) -> Scope | None:
        return {
            Whose.OWN: self.own,
            Whose.OTHERS: self.others,
            Whose.SHARED: self.shared,
            Whose.SYSTEM: self.system,
        }[whose]


_READ, _WRITE, _OTHERS, _ADMIN = Scope.READ, Scope.WRITE, Scope.WRITE_OTHERS, Scope.ADMIN
_NEITHER = "own: at least one of the two entries, so that a better note may replace another agent's"
_FEEDBACK = "confirming or modifying gives feedback; rejecting deletes the item"
_QUEUE = "any reviewer decides, whichever session it came from"
_HANDLE = "a notebook belongs to the agent that started it, under any handle"
_COPY = "a record copies something kept elsewhere; whoever sees that change updates it"
_AGAIN = "changes derived data only"
_VOICE = "saying that it helped or misled changes its trust and nothing else"
_VERDICT = "a verdict on one's own unit is accepted but does not count"
_VERSION = "the same name from another agent is a different skill"
_CONTENTS = "entries of others in it count as if each were deleted by itself"

MATRIX: tuple[Right, ...] = (
    Right(Thing.NOTE, Verb.ADD, own=_WRITE),
    Right(Thing.NOTE, Verb.READ, own=_READ, others=_READ),
    Right(Thing.NOTE, Verb.CHANGE, own=_WRITE, others=_OTHERS),
    Right(Thing.NOTE, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.NOTE, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_VOICE),
    Right(Thing.NOTE, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.NOTE, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.ITEM, Verb.ADD, own=_WRITE),
    Right(Thing.ITEM, Verb.READ, own=_READ, others=_READ),
    Right(Thing.ITEM, Verb.CHANGE, own=_WRITE, others=_OTHERS),
    Right(Thing.ITEM, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.ITEM, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_FEEDBACK),
    Right(Thing.ITEM, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.ITEM, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.MOMENT, Verb.JUDGE, shared=_WRITE, why=_QUEUE),
    Right(Thing.NOTEBOOK, Verb.READ, own=_READ, others=_READ),
    Right(Thing.NOTEBOOK, Verb.APPEND, own=_WRITE, others=_OTHERS, why=_HANDLE),
    Right(Thing.NOTEBOOK, Verb.CHANGE, own=_WRITE, others=_OTHERS),
    Right(Thing.NOTEBOOK, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.NOTEBOOK, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_VOICE),
    Right(Thing.NOTEBOOK, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.NOTEBOOK, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.RECORD, Verb.ADD, own=_WRITE),
    Right(Thing.RECORD, Verb.READ, own=_READ, others=_READ),
    Right(Thing.RECORD, Verb.CHANGE, own=_WRITE, others=_WRITE, why=_COPY),
    Right(Thing.RECORD, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.RECORD, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_VOICE),
    Right(Thing.RECORD, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.RECORD, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.UNIT, Verb.ADD, own=_WRITE),
    Right(Thing.UNIT, Verb.READ, own=_READ, others=_READ),
    Right(Thing.UNIT, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_VERDICT),
    Right(Thing.UNIT, Verb.CHANGE, own=_WRITE, others=_OTHERS),
    Right(Thing.UNIT, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.UNIT, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.UNIT, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.SKILL, Verb.ADD, own=_WRITE, why=_VERSION),
    Right(Thing.SKILL, Verb.READ, own=_READ, others=_READ),
    Right(Thing.SKILL, Verb.CHANGE, own=_WRITE, others=_OTHERS),
    Right(Thing.SKILL, Verb.SUPERSEDE, own=_WRITE, others=_OTHERS, why=_NEITHER),
    Right(Thing.SKILL, Verb.JUDGE, own=_WRITE, others=_WRITE, why=_VOICE),
    Right(Thing.SKILL, Verb.REMOVE, own=_WRITE, others=_OTHERS),
    Right(Thing.SKILL, Verb.PURGE, own=_WRITE, others=_OTHERS),
    Right(Thing.SOURCE, Verb.ADD, own=_WRITE, system=_ADMIN),
    Right(Thing.SOURCE, Verb.READ, own=_READ, others=_READ, system=_READ),
    Right(Thing.SOURCE, Verb.REFRESH, own=_WRITE, others=_WRITE, system=_ADMIN, why=_AGAIN),
    Right(Thing.SOURCE, Verb.CHANGE, own=_WRITE, others=_OTHERS, system=_ADMIN),
    Right(Thing.SOURCE, Verb.REMOVE, own=_WRITE, others=_OTHERS, system=_ADMIN),
    Right(Thing.SOURCE, Verb.PURGE, own=_WRITE, others=_OTHERS, system=_ADMIN),
    Right(Thing.FOLDER, Verb.ADD, shared=_WRITE),
    Right(Thing.FOLDER, Verb.READ, shared=_READ),
    Right(Thing.FOLDER, Verb.CHANGE, shared=_WRITE),
    Right(Thing.FOLDER, Verb.REFRESH, shared=_WRITE, why=_AGAIN),
    Right(Thing.FOLDER, Verb.REMOVE, shared=_WRITE, why="files on disk are not touched"),
    Right(Thing.PROJECT, Verb.ADD, own=_WRITE),
    Right(Thing.PROJECT, Verb.READ, own=_READ, others=_READ),
    Right(Thing.PROJECT, Verb.CHANGE, own=_WRITE, others=_WRITE, why="roots can only be added"),
    Right(Thing.PROJECT, Verb.REMOVE, own=_WRITE, others=_OTHERS, why=_CONTENTS),
    Right(Thing.CHANGES, Verb.READ, shared=Scope.AUDIT),
)
_BY_THING_AND_VERB = {(right.thing, right.verb): right for right in MATRIX}


def permit(actor: Actor, thing: Thing, verb: Verb, whose: Whose) -> None:
    """Raise an error that names the missing scope unless the actor has it."""
    scope = _BY_THING_AND_VERB[thing, verb].scope(whose)
    if scope is not None and scope in actor.scopes:
        return
    if scope is Scope.WRITE_OTHERS:
        raise NotOwner(f"This is another agent's: {_ACTION[verb]} needs the scope {scope.value}.")
    if scope is Scope.ADMIN:
        raise AccessDenied(f"System sources need the scope {scope.value}.")
    named = scope.value if scope else "that nobody holds"
    raise InsufficientScope(f"This needs the scope {named}.", needed=named)


_ACTION = {
    Verb.CHANGE: "changing it",
    Verb.APPEND: "writing into it",
    Verb.SUPERSEDE: "superseding it by another entry",
    Verb.REMOVE: "deleting or restoring it",
    Verb.PURGE: "purging it",
}


def whose_is(actor: Actor, agent: str, org: str | None = None) -> Whose:
    """Whether an object belongs to the actor, to another agent or to the system."""
    if org == SYSTEM_ORG:
        return Whose.SYSTEM
    return Whose.OWN if agent == actor.agent else Whose.OTHERS
