"""What is answered about an entry beside the entry itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import Entry, EntryContent


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
