"""Caches what several stages of one search read from its transaction."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.chunk import ChunkTerms
from commonplace.model.entry import Entry
from commonplace.model.query import Filter
from commonplace.storage.port import Transaction


class SearchReads:
    """Chunks that pass the filter, and entries, each read once; misses are cached, too.

    Without `by_terms` nothing is scored by terms, so chunks are read without them.
    """

    def __init__(self, tx: Transaction, wanted: Filter, *, by_terms: bool) -> None:
        self.tx = tx
        self.wanted = wanted
        tx.chunks.expect(wanted, terms=by_terms)
        self._read = tx.chunks.terms if by_terms else tx.chunks.without_terms
        self._terms: dict[int, ChunkTerms | None] = {}
        self._entries: dict[int, Entry | None] = {}

    def terms(self, keys: Sequence[int]) -> list[ChunkTerms]:
        """The chunks that pass the filter, in the order of `keys`."""
        if new := [key for key in keys if key not in self._terms]:
            self._terms.update(dict.fromkeys(new))
            self._terms.update({c.key: c for c in self._read(new, self.wanted)})
        return [chunk for key in keys if (chunk := self._terms[key]) is not None]

    def entries(self, keys: Sequence[int]) -> dict[int, Entry]:
        if new := [key for key in keys if key not in self._entries]:
            self._entries.update(dict.fromkeys(new))
            self._entries.update(self.tx.entries.by_keys(new))
        return {key: entry for key in keys if (entry := self._entries[key]) is not None}
