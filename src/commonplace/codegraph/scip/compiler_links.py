"""Links from a compiler's index: which use refers to which definition.

Positions of uses are those of the version that the compiler read. Targets are stored by name path,
so that they are found again after their file has changed.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.codegraph.extraction.facts import CodePosition, FileFacts
from commonplace.codegraph.resolution.linking import CONFIDENCE, DefinitionKey, Link, Resolution
from commonplace.codegraph.resolution.visible import visible_numbers
from commonplace.codegraph.scip.format import Document, ScipRole, is_local, is_module

# With less agreement, the compiler has read other versions of the files than we have.
LEAST_AGREEMENT = 0.8

Uses = Mapping[CodePosition, tuple[str, str] | None]


def rooted(documents: Sequence[Document], paths: Iterable[str]) -> dict[str, Document]:
    """Documents by our paths; the index may be of a folder above or below ours."""
    ours = set(paths)
    best: dict[str, Document] = {}
    for cut in _cuts(documents, ours):
        found = {each: document for document in documents if (each := cut(document.path)) in ours}
        if len(found) > len(best):
            best = found
    return best


class _Cut:
    """Removes a leading folder from a path, or adds one."""

    def __init__(self, off: str, on: str) -> None:
        self._off, self._on = off, on

    def __call__(self, path: str) -> str:
        return self._on + path.removeprefix(self._off) if path.startswith(self._off) else ""


def _cuts(documents: Sequence[Document], ours: set[str]) -> list[_Cut]:
    found = {("", "")}
    by_name: dict[str, list[str]] = {}
    for path in ours:
        by_name.setdefault(path.rpartition("/")[2], []).append(path)
    for document in documents[:50]:
        for path in by_name.get(document.path.rpartition("/")[2], [])[:20]:
            if document.path.endswith(f"/{path}"):
                found.add((document.path.removesuffix(path), ""))
            elif path.endswith(f"/{document.path}"):
                found.add(("", path.removesuffix(document.path)))
    return [_Cut(*each) for each in sorted(found)]


@dataclass(frozen=True, slots=True)
class Defined:
    """Definitions of an index's symbols: our path, and the name path in that file."""

    places: Mapping[str, tuple[str, str]]

    @staticmethod
    def among(documents: Mapping[str, Document], facts: Mapping[str, FileFacts]) -> Defined:
        places: dict[str, tuple[str, str]] = {}
        for path, document in documents.items():
            known = _by_position(facts[path])
            for each in document.occurrences:
                position = CodePosition(each.place.line, each.place.column)
                if (
                    each.roles & ScipRole.DEFINITION
                    and not is_local(each.symbol)
                    and position in known
                ):
                    places.setdefault(each.symbol, (path, known[position]))
        return Defined(places)


def _by_position(facts: FileFacts) -> dict[CodePosition, str]:
    visible = (facts.definitions[number] for number in visible_numbers(facts))
    return {each.position: each.path for each in visible}


def agreement(document: Document, facts: FileFacts) -> float:
    """The share of occurrences at positions where we see a name too; 1 if neither side sees any.

    Modules do not count: indexes place them at the written path, which is no name in our facts.
    """
    known = {each.position for each in facts.references}
    known |= {each.position for each in facts.definitions}
    places = {
        CodePosition(each.place.line, each.place.column)
        for each in document.occurrences
        if not is_module(each.symbol)
    }
    places.discard(CodePosition(0, 0))  # indexes place the file itself here
    return len(places & known) / len(places) if places else float(not known)


def uses_in(document: Document, defined: Defined) -> bytes:
    """Uses in their stored form; those of foreign targets have no target."""
    uses = [
        [each.place.line, each.place.column, *defined.places.get(each.symbol, ())]
        for each in document.occurrences
        if not each.roles & ScipRole.DEFINITION and not is_local(each.symbol)
    ]
    return zlib.compress(json.dumps(uses, separators=(",", ":")).encode())


def read_uses(data: bytes) -> Uses:
    uses: dict[CodePosition, tuple[str, str] | None] = {}
    for line, column, *target in json.loads(zlib.decompress(data)):
        uses[CodePosition(line, column)] = (target[0], target[1]) if target else None
    return uses


def corrected(
    links: Sequence[Link], facts: FileFacts, uses: Uses, files: Mapping[str, FileFacts], home: str
) -> tuple[Link, ...]:
    """Replace our links by the compiler's where the index has one; `home` prefixes our paths."""
    ours = {link.reference: link for link in links}
    found: list[Link] = []
    for number, reference in enumerate(facts.references):
        if reference.position not in uses:
            found += [ours[number]] if number in ours else []
            continue
        said = uses[reference.position]
        target = _target(f"{home}{said[0]}", said[1], files) if said else None
        if target is not None:
            confidence = CONFIDENCE[Resolution.COMPILER]
            found.append(Link(number, (target,), Resolution.COMPILER, confidence))
    return tuple(found)


def _target(path: str, name: str, files: Mapping[str, FileFacts]) -> DefinitionKey | None:
    if path not in files:
        return None
    facts = files[path]
    visible = visible_numbers(facts)
    number = next((each for each in visible if facts.definitions[each].path == name), None)
    return None if number is None else DefinitionKey(path, number)
