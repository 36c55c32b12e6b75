"""Facts of a file taken from an imported index, for files that we cannot parse ourselves."""

from __future__ import annotations

from collections.abc import Mapping

from commonplace.codegraph.extraction.facts import (
    CodePosition,
    CodeScope,
    Definition,
    FileFacts,
    Kind,
    Reference,
    Use,
)
from commonplace.codegraph.scip.format import (
    Descriptor,
    Document,
    Occurrence,
    ScipRole,
    SymbolKind,
    is_module,
    last_descriptor,
)

BY_INDEX = "symbols come from an imported index"
_KINDS = {
    SymbolKind.CLASS: Kind.CLASS,
    SymbolKind.CONSTANT: Kind.CONSTANT,
    SymbolKind.CONSTRUCTOR: Kind.CONSTRUCTOR,
    SymbolKind.ENUM: Kind.ENUM,
    SymbolKind.FIELD: Kind.FIELD,
    SymbolKind.FUNCTION: Kind.FUNCTION,
    SymbolKind.INTERFACE: Kind.INTERFACE,
    SymbolKind.METHOD: Kind.METHOD,
    SymbolKind.NAMESPACE: Kind.NAMESPACE,
    SymbolKind.TYPE_ALIAS: Kind.ALIAS,
    SymbolKind.VARIABLE: Kind.VARIABLE,
}
_KINDS_BY_NUMBER = {int(number): kind for number, kind in _KINDS.items()}
# Kind by the suffix of a symbol's descriptor: outside of a type, and inside one.
_BY_SUFFIX = {
    "#": (Kind.CLASS, Kind.CLASS),
    "().": (Kind.FUNCTION, Kind.METHOD),
    ".": (Kind.VARIABLE, Kind.FIELD),
    "!": (Kind.FUNCTION, Kind.FUNCTION),
}
_USES = {"#": Use.TYPE, "().": Use.CALL}


def facts_of(path: str, language: str, problem: str, document: Document) -> FileFacts:
    """Definitions with their enclosing types, and all uses. Local symbols are left out."""
    kinds = {each.symbol: each.kind for each in document.symbols}
    docs = {each.symbol: "\n".join(each.documentation) for each in document.symbols}
    scopes = [CodeScope(-1, "file", -1, 1 << 30)]
    opened: dict[str, int] = {}
    paths: dict[str, str] = {}
    definitions: list[Definition] = []
    references: list[Reference] = []
    for each in sorted(document.occurrences, key=lambda each: each.place):
        named = last_descriptor(each.symbol)
        if named is None or is_module(each.symbol):
            continue
        if not each.roles & ScipRole.DEFINITION:
            references.append(_reference(each, named))
            continue
        scope = opened.get(named.owner, 0)
        opens = -1
        if named.suffix == "#":
            opens = opened[each.symbol] = len(scopes)
            scopes.append(CodeScope(scope, "class", each.place.line, each.last_line))
        whole = f"{paths[named.owner]}.{named.name}" if named.owner in paths else named.name
        paths[each.symbol] = whole
        definitions.append(
            Definition(
                named.name, _kind(kinds.get(each.symbol, 0), named.suffix, scope), whole, scope,
                opens, CodePosition(each.place.line, each.place.column), each.place.line,
                max(each.last_line, each.place.line), exported=True,
                signature=whole, doc=docs.get(each.symbol, ""),
            )
        )  # fmt: skip
    return FileFacts(
        path, language, "", tuple(scopes), tuple(definitions), (), tuple(references), problem
    )


def _kind(number: int, suffix: str, scope: int) -> Kind:
    return (
        _KINDS_BY_NUMBER.get(number)
        or _BY_SUFFIX.get(suffix, (Kind.VARIABLE, Kind.FIELD))[scope > 0]
    )


def _reference(occurrence: Occurrence, named: Descriptor) -> Reference:
    use = _USES.get(named.suffix, Use.READ)
    if occurrence.roles & ScipRole.IMPORT:
        use = Use.IMPORT
    elif occurrence.roles & ScipRole.WRITE:
        use = Use.WRITE
    position = CodePosition(occurrence.place.line, occurrence.place.column)
    return Reference(named.name, use, position, 0)


def text_agreement(document: Document, lines: Mapping[int, str]) -> float:
    """The share of occurrences whose name is in the text at their position; lines count from 1."""
    candidates = [
        (each.place, last_descriptor(each.symbol))
        for each in document.occurrences
        if not is_module(each.symbol)
    ]
    named = [(place, found.name) for place, found in candidates if found]
    if not named:
        return 0.0
    right = sum(
        lines.get(place.line + 1, "")[place.column : place.column + len(name)] == name
        for place, name in named
    )
    return right / len(named)
