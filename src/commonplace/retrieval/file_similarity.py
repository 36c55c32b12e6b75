"""Adds the similarity of whole files to the candidates found in them. Pure.

If two chunks match a question equally well, the better answer is in the file whose other chunks
match it, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from commonplace.model.chunk import OwnerType
from commonplace.model.query import Fusion
from commonplace.retrieval.fusion import Candidate, fuse


def files_to_compare(candidates: Sequence[Candidate], fusion: Fusion, most: int) -> list[int]:
    """The keys of the `most` files with the best chunks, in order."""
    owners = (scored.chunk.owner for scored in fuse(candidates, fusion))
    files = dict.fromkeys(owner.key for owner in owners if owner.type is OwnerType.DOCUMENT)
    return list(files)[:most]


def with_file_similarities(
    candidates: Sequence[Candidate], similarities: Mapping[int, float]
) -> Sequence[Candidate]:
    """Set `whole` of each chunk of a file; entries are left unchanged.

    A file without a known similarity gets the lowest known one, but no more than its chunk's.
    """
    if not similarities:
        return candidates
    worst = min(similarities.values())
    return [_with_file_similarity(one, similarities, worst) for one in candidates]


def _with_file_similarity(
    one: Candidate, similarities: Mapping[int, float], worst: float
) -> Candidate:
    owner, own = one.chunk.owner, one.similarity
    if owner.type is not OwnerType.DOCUMENT or own is None:
        return one
    whole = similarities.get(owner.key)
    return replace(one, whole=min(worst, own) if whole is None else whole)
