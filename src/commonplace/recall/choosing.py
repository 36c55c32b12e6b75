"""Which of what was found is shown: each passage once, spread over kinds and files. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.recall.evidence import Counts, Evidence
from commonplace.recall.likeness import Unlike, asked_terms
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


class Distinct:
    """Every entry once, every file at most twice, of passages that say the same the first.

    What was found is judged and compared as far as somebody reads; behind that only copies of what
    is shown are looked for.
    """

    def __init__(self, found: Sequence[Scored], judged: Iterator[Judged], counts: Counts) -> None:
        self._found, self._judged, self._counts = found, judged, counts
        self._unlike, self._owners = Unlike(), Counter[Owner]()
        self._copies = Counter[int]()
        self._read: list[Judged] = []
        self._next = 0

    def __iter__(self) -> Iterator[Judged]:
        number = 0
        while number < len(self._read) or self._read_on():
            yield self._read[number]
            number += 1

    def first(self, count: int) -> list[Judged]:
        return list(islice(self, count))

    def with_copies(self, shown: Sequence[Judged]) -> list[Judged]:
        """Those that are shown, each with how many say the same, from first to last."""
        copies = self._copies_behind({one.chunk.key for one in shown})
        if copies is None:
            copies = Counter[int]()
            while self._read_on():
                pass
        copies += self._copies
        return [replace(one, copies=copies[one.chunk.key]) for one in shown]

    def _read_on(self) -> bool:
        """Read until another one is new; False at the end."""
        for one in self._judged:
            chunk = self._found[self._next].chunk
            self._next += 1
            if self._is_spent(chunk.owner):
                continue
            twin = self._unlike.twin_of(chunk, self._counts[chunk.key])
            if twin is None:
                self._owners[chunk.owner] += 1
                self._read.append(one)
                return True
            if twin.owner != chunk.owner:
                self._copies[twin.key] += 1
        return False

    def _is_spent(self, owner: Owner, further: int = 0) -> bool:
        """Whether it has spoken as often as it may, with so many passages beside those read."""
        most = PER_FILE if owner.type is OwnerType.DOCUMENT else 1
        return self._owners[owner] + further >= most

    def _copies_behind(self, shown: Collection[int]) -> Counter[int] | None:
        """How many copies of those shown were not read; None where that depends on the others.

        What was read comes first, so it is what a passage behind it is a copy of; but whether an
        owner has spoken before such a copy does is not known without reading.
        """
        copies, perhaps_new = Counter[int](), Counter[Owner]()
        asked = {asked_terms(self._counts[key]) for key in shown}
        for chunk in (one.chunk for one in self._found[self._next :]):
            if self._is_spent(chunk.owner):
                continue
            has = self._counts[chunk.key]
            twin = self._unlike.known_twin_of(chunk, has) if asked_terms(has) in asked else None
            if twin is None:
                perhaps_new[chunk.owner] += 1
            elif twin.key in shown and twin.owner != chunk.owner:
                if self._is_spent(chunk.owner, perhaps_new[chunk.owner]):
                    return None
                copies[twin.key] += 1
        return copies


def spread(found: Iterable[Judged], limit: int) -> list[Judged]:
    """The best `limit` of them; no kind or source crowds out others that are as good.

    Read as far as that takes.
    """
    most = max(1, round(limit * _SHARE_OF_GROUP))
    coming, groups = enumerate(found), Counter[object]()
    rest: list[tuple[int, Judged]] = []
    taken: list[tuple[int, Judged]] = []
    while len(taken) < limit and (chosen := _next(_waiting(rest, coming), groups, most)):
        rest.remove(chosen)
        groups[_group(chosen[1])] += 1
        taken.append(chosen)
    return [one for _, one in sorted(taken, key=lambda ranked: ranked[0])]


_Ranked = tuple[int, Judged]


def _waiting(rest: list[_Ranked], coming: Iterator[_Ranked]) -> Iterator[_Ranked]:
    """Those that are not taken; what is read is kept for the next who looks."""
    yield from rest
    for one in coming:
        rest.append(one)
        yield one


def _next(waiting: Iterator[_Ranked], groups: Counter[object], most: int) -> _Ranked | None:
    first = next(waiting, None)
    if first is None or groups[_group(first[1])] < most:
        return first
    enough = _COMPARABLE * first[1].probability
    as_good = takewhile(lambda one: one[1].probability >= enough, waiting)
    return next((one for one in as_good if groups[_group(one[1])] < most), first)


def _group(one: Judged) -> object:
    return one.chunk.kind, one.chunk.place.resource
