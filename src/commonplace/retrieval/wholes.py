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
) -> list[Candidate]:
    """A file that was not judged counts like the worst that was, but no more than its chunk.

    What belongs to no file stands for itself.
    """
    if not similarities:
        return list(candidates)
    worst = min(similarities.values())
    return [
        replace(one, whole=similarities.get(one.chunk.owner.key, min(worst, one.similarity)))
        if one.chunk.owner.type is OwnerType.DOCUMENT and one.similarity is not None
        else one
        for one in candidates
    ]
