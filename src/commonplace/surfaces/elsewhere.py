"""Hints for ids that were passed to the wrong dialect: agents cannot tell whose id it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.application import Application
from commonplace.errors import NotFound
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind

_HINTS = {
    EntryKind.NOTE: "This is a note: read commonplace://knowledge/{id}, replace it with "
    "store_knowledge and supersede_knowledge.",
    EntryKind.ITEM: "This is an item: get_knowledge shows it.",
    EntryKind.PAGE: "This is a page: knowledge.search finds it.",
    EntryKind.SKILL: "This is a skill: kp_search_skill finds it.",
    EntryKind.UNIT: "This is a knowledge unit: kp_search_knowledge finds it.",
    EntryKind.NOTEBOOK_NOTE: "This is a note in a notebook: pm_knowledge finds it.",
    EntryKind.RECORD: "This is a record: pm_knowledge finds it.",
}


# Prefix of an id -> the tool that reads it. The first match counts.
ID_PREFIXES = {
    "ki-": "get_knowledge",
    "kp:skill:": "kp_search_skill",
    "kp:": "kp_search_knowledge",
    "ks_": "knowledge.get",
    "note_": "pm_knowledge",
    "entry_": "pm_knowledge",
}
_SOURCE_HINT = "This is a source: knowledge.get shows it."


@contextmanager
def hint_if_elsewhere(
    application: Application, actor: Actor, *ids: str, own: EntryKind | None = None
) -> Iterator[None]:
    """Add a hint to NotFound if another dialect has an entry with one of the ids.

    Ids of the dialect's `own` kind give no hint.
    """
    try:
        yield
    except NotFound as missing:
        hints = (_hint(application, actor, id, own) for id in ids)
        hint = next(filter(None, hints), "")
        # Keep the subclass: some dialects map it to a code of its own.
        raise type(missing)(missing.message, hint=hint or missing.hint) from None


def _hint(application: Application, actor: Actor, id: str, own: EntryKind | None) -> str:
    if kind := application.knowledge.kind_of(actor, id):
        return "" if kind is own else _HINTS[kind].format(id=id)
    try:
        application.documents.get(actor, id)
    except NotFound:
        return ""
    return _SOURCE_HINT
