"""Cutting a long entry into chunks in a child process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.knowledge.passages import EntryText, cut
from commonplace.model.chunk import ChunkDraft, Urgency
from commonplace.model.plain import from_plain, to_plain

# Shorter entries are cut in this process; no agent's note is longer.
SHORT_ENOUGH = 50_000


def cut_offloaded(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """Answers a question made by `question_of`, for `drafts_in` to read."""
    searched = data.decode("utf-8", "surrogatepass")
    text = from_plain(EntryText, {**question["text"], "searched": searched})
    return {"drafts": [to_plain(draft) for draft in cut(text, Urgency.FRESH)]}


def question_of(text: EntryText) -> dict[str, Any]:
    """The question without the long text, which is sent separately."""
    asked = to_plain(text)
    del asked["searched"]
    return {"text": asked}


def drafts_in(answer: Mapping[str, Any]) -> list[ChunkDraft]:
    return [from_plain(ChunkDraft, draft) for draft in answer["drafts"]]
