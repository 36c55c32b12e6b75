"""Assembles the facts of a file from the matches of its query."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonplace.codegraph.extraction.definitions import Definitions
from commonplace.codegraph.extraction.exports import exports_of
from commonplace.codegraph.extraction.facts import (
    DECLARED_GLOBAL,
    GLOBAL,
    HIDDEN,
    Definition,
    FileFacts,
    Kind,
)
from commonplace.codegraph.extraction.languages import Language
from commonplace.codegraph.extraction.matches import Matches
from commonplace.codegraph.extraction.scoping import Notes, Scopes
from commonplace.codegraph.extraction.shapes import Shaper
from commonplace.codegraph.extraction.source import SourceText
from commonplace.codegraph.extraction.uses import references_of

# A declaration file that neither imports nor exports is not a module: its names are global.
_DECLARING = (".d.ts", ".d.mts", ".d.cts")
_MODULE = re.compile(rb"^(?:export|import)\b", re.MULTILINE)


def assemble(
    path: str, language: Language, source: SourceText, matches: Matches, problem: str,
    builders: tuple[type[Shaper], type[Definitions]],
) -> FileFacts:  # fmt: skip
    make_shaper, make_definitions = builders
    scopes = Scopes(source, matches.scopes)
    shaper = make_shaper(language.rules, scopes.numbers, source)
    notes = Notes(matches.notes, shaper)
    definitions = make_definitions(path, source, scopes, shaper, notes)
    found = definitions.found(matches.declarations)
    names = {start for start, kind in found if kind is not Kind.IMPORT} - definitions.shared
    names |= {captures[role.name][0].start_byte for role, captures in matches.ignored}
    ordered = [found[key] for key in sorted(found, key=lambda key: key[0])]
    package = [source.word(captures[role.name][0]) for role, captures in matches.package]
    declares = any(role.what == DECLARED_GLOBAL for role, _ in matches.scopes)
    if declares or (path.endswith(_DECLARING) and not _MODULE.search(source.data)):
        package.append(GLOBAL)
    return FileFacts(
        path,
        language.name,
        package[0] if package else "",
        scopes.finished(matches.places, shaper, notes),
        tuple(_with_paths(ordered, scopes)),
        tuple(exports_of(matches.exports, shaper, source)),
        references_of(
            matches, definitions.keys, scopes, shaper, source, names, language.bare_members
        ),
        problem,
    )


def _with_paths(definitions: list[Definition], scopes: Scopes) -> Iterator[Definition]:
    """Add paths such as `Class.method`: the names of the enclosing definitions, then its own."""
    openers = {each.opens: each for each in reversed(definitions) if each.opens >= 0}
    paths: dict[int, str] = {}
    for definition in definitions:
        holder = next((n for n in scopes.outwards(definition.scope) if n in openers), None)
        before = paths.get(openers[holder].opens, "") if holder is not None else ""
        path = ".".join(filter(None, (before, definition.path, definition.name)))
        if definition.opens >= 0:
            paths.setdefault(definition.opens, path)
        yield definition if definition.kind in HIDDEN else definition._replace(path=path)
