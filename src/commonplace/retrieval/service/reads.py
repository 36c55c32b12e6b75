"""What several stages of one search ask of its transaction, read once."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.chunk import ChunkTerms
from commonplace.model.entry import Entry
from commonplace.model.query import Filter
from commonplace.storage.port import Transaction


class SearchReads:
    """Terms of chunks that pass the filter, and entries; what is not there is remembered too.

    Where nothing is scored by terms, none are read: `by_terms` says so.
    """

    def __init__(self, tx: Transaction, wanted: Filter, *, by_terms: bool) -> None:
        self.tx = tx
        self.wanted = wanted
        self._read = tx.chunks.terms if by_terms else tx.chunks.without_terms
        self._terms: dict[int, ChunkTerms | None] = {}
        self._entries: dict[int, Entry | None] = {}

    def terms(self, keys: Sequence[int]) -> list[ChunkTerms]:
        """What scoring reads of chunks, in the order of their keys."""
        if new := [key for key in keys if key not in self._terms]:
            self._terms.update(dict.fromkeys(new))
            self._terms.update({c.key: c for c in self._read(new, self.wanted)})
        return [chunk for key in keys if (chunk := self._terms[key]) is not None]

    def entries(self, keys: Sequence[int]) -> dict[int, Entry]:
        if new := [key for key in keys if key not in self._entries]:
            self._entries.update(dict.fromkeys(new))
            self._entries.update(self.tx.entries.by_keys(new))
        return {key: entry for key in keys if (entry := self._entries[key]) is not None}
