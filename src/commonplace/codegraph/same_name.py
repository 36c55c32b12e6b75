"""Links by nothing but a name, for languages whose types are not read; marked as such.

A name is linked only where one symbol of the project has it: of two, neither is guessed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from commonplace.codegraph.facts import HIDDEN, TYPES, FileFacts, Kind, Reference, Use
from commonplace.codegraph.languages import BY_NAME, KIN
from commonplace.codegraph.linking import Target

_CALLED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CLASS})
_NAMED = TYPES | {Kind.NAMESPACE, Kind.CONSTANT}


class SameName:
    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._by_name: dict[tuple[str, str], list[tuple[Kind, Target]]] = defaultdict(list)
        for path, facts in files.items():
            if facts.language in BY_NAME:
                self._add(path, facts)

    def _add(self, path: str, facts: FileFacts) -> None:
        family = KIN.get(facts.language, facts.language)
        for number, each in enumerate(facts.definitions):
            if each.kind not in HIDDEN:
                self._by_name[family, each.name].append((each.kind, Target(path, number)))

    def find(self, language: str, reference: Reference) -> list[Target]:
        """The one symbol of that name and sort; nothing where there are more."""
        wanted = _CALLED if reference.use is Use.CALL else _NAMED
        known = self._by_name.get((KIN.get(language, language), reference.name), ())
        found = [target for kind, target in known if kind in wanted]
        return found if len(found) == 1 else []
