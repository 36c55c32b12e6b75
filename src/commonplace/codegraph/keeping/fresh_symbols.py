"""The symbols that a run has just stored: linking in the same run need not read them again."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.graph import Symbol

# In symbols, some 250 bytes each: the files beyond are read from the store.
_MOST = 50_000


class FreshSymbols:
    """Symbols by document, of as many files as memory allows. Valid while the lease is held."""

    def __init__(self) -> None:
        self._kept: dict[int, Sequence[Symbol]] = {}
        self._count = 0

    def keep(self, document_key: int, symbols: Sequence[Symbol]) -> None:
        if self._count < _MOST:
            self._kept[document_key] = symbols
            self._count += len(symbols)

    def get(self, document_key: int) -> Sequence[Symbol] | None:
        return self._kept.get(document_key)

    def missing(self, document_keys: Sequence[int]) -> list[int]:
        return [key for key in document_keys if key not in self._kept]
