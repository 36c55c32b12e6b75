"""Which files are compared with the question as a whole, and what that adds to their chunks.

Pure. Of two chunks that match a question equally well, the better answer is the one in a file whose
other chunks match it too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from commonplace.model.chunk import OwnerType
from commonplace.model.query import Fusion
from commonplace.retrieval.fusion import Candidate, fuse


def files_to_judge(candidates: Sequence[Candidate], fusion: Fusion, most: int) -> list[int]:
    """The keys of the files whose best chunks match best, each once."""
    owners = (scored.chunk.owner for scored in fuse(candidates, fusion))
    files = dict.fromkeys(owner.key for owner in owners if owner.type is OwnerType.DOCUMENT)
    return list(files)[:most]


def with_wholes(
    candidates: Sequence[Candidate], similarities: Mapping[int, float]
) -> Sequence[Candidate]:
    """Set `whole` of each chunk of a file.

    A file without a similarity of its own counts like the worst file that has one, but no more than
    its chunk. Entries are left as they are.
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
