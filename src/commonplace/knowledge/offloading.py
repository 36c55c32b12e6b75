"""What a child process does with a long entry: cuts it into chunks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.knowledge.passages import EntryText, cut
from commonplace.model.chunk import ChunkDraft, Urgency
from commonplace.model.plain import from_plain, to_plain

# Up to here an entry is cut where it is; no note of an agent is longer.
SHORT_ENOUGH = 50_000


def cut_offloaded(question: Mapping[str, Any], data: bytes) -> dict[str, Any]:
    """The answer to a question of `question_of`, as `drafts_in` reads it."""
    searched = data.decode("utf-8", "surrogatepass")
    text = from_plain(EntryText, {**question["text"], "searched": searched})
    return {"drafts": [to_plain(draft) for draft in cut(text, Urgency.FRESH)]}


def question_of(text: EntryText) -> dict[str, Any]:
    """All but what is long, which goes beside it."""
    asked = to_plain(text)
    del asked["searched"]
    return {"text": asked}


def drafts_in(answer: Mapping[str, Any]) -> list[ChunkDraft]:
    return [from_plain(ChunkDraft, draft) for draft in answer["drafts"]]
