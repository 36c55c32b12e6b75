"""The matches of a file's query, sorted by what they are about: each is looked at where it counts.

A query's captures name roles: `scope.*` opens a scope, `define.*` declares a name, `refer.*` uses
one, `import.*` and `export.*` pass names between modules; plain roles add to what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.facts import Use

if TYPE_CHECKING:
    from tree_sitter import Node

Captures = dict[str, list["Node"]]

PLAIN_USES = frozenset({Use.READ, Use.TYPE})
_ROLE = re.compile(
    r"@(\w+\.\w+|static|constant|accessor|exported|return|typed|result|extends|self|ignored|package)\b"
)


class Role(NamedTuple):
    """`name` is the capture's; `group` and `what` are its parts.

    `bare` where a name is used without a receiver, which any other use of it outdoes.
    """

    name: str
    group: str
    what: str
    bare: bool


Match = tuple[Role, Captures]


def role_of(pattern: str) -> Role:
    found = _ROLE.search(pattern)
    assert found, f"a pattern without a role: {pattern!r}"
    group, _, what = found[1].partition(".")
    bare = group == "refer" and what in PLAIN_USES and "@receiver" not in pattern
    return Role(found[1], group, what, bare)


class Matches:
    """In the order of the query's answer; what tells of two things is in two lists."""

    __slots__ = (
        "declarations", "exports", "ignored", "mentions", "notes", "package", "places", "scopes",
        "uses",
    )  # fmt: skip

    def __init__(self) -> None:
        self.scopes: list[Match] = []
        self.notes: list[Match] = []  # what plain roles say of a node
        self.declarations: list[Match] = []
        self.places: list[Match] = []  # what a scope extends, gives, is expected to be
        self.exports: list[Match] = []
        self.uses: list[Match] = []
        self.mentions: list[Match] = []  # uses of a bare name
        self.package: list[Match] = []
        self.ignored: list[Match] = []


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


def _lists(role: Role) -> tuple[str, ...]:
    if role.bare:
        return ("mentions",)
    if role.name == "import.folder":
        return ("exports", "uses")
    return _LISTS.get(role.group, ("notes",))


def sorted_matches(roles: Sequence[Role | None], found: Iterable[tuple[int, Captures]]) -> Matches:
    """`roles` are those of the query's patterns; None where a pattern is not wanted."""
    matches = Matches()
    listed = [
        (role, [getattr(matches, name).append for name in _lists(role)]) if role else None
        for role in roles
    ]
    for pattern, captures in found:
        wanted = listed[pattern]
        if wanted is not None:
            role, keeping = wanted
            for keep in keeping:
                keep((role, captures))
    return matches
