"""What the files of a package declare, by name: gathered once for a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonplace.codegraph.facts import FileFacts, Kind
from commonplace.codegraph.linking import Target


class Packages:
    """`members` are the files of each package, for languages that have such."""

    def __init__(
        self, files: Mapping[str, FileFacts], members: Mapping[str, Sequence[str]]
    ) -> None:
        self._files = files
        self._members = members
        self._named: dict[str, dict[str, list[Target]]] = {}

    def __contains__(self, package: str) -> bool:
        return package in self._members

    def declared(self, package: str, name: str) -> Sequence[Target]:
        """Outside of anything else."""
        named = self._named.get(package)
        if named is None:
            named = self._named[package] = self._gathered(package)
        return named.get(name, ())

    def _gathered(self, package: str) -> dict[str, list[Target]]:
        named: dict[str, list[Target]] = {}
        for path in self._members.get(package, ()):
            for number, each in enumerate(self._files[path].definitions):
                if each.scope == 0 and each.kind is not Kind.TEST:
                    named.setdefault(each.name, []).append(Target(path, number))
        return named
