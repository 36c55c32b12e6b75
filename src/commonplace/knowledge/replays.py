"""Serialises the answer to a call that stored something, for repetitions of the call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.knowledge.values import Stored
from commonplace.model.entry import Entry
from commonplace.model.image import content_of_image, image_of
from commonplace.model.times import from_micros, to_micros


def answer_of(entry: Entry) -> dict[str, Any]:
    return {**image_of(entry), "id": entry.id, "at": to_micros(entry.created_at)}


def stored_of(answer: Mapping[str, Any]) -> Stored:
    return Stored(answer["id"], content_of_image(answer), from_micros(answer["at"]))
