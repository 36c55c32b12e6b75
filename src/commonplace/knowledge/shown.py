"""What goes with an entry: its vectors before it is stored, and what is answered about it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from commonplace.model.chunk import ChunkDraft, EmbeddingState
from commonplace.model.entry import Entry, EntryContent, EntryKind


@dataclass(frozen=True, slots=True)
class EntryView:
    """An entry with how far its embedding has come (None when nothing of it is indexed)."""

    entry: Entry
    embedding: EmbeddingState | None
    read_at: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing answered, the first time or replayed."""

    id: str
    content: EntryContent
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Prepared:
    """Content that may be stored, its chunks, and their vectors by the hash of their text.

    Without vectors the worker embeds it later; what is `previewed` it completes.
    """

    kind: EntryKind
    content: EntryContent
    drafts: Sequence[ChunkDraft]
    model: str | None = None
    vectors: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    previewed: Collection[str] = ()
