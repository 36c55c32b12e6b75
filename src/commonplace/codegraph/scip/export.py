"""Exports the graph as SCIP documents: all definitions, and all uses linked to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from commonplace.codegraph.extraction.facts import CodePosition, FileFacts
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey, Link
from commonplace.codegraph.scip.format import (
    Document,
    Information,
    Occurrence,
    ScipRange,
    ScipRole,
    SymbolKind,
    descriptor,
)
from commonplace.model.graph import Symbol

_SCHEME = "commonplace . . . "
_KINDS = {
    "class": SymbolKind.CLASS,
    "constant": SymbolKind.CONSTANT,
    "constructor": SymbolKind.CONSTRUCTOR,
    "enum": SymbolKind.ENUM,
    "field": SymbolKind.FIELD,
    "function": SymbolKind.FUNCTION,
    "interface": SymbolKind.INTERFACE,
    "method": SymbolKind.METHOD,
    "module": SymbolKind.MODULE,
    "namespace": SymbolKind.NAMESPACE,
    "test": SymbolKind.FUNCTION,
    "type": SymbolKind.TYPE_ALIAS,
    "variable": SymbolKind.VARIABLE,
}
_SUFFIXES = {"class": "#", "interface": "#", "enum": "#", "type": "#", "namespace": "/"}
_CALLED = frozenset({"function", "method", "constructor", "test"})
_LANGUAGES = {
    "ts": "TypeScript", "tsx": "TypeScriptReact", "js": "JavaScript", "python": "Python",
    "java": "Java", "go": "Go", "rust": "Rust", "c": "C", "cpp": "CPP", "csharp": "CSharp",
    "ruby": "Ruby", "php": "PHP", "kotlin": "Kotlin", "swift": "Swift", "scala": "Scala",
    "dart": "Dart", "lua": "Lua", "shell": "ShellScript", "sql": "SQL", "vue": "Vue",
    "svelte": "Svelte",
}  # fmt: skip


def names_of(path: str, symbols: Sequence[Symbol]) -> dict[int, str]:
    """SCIP names of a file's symbols, by number; equal names are numbered in order."""
    kinds = {symbol.path: symbol.kind for symbol in reversed(symbols)}
    file = _SCHEME + descriptor(path, "/")
    seen: dict[str, int] = {}
    names: dict[int, str] = {}
    for symbol in symbols:
        if symbol.number == MODULE_ITSELF:
            names[symbol.number] = file
            continue
        outer = "".join(_outer(symbol.path, kinds))
        plain = f"{file}{outer}{symbol.name}{symbol.kind in _CALLED}"
        count = seen[plain] = seen.get(plain, -1) + 1
        names[symbol.number] = file + outer + _last(symbol, count)
    return names


def _outer(path: str, kinds: Mapping[str, str]) -> list[str]:
    parts = path.split(".")[:-1]
    around = (kinds.get(".".join(parts[: n + 1]), "") for n in range(len(parts)))
    return [descriptor(part, _suffix(kind)) for part, kind in zip(parts, around, strict=True)]


def _suffix(kind: str) -> str:
    return "()." if kind in _CALLED else _SUFFIXES.get(kind, ".")


def _last(symbol: Symbol, count: int) -> str:
    overload = f"+{count}" if count else ""
    if symbol.kind in _CALLED:
        return descriptor(symbol.name, f"({overload}).")
    return descriptor(symbol.name + overload, _SUFFIXES.get(symbol.kind, "."))


def document_of(
    path: str,
    facts: FileFacts,
    symbols: Sequence[Symbol],
    links: Sequence[Link],
    name: Callable[[DefinitionKey], str | None],
) -> Document:
    """The SCIP document of a file; `name` maps a definition in any file to its SCIP name."""
    names = names_of(path, symbols)
    defined = [
        Occurrence(
            _place(CodePosition(each.line - 1, each.column), each.name),
            names[each.number],
            ScipRole.DEFINITION | (ScipRole.TEST if each.kind == "test" else ScipRole.NONE),
        )
        for each in symbols
        if each.number != MODULE_ITSELF
    ]
    used = []
    for link in links:
        reference = facts.references[link.reference]
        target = name(link.targets[0])
        if target:
            role = ScipRole.IMPORT if reference.use == "import" else _role(reference.use)
            used.append(Occurrence(_place(reference.position, reference.name), target, role))
    information = tuple(
        Information(names[s.number], _KINDS[s.kind], s.name, tuple(filter(None, [s.doc])))
        for s in symbols
    )
    ordered = tuple(sorted([*defined, *used], key=lambda each: (each.place, each.symbol)))
    return Document(path, _LANGUAGES.get(facts.language, facts.language), ordered, information)


def _role(use: str) -> ScipRole:
    return ScipRole.WRITE if use == "write" else ScipRole.READ


def _place(position: CodePosition, name: str) -> ScipRange:
    return ScipRange(position.line, position.column, position.column + len(name))
