"""Which of what was found is shown: each passage once, spread over kinds and files. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from commonplace.model.chunk import ChunkTerms, OwnerType
from commonplace.recall.evidence import Counts, Evidence
from commonplace.recall.likeness import Unlike
from commonplace.retrieval.fusion import Scored

# A file may speak twice, where two of its passages are better than what others say.
PER_FILE = 2
# Of what is shown at most this share is of one kind and source, as long as others are as good.
_SHARE_OF_GROUP = 0.6
# Others are as good when they are at least so likely as what they would displace.
_COMPARABLE = 0.7


@dataclass(frozen=True, slots=True)
class Judged:
    """A hit with what speaks for it, how likely it answers, and how many further copies it has."""

    scored: Scored
    evidence: Evidence
    probability: float
    copies: int = 0

    @property
    def chunk(self) -> ChunkTerms:
        return self.scored.chunk


def distinct(found: Sequence[Judged], counts: Counts) -> list[Judged]:
    """Every entry once, every file at most twice, of passages that say the same the first."""
    unlike, owners = Unlike(), Counter[object]()
    chosen: dict[int, Judged] = {}
    for one in found:
        owner = one.chunk.owner
        if owners[owner] >= (PER_FILE if owner.type is OwnerType.DOCUMENT else 1):
            continue
        twin = unlike.twin_of(one.chunk, counts[one.chunk.key])
        if twin is None:
            owners[owner] += 1
            chosen[one.chunk.key] = one
        elif twin.owner != owner:
            known = chosen[twin.key]
            chosen[twin.key] = replace(known, copies=known.copies + 1)
    return list(chosen.values())


def spread(found: Sequence[Judged], limit: int) -> list[Judged]:
    """The best `limit` of them; no kind or source crowds out others that are as good."""
    most = max(1, round(limit * _SHARE_OF_GROUP))
    rest, groups = list(enumerate(found)), Counter[object]()
    taken: list[tuple[int, Judged]] = []
    while rest and len(taken) < limit:
        chosen = _next(rest, groups, most)
        rest.remove(chosen)
        groups[_group(chosen[1])] += 1
        taken.append(chosen)
    return [one for _, one in sorted(taken, key=lambda ranked: ranked[0])]


def _next(
    rest: Sequence[tuple[int, Judged]], groups: Counter[object], most: int
) -> tuple[int, Judged]:
    first = rest[0]
    if groups[_group(first[1])] < most:
        return first
    enough = _COMPARABLE * first[1].probability
    others = (one for one in rest if groups[_group(one[1])] < most)
    return next((one for one in others if one[1].probability >= enough), first)


def _group(one: Judged) -> object:
    return one.chunk.kind, one.chunk.place.resource
