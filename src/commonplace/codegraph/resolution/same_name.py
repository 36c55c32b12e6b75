"""Definitions by name over a whole project, for languages that are not linked by imports alone.

For those without type inference, a name is linked only if a single file of the project defines it;
otherwise nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from commonplace.codegraph.extraction.facts import HIDDEN, TYPES, FileFacts, Kind, Reference, Use
from commonplace.codegraph.extraction.languages import BY_NAME, family_of
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.model.graph import CodeFile, Symbol

_CALLED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS})
_RENAMED = 3  # `define`, a name, and the other name
_FILE_LOCAL = frozenset({Kind.FUNCTION, Kind.VARIABLE})
_NAMED = TYPES | {Kind.NAMESPACE, Kind.CONSTANT}


class Mark(Enum):
    """What the signature of a definition says about who sees it."""

    NONE = auto()
    LOCAL = auto()  # `static`: its file alone
    RENAMING = auto()  # a macro that stands for another name
    MACRO = auto()  # whoever includes its file, whatever the namespace


class Named(NamedTuple):
    """A definition of a name."""

    kind: Kind
    path: str
    target: DefinitionKey
    mark: Mark = Mark.NONE


# The definitions of a family of languages under a name.
Namesakes = Callable[[str, str], Sequence[Named]]


def namesakes_of(files: Iterable[FileFacts]) -> Namesakes:
    """The definitions of the files, by language family and name."""
    found: dict[tuple[str, str], list[Named]] = {}
    for facts in files:
        if facts.language not in BY_NAME:
            continue
        family = family_of(facts.language)
        for number, each in enumerate(facts.definitions):
            if each.kind not in HIDDEN:
                target = DefinitionKey(facts.path, number)
                named = Named(each.kind, each.path, target, _mark(each.kind, each.signature))
                found.setdefault((family, each.name), []).append(named)
    return lambda family, name: found.get((family, name), ())


def namesakes_among(
    symbols: Iterable[Symbol], paths: Mapping[int, str], files: Mapping[str, CodeFile]
) -> dict[tuple[str, str], list[Named]]:
    """The same from stored symbols; `paths` are the paths of documents by key."""
    found: dict[tuple[str, str], list[Named]] = {}
    for symbol in symbols:
        path = paths[symbol.document_key]
        language = files[path].language
        if language in BY_NAME and symbol.number >= 0:
            target, kind = DefinitionKey(path, symbol.number), Kind(symbol.kind)
            named = Named(kind, symbol.path, target, _mark(kind, symbol.signature))
            found.setdefault((family_of(language), symbol.name), []).append(named)
    return found


def _mark(kind: Kind, signature: str) -> Mark:
    if signature.startswith("#"):
        parts = signature.lstrip("# \t").split()
        renames = kind is Kind.CONSTANT and len(parts) == _RENAMED and parts[-1].isidentifier()
        return Mark.RENAMING if renames else Mark.MACRO
    words = signature.partition("(")[0].split() if kind in _FILE_LOCAL else ()
    return Mark.LOCAL if "static" in words else Mark.NONE


def in_one_place(namesakes: Namesakes, language: str, reference: Reference) -> list[DefinitionKey]:
    """The definitions of that name and kind, or none if they are in several files."""
    wanted = _CALLED if reference.use is Use.CALL else _NAMED
    known = namesakes(family_of(language), reference.name)
    found = [e.target for e in known if e.kind in wanted and e.mark is not Mark.LOCAL]
    return found if len({target.path for target in found}) == 1 else []
