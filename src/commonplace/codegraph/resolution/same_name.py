"""Links by name only, marked as such, for languages without type inference.

A name is linked only if a single file of the project defines it; otherwise nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from commonplace.codegraph.extraction.facts import HIDDEN, TYPES, FileFacts, Kind, Reference, Use
from commonplace.codegraph.extraction.languages import BY_NAME, KIN
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.model.graph import CodeFile, Symbol

_CALLED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS})
_NAMED = TYPES | {Kind.NAMESPACE, Kind.CONSTANT}

Namesakes = Mapping[tuple[str, str], Sequence[tuple[Kind, DefinitionKey]]]


def family_of(language: str) -> str:
    """The family of a language: languages of one family, such as C and C++, share headers."""
    return KIN.get(language, language)


def namesakes_of(files: Iterable[FileFacts]) -> Namesakes:
    """The definitions of the files, by language family and name."""
    found: dict[tuple[str, str], list[tuple[Kind, DefinitionKey]]] = {}
    for facts in files:
        if facts.language not in BY_NAME:
            continue
        family = family_of(facts.language)
        for number, each in enumerate(facts.definitions):
            if each.kind not in HIDDEN:
                target = DefinitionKey(facts.path, number)
                found.setdefault((family, each.name), []).append((each.kind, target))
    return found


def namesakes_among(
    symbols: Iterable[Symbol], paths: Mapping[int, str], files: Mapping[str, CodeFile]
) -> Namesakes:
    """The same from stored symbols; `paths` are the paths of documents by key."""
    found: dict[tuple[str, str], list[tuple[Kind, DefinitionKey]]] = {}
    for symbol in symbols:
        path = paths[symbol.document_key]
        language = files[path].language
        if language in BY_NAME and symbol.number >= 0:
            target = DefinitionKey(path, symbol.number)
            found.setdefault((family_of(language), symbol.name), []).append(
                (Kind(symbol.kind), target)
            )
    return found


def in_one_place(namesakes: Namesakes, language: str, reference: Reference) -> list[DefinitionKey]:
    """The definitions of that name and kind, or none if they are in several files."""
    wanted = _CALLED if reference.use is Use.CALL else _NAMED
    known = namesakes.get((family_of(language), reference.name), ())
    found = [target for kind, target in known if kind in wanted]
    return found if len({target.path for target in found}) == 1 else []
