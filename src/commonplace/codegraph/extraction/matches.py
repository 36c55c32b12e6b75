"""Sorts the matches of a file's query by the role of their pattern.

A query's captures name roles: `scope.*` opens a scope, `define.*` declares a name, `refer.*` uses
one, `import.*` and `export.*` pass names between modules; plain roles annotate a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.extraction.facts import Use

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

PLAIN_USES = frozenset({Use.READ, Use.TYPE})
_ROLE = re.compile(
    r"@(\w+\.\w+|static|constant|accessor|exported|return|typed|result|extends|self|ignored|package)\b"
)


class CaptureRole(NamedTuple):
    """The role of a pattern. `name` is its capture's name; `group` and `what` are the parts of it.

    `lists` are the indexes of the lists of `Matches` that it belongs to.
    """

    name: str
    group: str
    what: str
    lists: tuple[int, ...]


Match = tuple[CaptureRole, Captures]

_ORDER = (
    "scopes", "notes", "declarations", "places", "exports", "uses", "mentions", "package",
    "ignored",
)  # fmt: skip


class Matches:
    """Matches by role, in the order of the query's results; a match may be in two lists."""

    __slots__ = ("lists", "masked", *_ORDER)

    def __init__(self) -> None:
        self.scopes: list[Match] = []
        self.notes: list[Match] = []  # annotations of nodes by plain roles
        self.declarations: list[Match] = []
        self.places: list[Match] = []  # base types, return values and expected types of scopes
        self.exports: list[Match] = []
        self.uses: list[Match] = []
        self.mentions: list[Match] = []  # bare names: any other use at the place takes precedence
        self.package: list[Match] = []
        self.ignored: list[Match] = []
        self.masked: list[tuple[int, int]] = []  # names that the grammar did not see
        self.lists: tuple[list[Match], ...] = tuple(getattr(self, name) for name in _ORDER)


_LISTS = {
    "scope": ("scopes",),
    "define": ("declarations",),
    "import": ("declarations", "uses"),
    "export": ("exports", "uses"),
    "refer": ("uses",),
    "extends": ("places",),
    "return": ("places",),
    "expected": ("places",),
    "package": ("package",),
    "ignored": ("ignored",),
}


def role_of(pattern: str) -> CaptureRole:
    found = _ROLE.search(pattern)
    assert found, f"a pattern without a role: {pattern!r}"
    group, _, what = found[1].partition(".")
    plain = "@receiver" not in pattern and "@arity" not in pattern
    bare = group == "refer" and what in PLAIN_USES and plain
    return CaptureRole(found[1], group, what, tuple(map(_ORDER.index, _lists(found[1], bare))))


def _lists(role: str, bare: bool) -> tuple[str, ...]:
    if bare:
        return ("mentions",)
    if role in {"import.folder", "import.namespace", "import.static"}:
        return ("exports", "uses")
    return _LISTS.get(role.partition(".")[0], ("notes",))


def sorted_matches(roles: Sequence[CaptureRole], found: Iterable[tuple[int, Captures]]) -> Matches:
    """Sort matches by the role of their pattern."""
    matches = Matches()
    lists = matches.lists
    for pattern, captures in found:
        role = roles[pattern]
        for number in role.lists:
            lists[number].append((role, captures))
    return matches
