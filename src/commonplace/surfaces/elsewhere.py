"""Where an id leads that was given to the wrong dialect: to agents all entries look alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.application import Application
from commonplace.errors import NotFound
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind

_PLACES = {
    EntryKind.NOTE: "This is a note: read commonplace://knowledge/{id}, replace it by "
    "store_knowledge and supersede_knowledge.",
    EntryKind.ITEM: "This is an item: get_knowledge shows it.",
    EntryKind.PAGE: "This is a page: knowledge.search finds it.",
    EntryKind.SKILL: "This is a skill: kp_search_skill finds it.",
    EntryKind.UNIT: "This is a knowledge unit: kp_search_knowledge finds it.",
    EntryKind.NOTEBOOK_NOTE: "This is a note in a notebook: pm_knowledge finds it.",
    EntryKind.RECORD: "This is a record: pm_knowledge finds it.",
}


# What ids begin with that are no uuids; the first that fits.
MADE_ELSEWHERE = {
    "ki-": "get_knowledge",
    "kp:skill:": "kp_search_skill",
    "kp:": "kp_search_knowledge",
    "ks_": "knowledge.get",
    "note_": "pm_knowledge",
    "entry_": "pm_knowledge",
}
_SOURCE = "This is a source: knowledge.get shows it."


@contextmanager
def said_where(
    application: Application, actor: Actor, *ids: str, own: EntryKind | None = None
) -> Iterator[None]:
    """What is not found here, but kept by another dialect, is refused with where it is.

    Of several ids those of its `own` kind are in their place.
    """
    try:
        yield
    except NotFound as missing:
        told = (_place(application, actor, id, own) for id in ids)
        hint = next(filter(None, told), "")
        # Of its own kind: another dialect's refusal has a code of its own for it.
        raise type(missing)(missing.message, hint=hint or missing.hint) from None


def _place(application: Application, actor: Actor, id: str, own: EntryKind | None) -> str:
    if kind := application.knowledge.kind_of(actor, id):
        return "" if kind is own else _PLACES[kind].format(id=id)
    try:
        application.documents.get(actor, id)
    except NotFound:
        return ""
    return _SOURCE
