"""Serialises the answer to a call that stored something, for repetitions of the call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from commonplace.knowledge.values import Stored
from commonplace.model.actor import Actor
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.image import content_of_image, image_of
from commonplace.model.moment import micros, moment

_OPERATIONS = {EntryKind.NOTE: "k.store"}


def place_of(actor: Actor, kind: EntryKind, token: str) -> str:
    """The cache key. Names are quoted, so that two orgs can never have the same key."""
    operation = _OPERATIONS.get(kind, f"{kind.value}.store")
    names = (quote(part, safe="") for part in (actor.org, actor.agent, token))
    return ":".join(("idem", operation, *names))


def answer_of(entry: Entry) -> dict[str, Any]:
    return {**image_of(entry), "id": entry.id, "at": micros(entry.created_at)}


def stored_of(answer: Mapping[str, Any]) -> Stored:
    return Stored(answer["id"], content_of_image(answer), moment(answer["at"]))


def to_bytes(answer: Mapping[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False).encode()


def from_bytes(kept: bytes) -> Stored:
    return stored_of(json.loads(kept))
