"""Links the references of a project to its definitions, and says how each link is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from commonplace.codegraph.facts import HIDDEN, TYPES, FileFacts, Kind, Reference, Shape, Use
from commonplace.codegraph.inference import Inference
from commonplace.codegraph.languages import BY_NAME
from commonplace.codegraph.layout import Layout
from commonplace.codegraph.linking import AMBIGUOUS, CONFIDENCE, Link, Resolution, Target
from commonplace.codegraph.modules import ProjectModules
from commonplace.codegraph.overloads import Overloads
from commonplace.codegraph.same_name import SameName
from commonplace.codegraph.table import Table

_TYPE_USES = frozenset({Use.TYPE, Use.EXTENDS})
_PASSING = frozenset({Use.IMPORT, Use.EXPORT})
# Where a name is looked up, first and next: among values (False) or among types (True).
_SPACES = {
    Use.TYPE: (True, False),
    Use.EXTENDS: (True, False),
    Use.EXPORT: (False, True),
    Use.IMPORT: (False, True),
    Use.ANNOTATION: (False, True),
}
_HOLDING = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT})
_LOCAL = frozenset({Kind.VARIABLE, Kind.CONSTANT})


class Resolver:
    """Answers file by file, so that a changed file costs no more than itself."""

    def __init__(self, files: Mapping[str, FileFacts], layout: Layout) -> None:
        self._table = Table(files)
        self._inference = Inference(self._table, ProjectModules(files.keys(), layout))
        self._names = self._inference.names
        self._overloads = Overloads(self._table, self._inference)
        self._same_name = SameName(files)

    def links(self, path: str) -> Iterator[Link]:
        """The references of a file that could be resolved, in their order."""
        for number, reference in enumerate(self._table.files[path].references):
            found = self._found(path, reference)
            if found is None:
                continue
            resolution, targets = found
            shown = [target for target in targets if self._shown(target)]
            if shown:
                ordered = tuple(self._ordered(path, shown, reference))
                yield Link(number, ordered, resolution, self._confidence(resolution, ordered))

    def _confidence(self, resolution: Resolution, targets: tuple[Target, ...]) -> float:
        """Overloads and merged declarations are one symbol; several symbols are a doubt."""
        symbols = {(target.path, self._table.name_path(target)) for target in targets}
        return CONFIDENCE[resolution] * (AMBIGUOUS if len(symbols) > 1 else 1)

    def _found(self, path: str, reference: Reference) -> tuple[Resolution, Iterable[Target]] | None:
        language = self._table.files[path].language
        if language in BY_NAME:
            return Resolution.NAME, self._same_name.find(language, reference)
        if reference.receiver is None:
            return self._by_name(path, reference)
        if reference.use in _PASSING:
            return Resolution.IMPORT, self._passed(path, reference.receiver)
        return self._by_receiver(path, reference, reference.receiver)

    def _by_name(self, path: str, reference: Reference) -> tuple[Resolution, list[Target]]:
        for as_type, called in self._places(path, reference.use):
            found = self._names.lookup(path, reference.scope, reference.name, as_type, called)
            if found:
                followed = self._names.followed(found, as_type)
                here = all(target.path == path for target in followed) and followed == found
                return (Resolution.SCOPE if here else Resolution.IMPORT), followed
        return Resolution.SCOPE, []

    def _places(self, path: str, use: Use) -> tuple[tuple[bool, bool], ...]:
        """Where to look a name up: among types or not, among what is called or not."""
        if use is Use.CALL and self._table.has_bare_members(path):
            return (False, True), (True, False)  # `new Name()` is a call of a type
        return tuple((as_type, False) for as_type in _SPACES.get(use, (False,)))

    def _passed(self, path: str, passed: Shape) -> list[Target]:
        """What an import or re-export takes: a name may be a value and a type at once."""
        values = self._names.denoted(path, 0, passed, False)
        return list(dict.fromkeys(values + self._names.denoted(path, 0, passed, True)))

    def _by_receiver(
        self, path: str, reference: Reference, receiver: Shape
    ) -> tuple[Resolution, list[Target]] | None:
        found = [
            member
            for owner in self._inference.types(path, reference.scope, receiver)
            for member in self._names.members(owner, reference.name)
        ]
        if not found or reference.name == "constructor":
            return None
        as_type = reference.use in _TYPE_USES
        targets = self._names.followed((member.target for member in found), as_type)
        return found[0].resolution, targets

    def _shown(self, target: Target) -> bool:
        """Parameters and the variables of a function are nobody else's business."""
        definition = self._table.definition(target)
        if definition is None:
            return True
        if definition.kind in HIDDEN:
            return False
        return definition.kind not in _LOCAL or self._at_module_level(target)

    def _at_module_level(self, target: Target) -> bool:
        definition = self._table.definition(target)
        assert definition is not None
        kinds = (
            self._table.scope(target.path, number).kind
            for number in self._table.around(target.path, definition.scope)
        )
        return all(kind in {"file", "namespace", "block"} for kind in kinds)

    def _ordered(self, path: str, targets: list[Target], reference: Reference) -> list[Target]:
        """Of the sort that the use asks for first; of alternatives those that hold something."""

        use, called = reference.use, reference.use is Use.CALL

        def rank(target: Target) -> tuple[bool, bool, int]:
            definition = self._table.definition(target)
            if definition is None:
                return False, False, 0
            other_sort = (definition.kind in TYPES) is not (use in _TYPE_USES)
            no_function = definition.kind in _HOLDING if called else definition.kind is Kind.METHOD
            empty = definition.kind is Kind.FIELD and definition.value is None
            return other_sort, no_function or empty, -self._overloads.fit(path, target, reference)

        return targets if len(targets) == 1 else sorted(targets, key=rank)


def resolve(files: Mapping[str, FileFacts], layout: Layout) -> dict[str, tuple[Link, ...]]:
    """The links of every file."""
    resolver = Resolver(files, layout)
    return {path: tuple(resolver.links(path)) for path in files}
