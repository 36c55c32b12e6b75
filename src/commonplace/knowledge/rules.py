"""Rules for every entry, whatever the dialect; dialects may be stricter."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.actor import Actor
from commonplace.model.entry import Entry, EntryContent, EntryKind, plain_tag
from commonplace.model.rights import Thing, Verb, Whose, permit, whose_is
from commonplace.text.gate import clean

LONG_AGO = datetime.min.replace(tzinfo=UTC)
MAX_TITLE = 2000
MAX_BODY = 1_000_000
MAX_TAGS = 64
MAX_TAG = 100
_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
THINGS = {
    EntryKind.NOTE: Thing.NOTE,
    EntryKind.ITEM: Thing.ITEM,
    EntryKind.PAGE: Thing.NOTE,
    EntryKind.NOTEBOOK_NOTE: Thing.NOTEBOOK,
    EntryKind.RECORD: Thing.RECORD,
    EntryKind.UNIT: Thing.UNIT,
    EntryKind.SKILL: Thing.SKILL,
}


def checked(content: EntryContent, now: datetime) -> EntryContent:
    """The content as it will be stored; InvalidArgument names the field that breaks a rule."""
    unexpired(content, now)
    if not 0 <= content.confidence <= 1:
        raise InvalidArgument("confidence must be between 0 and 1.", field="confidence")
    return replace(
        content,
        title=_required(content.title, "title", MAX_TITLE),
        body=_required(content.body, "body", MAX_BODY),
        tags=_checked_tags(content.tags),
    )


def unexpired(content: EntryContent, now: datetime) -> None:
    """Separate, because it needs the transaction's clock; the other checks can come before."""
    if content.expires_at is not None and content.expires_at <= now:
        raise InvalidArgument("expires_at must be in the future.", field="expires_at")


def _required(text: str, field: str, longest: int) -> str:
    cleaned = clean(text, field=field, max_chars=longest)
    if not cleaned.strip():
        raise InvalidArgument(f"{field} must not be empty.", field=field)
    return cleaned


def _checked_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    if len(tags) > MAX_TAGS:
        raise InvalidArgument(f"tags: at most {MAX_TAGS} are allowed.", field="tags")
    return tuple(dict.fromkeys(plain_tag(_required(tag, "tags", MAX_TAG)) for tag in tags))


def note_tags(tags: list[str]) -> list[str]:
    """The form in which all notes store tags; raises ValueError if a tag has another form."""
    lowered = [plain_tag(tag) for tag in tags]
    for tag in lowered:
        if not _KEBAB.fullmatch(tag):
            raise ValueError("each tag must be kebab-case: a-z, 0-9 and single hyphens")
    return list(dict.fromkeys(lowered))


def permitted(entry: Entry | None, actor: Actor, verb: Verb) -> Entry:
    """The entry, if the actor may do this to it. What the actor cannot see does not exist."""
    if entry is None or entry.org != actor.org:
        raise NotFound("No entry with that id.")
    permit(actor, THINGS[entry.kind], verb, whose_is(actor, entry.agent))
    return entry


def permit_adding(actor: Actor, kind: EntryKind) -> None:
    verb = Verb.APPEND if kind is EntryKind.NOTEBOOK_NOTE else Verb.ADD
    permit(actor, THINGS[kind], verb, Whose.OWN)


def present(entry: Entry) -> Entry:
    """The entry, unless it is deleted."""
    if entry.deleted_at is not None:
        raise NotFound("No entry with that id.")
    return entry
