"""How well moments are cut from whole threads, and how they are titled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.quality.moments.labelled import Thread, Told
from benchmarks.quality.moments.reading import Reader
from commonplace.capture.about import is_filler
from commonplace.capture.likeness import containment, shingles
from commonplace.capture.moments import Moment, MomentAction

_WORD = re.compile(r"\w+")
_LONGEST_TITLE = 200
_SHARED = 0.5


@dataclass(slots=True)
class Cut:
    """What was found in threads: `right` has words of a labelled moment, `typed` its type too."""

    moments: int = 0
    told: int = 0
    found: int = 0
    right: int = 0
    typed: int = 0
    titled: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.told / self.moments if self.moments else 0.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def cut(reader: Reader, threads: Sequence[Thread], threshold: float) -> Cut:
    counted = Cut()
    for thread in threads:
        found = [
            one.moment
            for one in reader.found(thread.text, threshold).candidates
            if one.verdict is MomentAction.CAPTURE and not one.repeats
        ]
        counted.moments += len(thread.moments)
        counted.found += len(found)
        counted.told += sum(any(_says(one, told) for one in found) for told in thread.moments)
        for moment in found:
            meant = [told for told in thread.moments if _says(moment, told)]
            counted.right += bool(meant)
            counted.typed += any(told.type == moment.type for told in meant)
            counted.titled += any(titled(moment.summary, told) for told in meant)
    return counted


def _says(moment: Moment, told: Told) -> bool:
    """Half of the rows of three words of either stand in the other."""
    one, other = shingles(moment.text), shingles(told.text)
    return max(containment(one, other), containment(other, one)) >= _SHARED


def titled(title: str, told: Told) -> bool:
    """The rule for a good title: no filler, at most 200 characters, from the moment's own words."""
    said = set(_WORD.findall(told.text.lower()))
    words = _WORD.findall(title.lower())
    own = sum(word in said for word in words) >= _SHARED * len(words)
    return not is_filler(title) and len(title) <= _LONGEST_TITLE + 1 and own
