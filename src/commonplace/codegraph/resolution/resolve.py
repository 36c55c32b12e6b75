"""Links the references of a project to its definitions, with the evidence for each link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from commonplace.codegraph.extraction.elements import is_element
from commonplace.codegraph.extraction.facts import (
    TYPES,
    Definition,
    FileFacts,
    Kind,
    Reference,
    Shape,
    ShapeOp,
    Use,
)
from commonplace.codegraph.extraction.languages import BY_NAME
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.c_inference import CInference
from commonplace.codegraph.resolution.c_overloads import COverloads
from commonplace.codegraph.resolution.exports import Modules
from commonplace.codegraph.resolution.file_index import FileIndex
from commonplace.codegraph.resolution.includes import Includes
from commonplace.codegraph.resolution.inference import Inference
from commonplace.codegraph.resolution.layout import Layout
from commonplace.codegraph.resolution.linking import (
    AMBIGUOUS,
    CONFIDENCE,
    DefinitionKey,
    Form,
    Link,
    Resolution,
    Type,
)
from commonplace.codegraph.resolution.modules import ProjectModules, RecordingModules
from commonplace.codegraph.resolution.overloads import Overloads
from commonplace.codegraph.resolution.packages import Packages, packages_of
from commonplace.codegraph.resolution.same_name import Namesakes, in_one_place, namesakes_of
from commonplace.codegraph.resolution.table import DefinitionTable

_TYPE_USES = frozenset({Use.TYPE, Use.EXTENDS})
_PASSING = frozenset({Use.IMPORT, Use.EXPORT})
# Name spaces to search, in order, as (types or values, callables or others).
_VALUES = ((False, False),)
_TYPES_ONLY = ((True, False),)
_VALUES_FIRST = ((False, False), (True, False))
_TYPES_FIRST = ((True, False), (False, False))
_NAME_SPACES = {
    Use.TYPE: _TYPES_FIRST,
    Use.EXTENDS: _TYPES_FIRST,
    Use.EXPORT: _VALUES_FIRST,
    Use.IMPORT: _VALUES_FIRST,
    Use.ANNOTATION: _VALUES_FIRST,
    Use.CALL: _VALUES_FIRST,
}
# Languages in which the number of arguments must fit the function.
_ARITY_CHECKED = frozenset({"csharp", "kotlin"})
_VALUE_KINDS = frozenset({Kind.FIELD, Kind.VARIABLE, Kind.CONSTANT})


@dataclass(frozen=True, slots=True)
class LinkedProject:
    """The project-wide data for linking; `files` may load facts lazily."""

    files: Mapping[str, FileFacts]
    modules: Modules
    barrels: Barrels
    packages: Packages
    namesakes: Namesakes
    includes: Includes
    indexes: dict[str, FileIndex] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Linked:
    """The links of one file, its references to local definitions (`inner`), and what was read.

    `reads` are paths, and packages by their marks. `lookups` has the names that were looked up in
    each, or is None if that is unknown. Linking again gives the same result as long as these
    names mean the same in them.
    """

    links: tuple[Link, ...]
    inner: frozenset[int]
    reads: frozenset[str]
    lookups: Mapping[str, Iterable[str]] | None


def project_of(files: Mapping[str, FileFacts], layout: Layout) -> LinkedProject:
    modules = ProjectModules(files.keys(), layout)
    return LinkedProject(
        files,
        modules,
        Barrels(files, modules.find),
        Packages(files, packages_of(files.values()), layout.modules),
        namesakes_of(files.values()),
        Includes(files, modules.find),
    )


def resolve(files: Mapping[str, FileFacts], layout: Layout) -> dict[str, tuple[Link, ...]]:
    """Link every file of a project."""
    project = project_of(files, layout)
    return {path: link_file(project, path).links for path in files}


def link_file(project: LinkedProject, path: str) -> Linked:
    """Link one file. The result depends on the facts only, not on what was linked before."""
    resolver = _Resolver(project, path)
    try:
        return resolver.linked()
    finally:
        resolver.forget()


class _Answer(NamedTuple):
    """The targets of a reference; `inner` if it only has targets that are not symbols."""

    resolution: Resolution
    targets: tuple[DefinitionKey, ...]
    confidence: float
    inner: bool


def _type_name(definition: Definition) -> str:
    """The name of a definition's declared type, or an empty string."""
    value = definition.value
    if value is not None and value.op is ShapeOp.INSTANCE:
        value = value.parts[0]
    named = value is not None and value.op in {ShapeOp.NAME, ShapeOp.TYPE}
    return value.text if named and value is not None else ""


def _is_key(reference: Reference) -> bool:
    """Whether it names a member of the type that is expected at its place."""
    return reference.receiver is not None and reference.receiver.op is ShapeOp.EXPECTED


def _is_tag(reference: Reference) -> bool:
    """Whether it names an HTML element, which a project may declare, but few do."""
    return reference.use is Use.JSX and is_element(reference.name)


class _Resolver:
    """Links one file. Its caches live no longer."""

    def __init__(self, project: LinkedProject, path: str) -> None:
        self._path = path
        self._table = DefinitionTable(project.files, project.packages, project.indexes, path)
        modules = RecordingModules(project.modules, self._table.reads)
        including = self._table.is_including(path)
        if including:
            self._inference: Inference = CInference(
                self._table, modules, project.barrels, path, project.includes, project.namesakes
            )
        else:
            self._inference = Inference(self._table, modules, project.barrels)
        self._names = self._inference.names
        self._overloads = (
            COverloads(self._table, self._inference, path)
            if including
            else Overloads(self._table, self._inference)
        )
        self._namesakes = project.namesakes
        self._including = including
        self._typed = self._table.language(path) == "csharp"
        self._extended = self._table.has_extensions(path)

    def linked(self) -> Linked:
        path, table = self._path, self._table
        declared = {each.position for each in table.files[path].definitions}
        links: list[Link] = []
        inner: set[int] = set()
        known: dict[tuple[object, ...], _Answer] = {}
        counted = table.language(path) in _ARITY_CHECKED
        for number, reference in enumerate(table.files[path].references):
            name, use, _, scope, receiver, _ = reference
            question = (name, use, scope, id(receiver))
            answer = known.get(question)
            if answer is None:
                answer = known[question] = self._answer(path, reference)
            if use is Use.CALL and not answer.targets and self._including:
                answer = self._by_arguments(path, reference, answer)
            if counted and self._accepted_by_none(reference, answer.targets):
                continue
            if answer.targets:
                if self._typed:
                    answer = self._prefer_type(path, number, answer)
                ordered = self._ordered(path, answer.targets, reference)
                links.append(Link(number, ordered, answer.resolution, answer.confidence))
            elif answer.inner or _is_tag(reference):
                inner.add(number)
            elif _is_key(reference) and reference.position in declared:
                inner.add(number)  # a key without an expected type declares itself
        reads = frozenset(table.reads - {path})
        return Linked(tuple(links), frozenset(inner), reads, dict(table.lookups))

    def _by_arguments(self, path: str, reference: Reference, answer: _Answer) -> _Answer:
        """The functions of the namespaces that the types of a call's arguments are from."""
        if reference.receiver is not None or answer.inner:
            return answer
        found = tuple(self._inference.associated(path, reference))
        return answer._replace(targets=found, confidence=CONFIDENCE[answer.resolution])

    def _accepted_by_none(self, reference: Reference, targets: tuple[DefinitionKey, ...]) -> bool:
        """Whether no target accepts the arguments, so that the call means another function."""
        if reference.use is not Use.CALL or not targets:
            return False
        return not any(self._overloads.takes(each, reference) for each in targets)

    def _prefer_type(self, path: str, number: int, answer: _Answer) -> _Answer:
        """Let `Color` in C#'s `Color.Red` mean the type and not a property `Color` of that type,
        if the member is static."""
        references = self._table.files[path].references
        reference, target = references[number], answer.targets[0]
        if reference.use is not Use.READ or reference.receiver is not None:
            return answer
        definition = self._table.definition(target)
        if definition is None or definition.kind is not Kind.FIELD:
            return answer
        if _type_name(definition) != reference.name:
            return answer
        following = references[number + 1] if number + 1 < len(references) else None
        if following is None or following.receiver != Shape(ShapeOp.NAME, reference.name):
            return answer
        types = self._table.of_arity(
            self._names.lookup(path, reference.scope, reference.name, as_type=True), 0
        )
        types = self._names.follow(types, as_type=True)
        for each in types:
            owner = Type(Form.ITSELF, each.path, each.number)
            if any(self._is_static(m.target) for m in self._names.members(owner, following.name)):
                return answer._replace(targets=(each,), resolution=Resolution.SCOPE)
        return answer

    def _is_static(self, member: DefinitionKey) -> bool:
        """Whether a member belongs to the type and not to its instances."""
        definition = self._table.definition(member)
        if definition is None or definition.kind in TYPES or definition.static:
            return definition is not None
        opener = self._table.opener(member.path, definition.scope)
        return opener is not None and self._table.kind(opener) is Kind.ENUM

    def forget(self) -> None:
        """Free the caches now; reference cycles would keep them until a garbage collection."""
        self._inference.forget()

    def _answer(self, path: str, reference: Reference) -> _Answer:
        """The targets of a reference. Arguments do not matter: they only order the targets."""
        resolution, targets = self._candidates(path, reference)
        shown = tuple(target for target in targets if self._table.is_symbol(target))
        if _is_key(reference):
            shown = tuple(each for each in shown if not self._is_at(each, path, reference))
        confidence = self._confidence(resolution, shown)
        return _Answer(resolution, shown, confidence, bool(targets) and not shown)

    def _is_at(self, target: DefinitionKey, path: str, reference: Reference) -> bool:
        definition = self._table.definition(target)
        here = definition is not None and definition.position == reference.position
        return here and target.path == path

    def _confidence(self, resolution: Resolution, targets: tuple[DefinitionKey, ...]) -> float:
        """The confidence of a link, lower if the targets are several symbols. Overloads and
        merged declarations are one symbol."""
        if len(targets) < 2:
            return CONFIDENCE[resolution]
        symbols = {
            (
                self._table.package(target.path) if self._is_joined(target) else target.path,
                self._table.name_path(target),
            )
            for target in targets
        }
        return CONFIDENCE[resolution] * (AMBIGUOUS if len(symbols) > 1 else 1)

    def _is_joined(self, target: DefinitionKey) -> bool:
        """Whether definitions of the same path in several files are one symbol."""
        return self._table.is_partial(target) or self._table.is_including(target.path)

    def _candidates(
        self, path: str, reference: Reference
    ) -> tuple[Resolution, list[DefinitionKey]]:
        if reference.receiver is None:
            found = self._by_name(path, reference)
            language = self._table.files[path].language
            if found[1] or language not in BY_NAME:
                return found
            return Resolution.NAME, in_one_place(self._namesakes, language, reference)
        return self._with_receiver(path, reference, reference.receiver)

    def _with_receiver(
        self, path: str, reference: Reference, receiver: Shape
    ) -> tuple[Resolution, list[DefinitionKey]]:
        if reference.use in _PASSING:
            passed = self._imported(path, receiver)
            if not passed and self._table.has_extensions(path):
                extending = self._inference.extensions.imported(receiver)
                passed = [target for target, _ in extending]
            return Resolution.IMPORT, passed
        if receiver.op is ShapeOp.TAG:
            return Resolution.SCOPE, self._names.denoted(
                path, reference.scope, receiver, as_type=True
            )
        if receiver.op is ShapeOp.ARITY:
            return self._by_name(path, reference)
        if receiver.op is ShapeOp.CASE:
            found = self._by_receiver(path, reference, receiver.parts[0])
            return found if found[1] else self._by_name(path, reference)
        return self._by_receiver(path, reference, receiver)

    def _by_name(self, path: str, reference: Reference) -> tuple[Resolution, list[DefinitionKey]]:
        for as_type, called in self._name_spaces(path, reference):
            found = self._named(path, reference, as_type, called)
            if found:
                followed = self._names.follow(found, as_type=as_type)
                here = all(target.path == path for target in followed) and followed == found
                return (Resolution.SCOPE if here else Resolution.IMPORT), followed
        if self._table.is_extended(path) and self._table.has_extensions(path):
            return Resolution.MEMBER, self._inference.extensions.implied(path, reference)
        return Resolution.SCOPE, []

    def _named(
        self, path: str, reference: Reference, as_type: bool, called: bool
    ) -> list[DefinitionKey]:
        scope, name, receiver = reference.scope, reference.name, reference.receiver
        found = self._names.lookup(path, scope, name, as_type=as_type, called=called)
        if not self._typed:
            return found
        if reference.use is Use.ANNOTATION:
            return self._names.lookup(path, scope, f"{name}Attribute", as_type=True) or found
        return self._table.of_arity(found, int(receiver.text) if receiver else 0)

    def _name_spaces(self, path: str, reference: Reference) -> tuple[tuple[bool, bool], ...]:
        """The name spaces to search for a reference, in order."""
        use = reference.use
        made = reference.receiver is not None and reference.receiver.op is ShapeOp.ARITY
        if made or (use in _TYPE_USES and self._table.has_functions(path)):
            return _TYPES_ONLY
        if use is Use.CALL and self._table.has_bare_members(path):
            return (False, True), (True, False)  # `new Name()` is a call of a type
        return _NAME_SPACES.get(use, _VALUES)

    def _imported(self, path: str, passed: Shape) -> list[DefinitionKey]:
        """The targets of an import or re-export: a name may be both a value and a type."""
        values = self._names.denoted(path, 0, passed, as_type=False)
        return list(dict.fromkeys(values + self._names.denoted(path, 0, passed, as_type=True)))

    def _by_receiver(
        self, path: str, reference: Reference, receiver: Shape
    ) -> tuple[Resolution, list[DefinitionKey]]:
        owners = self._inference.types(path, reference.scope, receiver)
        found = [each for owner in owners for each in self._names.members(owner, reference.name)]
        if not found and self._extended:
            found = self._inference.extensions.members(path, owners, reference.name, reference.use)
        if not found or reference.name == "constructor":
            return Resolution.MEMBER, []
        as_type = reference.use in _TYPE_USES
        targets = self._names.follow((member.target for member in found), as_type=as_type)
        return found[0].resolution, targets

    def _ordered(
        self, path: str, targets: tuple[DefinitionKey, ...], reference: Reference
    ) -> tuple[DefinitionKey, ...]:
        """Order targets: first by the kind that the use needs, then those with a value, then the
        best overloads. Among equals, an overload rather calls another one than itself."""
        if len(targets) == 1:
            return targets
        use, called = reference.use, reference.use is Use.CALL
        scopes = self._table.around(path, reference.scope)
        around = set() if self._including else {self._table.opener(path, n) for n in scopes}

        def rank(target: DefinitionKey) -> tuple[bool, bool, int, bool]:
            definition = self._table.definition(target)
            if definition is None:
                return False, False, 0, False
            other_sort = (definition.kind in TYPES) is not (use in _TYPE_USES)
            no_function = (
                definition.kind in _VALUE_KINDS if called else definition.kind is Kind.METHOD
            )
            empty = definition.kind is Kind.FIELD and definition.value is None
            fit = self._overloads.fit(path, target, reference)
            return other_sort, no_function or empty, -fit, target in around

        return tuple(sorted(targets, key=rank))
