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


@contextmanager
def said_where(application: Application, actor: Actor, id: str) -> Iterator[None]:
    """What is not found here, but kept by another dialect, is refused with where it is."""
    try:
        yield
    except NotFound as missing:
        kind = application.knowledge.kind_of(actor, id)
        hint = _PLACES[kind].format(id=id) if kind else ""
        raise NotFound(missing.message, hint=hint) from None
