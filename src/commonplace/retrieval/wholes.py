"""Which files are judged as a whole, and what that says of their chunks.

Pure. A file is about what all of it says: of two chunks that are equally near to a question, the
one among others that are near too is the better answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from commonplace.model.chunk import OwnerType
from commonplace.model.query import Fusion
from commonplace.retrieval.fusion import Candidate, fuse


def files_to_judge(candidates: Sequence[Candidate], fusion: Fusion, most: int) -> list[int]:
    """Those whose best chunks match best, each once."""
    owners = (scored.chunk.owner for scored in fuse(candidates, fusion))
    files = dict.fromkeys(owner.key for owner in owners if owner.type is OwnerType.DOCUMENT)
    return list(files)[:most]


def with_wholes(
    candidates: Sequence[Candidate], similarities: Mapping[int, float]
) -> Sequence[Candidate]:
    """A file that was not judged counts like the worst that was, but no more than its chunk.

    What belongs to no file stands for itself.
    """
    if not similarities:
        return candidates
    worst = min(similarities.values())
    return [_with_whole(one, similarities, worst) for one in candidates]


def _with_whole(one: Candidate, similarities: Mapping[int, float], worst: float) -> Candidate:
    owner, own = one.chunk.owner, one.similarity
    if owner.type is not OwnerType.DOCUMENT or own is None:
        return one
    whole = similarities.get(owner.key)
    return replace(one, whole=min(worst, own) if whole is None else whole)
