"""Chooses the hits to show: without duplicates, spread over kinds and files. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.recall.evidence import Counts, Evidence
from commonplace.recall.likeness import TwinFinder, matched_terms
from commonplace.retrieval.fusion import Scored

# The most passages of one file; two, as both may be better than those of other files.
PER_FILE = 2
# The largest share of the hits from one kind and source, as long as others are as good.
_SHARE_OF_GROUP = 0.6
# Another hit is as good if it has at least this share of the displaced one's probability.
_COMPARABLE = 0.7


@dataclass(frozen=True, slots=True)
class Judged:
    """A hit with its evidence, its probability of answering, and the number of further copies."""

    scored: Scored
    evidence: Evidence
    probability: float
    copies: int = 0

    @property
    def chunk(self) -> ChunkTerms:
        return self.scored.chunk


class Distinct:
    """Iterates over hits without repetition: each entry once, each file at most twice, and only
    the first of passages that say the same.

    Hits are judged and compared lazily, as far as the caller iterates. The remaining ones are only
    searched for copies of the hits shown.
    """

    def __init__(self, found: Sequence[Scored], judged: Iterator[Judged], counts: Counts) -> None:
        self._found, self._judged, self._counts = found, judged, counts
        self._twins, self._owners = TwinFinder(), Counter[Owner]()
        self._copies = Counter[int]()
        self._read: list[Judged] = []
        self._next = 0

    def __iter__(self) -> Iterator[Judged]:
        number = 0
        while number < len(self._read) or self._advance():
            yield self._read[number]
            number += 1

    def first(self, count: int) -> list[Judged]:
        return list(islice(self, count))

    def with_copies(self, shown: Sequence[Judged]) -> list[Judged]:
        """The hits shown, each with the number of copies among all that were found."""
        copies = self._copies_after({one.chunk.key for one in shown})
        if copies is None:
            copies = Counter[int]()
            while self._advance():
                pass
        copies += self._copies
        return [replace(one, copies=copies[one.chunk.key]) for one in shown]

    def _advance(self) -> bool:
        """Advance to the next hit that is not a repetition; False at the end."""
        for one in self._judged:
            chunk = self._found[self._next].chunk
            self._next += 1
            if self._is_exhausted(chunk.owner):
                continue
            twin = self._twins.twin_of(chunk, self._counts[chunk.key])
            if twin is None:
                self._owners[chunk.owner] += 1
                self._read.append(one)
                return True
            if twin.owner != chunk.owner:
                self._copies[twin.key] += 1
        return False

    def _is_exhausted(self, owner: Owner, further: int = 0) -> bool:
        """Whether an owner has its most passages, counting `further` ones not read yet."""
        most = PER_FILE if owner.type is OwnerType.DOCUMENT else 1
        return self._owners[owner] + further >= most

    def _copies_after(self, shown: Collection[int]) -> Counter[int] | None:
        """Count copies of the hits shown among those not read; None if that requires reading them.

        A later passage is a copy of one that was read, as those come first. But if its owner may
        reach its limit before, only reading on can tell whether the copy counts.
        """
        copies, perhaps_new = Counter[int](), Counter[Owner]()
        matched = {matched_terms(self._counts[key]) for key in shown}
        for chunk in (one.chunk for one in self._found[self._next :]):
            if self._is_exhausted(chunk.owner):
                continue
            has = self._counts[chunk.key]
            twin = self._twins.known_twin_of(chunk, has) if matched_terms(has) in matched else None
            if twin is None:
                perhaps_new[chunk.owner] += 1
            elif twin.key in shown and twin.owner != chunk.owner:
                if self._is_exhausted(chunk.owner, perhaps_new[chunk.owner]):
                    return None
                copies[twin.key] += 1
        return copies


def spread(found: Iterable[Judged], limit: int) -> list[Judged]:
    """The best `limit` hits, so that no kind or source crowds out others that are as good.

    `found` is read only as far as necessary.
    """
    most = max(1, round(limit * _SHARE_OF_GROUP))
    coming, groups = enumerate(found), Counter[object]()
    rest: list[tuple[int, Judged]] = []
    taken: list[tuple[int, Judged]] = []
    while len(taken) < limit and (chosen := _next(_candidates(rest, coming), groups, most)):
        rest.remove(chosen)
        groups[_group(chosen[1])] += 1
        taken.append(chosen)
    return [one for _, one in sorted(taken, key=lambda ranked: ranked[0])]


_Ranked = tuple[int, Judged]


def _candidates(rest: list[_Ranked], coming: Iterator[_Ranked]) -> Iterator[_Ranked]:
    """The hits not taken yet; those read from `coming` are added to `rest` for the next pass."""
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
