"""Values that accompany an entry: before it is stored, and in answers about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from commonplace.model.chunk import ChunkDraft, EmbeddingState
from commonplace.model.entry import Entry, EntryContent, EntryKind


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with its embedding state (None if it is not indexed)."""

    entry: Entry
    embedding: EmbeddingState | None
    read_at: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing an entry returned, the first time or replayed."""

    id: str
    content: EntryContent
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Prepared:
    """Valid content with its chunks, and vectors by text hash.

    Chunks without vectors are embedded by the worker later; those in `previewed` are completed by
    it.
    """

    kind: EntryKind
    content: EntryContent
    drafts: Sequence[ChunkDraft]
    model: str | None = None
    vectors: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    previewed: Collection[str] = ()
