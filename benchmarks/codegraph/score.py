"""Compares the links of a project with a compiler's, reference by reference."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.codegraph.extraction.facts import FileFacts, Kind
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey, Link

_OVERLOADED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.CLASS})
_ALIKE = frozenset({"python", "c", "cpp"})


class Place(NamedTuple):
    """Where a name stands: line and column from 0."""

    path: str
    line: int
    column: int


@dataclass(slots=True)
class Tally:
    """Counts of one kind of reference; `missed` and `wrong` keep their places."""

    right: int = 0
    wrong: list[tuple[Place, Place]] = field(default_factory=list)
    missed: list[Place] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / ((self.right + len(self.wrong)) or 1)

    @property
    def recall(self) -> float:
        return self.right / ((self.right + len(self.missed)) or 1)


class GroundTruth:
    """What a compiler says of each place, from the lines that typescript.mjs and others write."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._definitions: dict[Place, frozenset[Place]] = {}
        self.scored: set[Place] = set()
        self.paths: set[str] = set()
        for line in lines:
            path, *told = json.loads(line)
            self.paths.add(path)
            if not told:
                continue
            row, column, counts, definitions = told
            place = Place(path, row, column)
            self._definitions[place] = frozenset(Place(*each) for each in definitions)
            if counts:
                self.scored.add(place)
        self.paths |= {each.path for places in self._definitions.values() for each in places}

    def places(self) -> Iterable[Place]:
        """Every place of which the compiler says something."""
        return self._definitions.keys()

    def definitions(self, place: Place) -> frozenset[Place] | None:
        """None where the compiler has nothing to say; empty where it leads out of the project."""
        return self._definitions.get(place)


def score(
    files: Mapping[str, FileFacts], links: Mapping[str, tuple[Link, ...]], truth: GroundTruth
) -> dict[str, Tally]:
    """Tallies by the kind of use. A link counts as right by its first target alone."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    kinds = {
        Place(path, *reference.position): reference.use.value
        for path, facts in files.items()
        for reference in facts.references
    }
    right: set[Place] = set()
    for path, found in links.items():
        for link in found:
            reference = files[path].references[link.reference]
            place = Place(path, *reference.position)
            expected = truth.definitions(place)
            if expected is None:
                continue
            actual = place_of(files, link.targets[0])
            if expected.isdisjoint(_same_symbol(files, link.targets[0]) | {actual}):
                tallies[reference.use.value].wrong.append((place, actual))
            elif place in truth.scored:
                tallies[reference.use.value].right += 1
                right.add(place)
    for place in sorted(truth.scored - right):
        tallies[kinds.get(place, "not extracted")].missed.append(place)
    return dict(tallies)


def _same_symbol(files: Mapping[str, FileFacts], target: DefinitionKey) -> set[Place]:
    """In Python every assignment of a name is one definition of the same symbol. In C, where there
    are no overloads, so are a declaration, its definition and what the branches of `#if` define;
    in C++ that holds for what has no overloads."""
    facts = files[target.path]
    if facts.language not in _ALIKE or target.number == MODULE_ITSELF:
        return set()
    definition = facts.definitions[target.number]
    overloaded = definition.kind in _OVERLOADED and not definition.signature.startswith("#")
    if facts.language == "cpp" and overloaded:
        return set()
    return {
        Place(target.path, *each.position)
        for each in facts.definitions
        if each.path == definition.path and each.kind == definition.kind
    }


def place_of(files: Mapping[str, FileFacts], target: DefinitionKey) -> Place:
    if target.number == MODULE_ITSELF:
        return Place(target.path, 0, 0)
    return Place(target.path, *files[target.path].definitions[target.number].position)


def total(tallies: Mapping[str, Tally]) -> Tally:
    whole = Tally()
    for tally in tallies.values():
        whole.right += tally.right
        whole.wrong += tally.wrong
        whole.missed += tally.missed
    return whole


def largest(places: Iterable[Place], files: Mapping[str, FileFacts]) -> Counter[str]:
    """How often each name is among the places."""
    names = {
        Place(path, *reference.position): reference.name
        for path, facts in files.items()
        for reference in facts.references
    }
    return Counter(names.get(place, "(not extracted)") for place in places)
