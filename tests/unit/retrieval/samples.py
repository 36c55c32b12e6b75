"""Chunks for tests of ranking: what ranking looks at."""

from __future__ import annotations

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType


def chunk(
    key: int, terms: str = "", context_terms: str = "", owner: int | None = None
) -> ChunkTerms:
    own = Owner(OwnerType.ENTRY, key if owner is None else owner)
    return ChunkTerms(key, own, terms, context_terms)
