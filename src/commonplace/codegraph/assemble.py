"""Puts the matches of a file's query together: who declares what, where, and who uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.codegraph.describe import comment_before, signature_of
from commonplace.codegraph.facts import (
    HIDDEN,
    WHOLE,
    Definition,
    Export,
    FileFacts,
    Kind,
    Op,
    Position,
    Reference,
    Shape,
    Use,
)
from commonplace.codegraph.languages import Language
from commonplace.codegraph.scoping import CLASSES, Captures, Match, Notes, Scopes, Span, span_of
from commonplace.codegraph.shapes import UNKNOWN, Shaper, unpacked, word

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST_CALL = 10_000
_PLAIN_USES = frozenset({Use.READ, Use.TYPE})
_USES = {use.value: use for use in Use}
_KINDS = {kind.value: kind for kind in Kind}
_USING = frozenset({"refer", "import", "export"})


def assemble(
    path: str, language: Language, source: bytes, matches: Sequence[Match], problem: str
) -> FileFacts:
    scopes = Scopes(len(source), matches)
    shaper = Shaper(language.rules, scopes.numbers)
    notes = Notes(matches, shaper)
    columns = _Columns(source)
    definitions, names = _definitions(matches, scopes, shaper, notes, columns)
    return FileFacts(
        path,
        language.name,
        _package(matches),
        scopes.finished(matches, shaper, notes),
        tuple(_with_paths(definitions, scopes)),
        tuple(_exports(matches, shaper)),
        tuple(_references(matches, scopes, shaper, columns, names, language.bare_members)),
        problem,
    )


class _Columns:
    """Positions in characters: bytes and characters differ only where a line is not ASCII."""

    def __init__(self, source: bytes) -> None:
        self._lines = None if source.isascii() else source.split(b"\n")

    def position(self, node: Node) -> Position:
        line, column = node.start_point
        if self._lines is not None:
            column = len(self._lines[line][:column].decode(errors="replace"))
        return Position(line, column)


def _definitions(
    matches: Sequence[Match], scopes: Scopes, shaper: Shaper, notes: Notes, columns: _Columns
) -> tuple[list[Definition], set[int]]:
    """The definitions in the order of the source, and where their names start."""
    found: dict[tuple[int, Kind], Definition] = {}
    for role, captures in matches:
        group, _, what = role.partition(".")
        if group == "define":
            pairs = _declared(what, role, captures, scopes, shaper, notes, columns)
        elif group == "import" and what != "folder":
            pairs = _imported(what, role, captures, scopes, columns)
        else:
            continue
        for start, definition in pairs:
            found.setdefault((start, definition.kind), definition)
    imported = {start for start, kind in found if kind is Kind.IMPORT}
    found = {
        (start, kind): each
        for (start, kind), each in found.items()
        if kind is Kind.IMPORT or start not in imported
    }
    ordered = sorted(found.items(), key=lambda item: item[0][0])
    hidden_uses = {captures[role][0].start_byte for role, captures in matches if role == "ignored"}
    hidden_uses |= {start for (start, kind), each in found.items() if kind is not Kind.IMPORT}
    return [definition for _, definition in ordered], hidden_uses


def _package(matches: Iterable[Match]) -> str:
    return next((word(captures[role][0]) for role, captures in matches if role == "package"), "")


def _with_paths(definitions: list[Definition], scopes: Scopes) -> Iterator[Definition]:
    """`Class.method`: the names of the definitions around, and its own."""
    openers = {each.opens: each for each in reversed(definitions) if each.opens >= 0}
    paths: dict[int, str] = {}
    for definition in definitions:
        holder = next((n for n in scopes.outwards(definition.scope) if n in openers), None)
        before = paths.get(openers[holder].opens, "") if holder is not None else ""
        path = f"{before}.{definition.name}" if before else definition.name
        if definition.opens >= 0:
            paths.setdefault(definition.opens, path)
        yield definition if definition.kind in HIDDEN else definition._replace(path=path)


def _declared(
    what: str, role: str, captures: Captures, scopes: Scopes, shaper: Shaper,
    notes: Notes, columns: _Columns,
) -> Iterator[tuple[int, Definition]]:  # fmt: skip
    node, span = captures[role][0], span_of(captures[role][0])
    if what in _UNNAMED:
        yield from _unnamed(what, captures, node, scopes, shaper, columns)
        return
    if what in {"shorthand", "enumerated"}:
        what, node = "field", captures["name"][0]
    scope = scopes.around(node, CLASSES if what == "property" else None)
    kind = _kind(what, span, captures["name"][0], notes)
    if scopes.kind(scope) == "class":
        kind = _IN_CLASS.get(kind, kind)
    value = _value(captures, span, shaper, notes)
    if kind is Kind.PARAMETER and value is None:
        value = _handed(node, scopes, notes)
    if node.type == "spread_parameter":
        value = Shape(Op.REST, "", (value or UNKNOWN,))
    if role == "define.enumerated":
        value = Shape(Op.THIS)
    opens = scopes.numbers.get(span, -1)
    inner = captures["value"][0] if "value" in captures else node.child_by_field_name("body")
    if opens < 0 and inner is not None:
        opens = scopes.numbers.get(span_of(inner), -1)
    plain = kind in HIDDEN
    for name, source in _names(captures["name"][0], value):
        yield (
            name.start_byte,
            Definition(
                word(name), kind, "", scope, opens, columns.position(name),
                node.start_point[0], node.end_point[0], source, scopes.around(node),
                span in notes.exported, span in notes.static,
                "" if plain else signature_of(node),
                "" if plain else comment_before(node),
            ),
        )  # fmt: skip


_IN_CLASS = {
    Kind.FUNCTION: Kind.METHOD,
    Kind.VARIABLE: Kind.FIELD,
    Kind.CONSTANT: Kind.FIELD,
}
_CONSTRUCTORS = frozenset({b"constructor", b"__init__"})
_INFERRED = Shape(Op.TYPE, "var")
_UNNAMED = {"call": "()", "new": "new", "default": "default"}


def _unnamed(
    what: str, captures: Captures, node: Node, scopes: Scopes, shaper: Shaper, columns: _Columns
) -> Iterator[tuple[int, Definition]]:
    """Signatures of an interface, and what a module exports without giving it a name."""
    value = captures["value"][0] if "value" in captures else None
    opened = scopes.numbers.get(span_of(value or node), -1)
    is_default = what == "default"
    yield (
        node.start_byte,
        Definition(
            _UNNAMED[what], Kind.CONSTANT if is_default else Kind.SIGNATURE, "",
            scopes.around(node), opened, columns.position(node), node.start_point[0],
            node.end_point[0], shaper.shape(value), scopes.around(node), exported=is_default,
        ),
    )  # fmt: skip


def _handed(node: Node, scopes: Scopes, notes: Notes) -> Shape:
    """What a parameter without a type is: the object itself, its class, or what a caller gives."""
    if span_of(node) not in notes.selves:
        return Shape(Op.ARGUMENT, str(_place_among_siblings(node)))
    if node.text == b"cls":
        return Shape(Op.SCOPE, str(scopes.around(node, CLASSES)))
    return Shape(Op.THIS)


def _place_among_siblings(node: Node) -> int:
    siblings = node.parent.named_children if node.parent is not None else []
    return next((number for number, each in enumerate(siblings) if each == node), 0)


def _kind(what: str, span: Span, name: Node, notes: Notes) -> Kind:
    if what == "property":
        return Kind.FIELD
    if span in notes.accessors:
        return Kind.FIELD
    if what in {"method", "function"} and name.text in _CONSTRUCTORS:
        return Kind.CONSTRUCTOR
    if what == "variable" and span in notes.constant:
        return Kind.CONSTANT
    return _KINDS[what]


def _names(pattern: Node, value: Shape | None) -> Iterable[tuple[Node, Shape | None]]:
    if "pattern" in pattern.type:
        return unpacked(pattern, value)
    return [(pattern, value)]


def _value(captures: Captures, span: Span, shaper: Shaper, notes: Notes) -> Shape | None:
    """A declared type says more than the value it is given."""
    declared = shaper.shape(captures["type"][0]) if "type" in captures else notes.types.get(span)
    if declared is not None and declared != _INFERRED:
        return declared
    if "iterated" in captures:
        source = shaper.shape(captures["iterated"][0])
        return None if source is None else Shape(Op.ELEMENT, "", (source,))
    return shaper.shape(captures["value"][0]) if "value" in captures else None


def _imported(
    what: str, role: str, captures: Captures, scopes: Scopes, columns: _Columns
) -> Iterator[tuple[int, Definition]]:
    name = captures["name"][0] if "name" in captures else _last_name(captures["imported"][0])
    node = captures[role][0]
    yield (
        name.start_byte,
        Definition(
            word(name), Kind.IMPORT, "", scopes.around(node), -1, columns.position(name),
            node.start_point[0], node.end_point[0], _passed(what, captures),
        ),
    )  # fmt: skip


def _last_name(path: Node) -> Node:
    return path.child_by_field_name("name") or path


def _passed(what: str, captures: Captures) -> Shape:
    """What an import or a re-export takes from another module."""
    if what in {"path", "folder"}:
        return _by_path(word(captures["imported"][0]))
    module = Shape(Op.MODULE, word(captures["name" if what == "package" else "module"][0]))
    if what in {"all", "star", "package"}:
        return module
    taken = word(captures["imported"][0]) if "imported" in captures else "default"
    return Shape(Op.MEMBER, taken, (module,))


def _by_path(path: str) -> Shape:
    """`a.b.Outer.Inner`: by custom the first name with a capital is no package."""
    names = path.split(".")
    first = next((n for n, name in enumerate(names) if name[:1].isupper()), len(names))
    shape = Shape(Op.MODULE, ".".join(names[:first]))
    for name in names[first:]:
        shape = Shape(Op.MEMBER, name, (shape,))
    return shape


def _exports(matches: Iterable[Match], shaper: Shaper) -> Iterator[Export]:
    for role, captures in matches:
        group, _, what = role.partition(".")
        if group != "export" and what != "folder":
            continue
        name = {"default": "default", "whole": WHOLE, "star": "*", "folder": "*"}.get(what, "")
        if not name:
            given = captures.get("name") or captures.get("imported") or captures["value"]
            name = word(given[0])
        if "module" in captures or what == "folder":
            yield Export(name, _passed(what, captures))
        else:
            value = shaper.shape(captures["value"][0])
            if value is not None:
                yield Export(name, value._replace(op=Op.NAME) if value.op is Op.TYPE else value)


def _references(
    matches: Iterable[Match], scopes: Scopes, shaper: Shaper, columns: _Columns, names: set[int],
    typed: bool,
) -> list[Reference]:  # fmt: skip
    """One reference for each place: the role that says most wins."""
    found: dict[int, Reference] = {}
    for role, captures in matches:
        group, _, what = role.partition(".")
        if group not in _USING:
            continue
        for node, use, receiver in _used(group, what, role, captures, shaper):
            start = node.start_byte
            if start in names and node.type != "shorthand_property_identifier":
                continue
            known = found.get(start)
            if known is None or _says_more(use, receiver, known):
                found[start] = Reference(
                    word(node), use, columns.position(node), scopes.around(node), receiver,
                    _arguments(node, shaper, typed) if use is Use.CALL else None,
                )  # fmt: skip
    return [found[start] for start in sorted(found)]


def _arguments(callee: Node, shaper: Shaper, typed: bool) -> tuple[Shape, ...] | None:
    """What the call around a name hands over; types matter where they tell overloads."""
    call = callee.parent
    given = None
    while call is not None and given is None and call.end_byte - call.start_byte < _LONGEST_CALL:
        given = call.child_by_field_name("arguments")
        call = call.parent
    if given is None:
        return None
    if not typed:
        return (UNKNOWN,) * given.named_child_count
    return tuple(shaper.shape(each) or UNKNOWN for each in given.named_children)


def _says_more(use: Use, receiver: Shape | None, known: Reference) -> bool:
    if receiver is not None and known.receiver is None:
        return True
    return use not in _PLAIN_USES and known.use in _PLAIN_USES


def _used(
    group: str, what: str, role: str, captures: Captures, shaper: Shaper
) -> Iterator[tuple[Node, Use, Shape | None]]:
    if group == "refer":
        receiver = None
        if "receiver" in captures:
            receiver = shaper.shape(captures["receiver"][0]) or UNKNOWN
        elif what == "import":
            receiver = Shape(Op.MODULE, _path_up_to(captures[role][0]))
        yield captures[role][0], _USES[what], receiver
    elif group == "import":
        yield from _module_uses(Use.IMPORT, what, captures)
    elif group == "export" and "module" in captures:
        yield from _module_uses(Use.EXPORT, what, captures)
    elif group == "export" and what == "local":
        yield captures["value"][0], Use.EXPORT, None
        if "name" in captures:
            yield captures["name"][0], Use.EXPORT, shaper.shape(captures["value"][0])


def _path_up_to(name: Node) -> str:
    """A part of a dotted module path, with all that stands before it."""
    holder = name
    while holder.parent is not None and holder.parent.type in {"dotted_name", "relative_import"}:
        holder = holder.parent
    return (holder.text or b"")[: name.end_byte - holder.start_byte].decode(errors="replace")


def _module_uses(
    use: Use, what: str, captures: Captures
) -> Iterator[tuple[Node, Use, Shape | None]]:
    passed = _passed(what, captures)
    for role in ("imported", "name"):
        if role in captures and what != "folder":
            yield _last_name(captures[role][0]), use, passed
