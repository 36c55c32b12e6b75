"""The packages of a project: which files are of one, and what these declare.

Gathered once for many files.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname

from commonplace.codegraph.extraction.facts import HIDDEN, FileFacts, Kind
from commonplace.codegraph.extraction.languages import BARE_MEMBERS, EXTENDED, PACKAGED
from commonplace.codegraph.resolution.builds import BuildModule, BuildModules
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.resolution.visible import outer_scopes


def package_mark(package: str) -> str:
    """How a package is told from a file among what was read."""
    return f"package:{package}"


def package_of_mark(mark: str) -> str | None:
    head, _, package = mark.partition(":")
    return package if head == "package" else None


# Languages with packages, or whose modules stand for them; a file of others stands alone.
_APART = BARE_MEMBERS - {"java", "kotlin", "scala", "csharp"}
_CRATE_FOLDERS = frozenset({"src", "tests", "examples", "benches"})


def package_of(language: str, package: str, path: str) -> str:
    """What the files of a package have in common: its name, or where its folder is the package,
    that folder; tests from outside are a package of their own. The folder of a crate is the one
    that holds its sources."""
    if language == "rust":
        parts = path.split("/")
        ends = [number for number, part in enumerate(parts[:-1]) if part in _CRATE_FOLDERS]
        return f"rust:{'/'.join(parts[: ends[-1]] if ends else parts[:-1])}"
    if language in _APART:
        return f"{language}:{path}"
    if language not in PACKAGED:
        return package
    tests = " tests" if package.endswith("_test") else ""
    return f"{language}:{dirname(path)}{tests}"


def namespaces_around(language: str, package: str) -> Iterable[str]:
    """The package of a file, and those around it where a language sees what they declare."""
    yield package
    while language == "csharp" and "." in package:
        package = package.rpartition(".")[0]
        yield package


def packages_of(files: Iterable[FileFacts]) -> dict[str, list[str]]:
    """The files of each package, in the order given."""
    packages: dict[str, list[str]] = defaultdict(list)
    for facts in files:
        if facts.package or facts.language in BARE_MEMBERS | EXTENDED:
            packages[package_of(facts.language, facts.package, facts.path)].append(facts.path)
    return dict(packages)


# A function that is called on a value, and the definition that says on which.
Extended = tuple[DefinitionKey, DefinitionKey]


def extensions_of(facts: FileFacts) -> Iterable[tuple[int, int]]:
    """Functions by their numbers, each with the number of what says on which type it is called."""
    around = {d.opens: n for n, d in enumerate(facts.definitions) if d.kind is Kind.EXTENSION}
    inner = {
        each.written_in: number
        for number, each in enumerate(facts.definitions)
        if each.kind is Kind.EXTENSION and each.opens < 0
    }
    for number, each in enumerate(facts.definitions if around else ()):
        if each.kind in HIDDEN:
            continue
        if each.scope in around:
            yield number, around[each.scope]
        elif each.opens in inner and each.kind is Kind.METHOD:
            yield number, inner[each.opens]


class Packages:
    """`members` are the files of each package, for languages that have such."""

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        members: Mapping[str, Sequence[str]],
        modules: Iterable[BuildModule] = (),
    ) -> None:
        self._files = files
        self._members = members
        self._modules = BuildModules(modules)
        self._named: dict[str, dict[str, list[DefinitionKey]]] = {}
        self._extended: dict[str, dict[tuple[str, str], list[DefinitionKey]]] = {}
        self._inheriting: dict[str, dict[str, list[DefinitionKey]]] = {}
        self._extending: dict[str, dict[str, list[Extended]]] = {}
        self._names = 0

    def __contains__(self, package: str) -> bool:
        return package in self._members

    def closest(self, targets: Sequence[DefinitionKey], home: str) -> Sequence[DefinitionKey]:
        """What a file means, of what several modules of a build declare alike."""
        return self._modules.closest(targets, home)

    def forget_beyond(self, most: int) -> None:
        """Let go of what was gathered where it has more names."""
        if self._names > most:
            for gathered in (self._named, self._extended, self._inheriting, self._extending):
                gathered.clear()
            self._names = 0

    def declared(self, package: str, name: str) -> Sequence[DefinitionKey]:
        """What a package's files declare outside of anything else."""
        named = self._named.get(package)
        if named is None:
            named = self._named[package] = self._gathered(package)
            self._names += len(named)
        return named.get(name, ())

    def extended(self, package: str, type_name: str, name: str) -> Sequence[DefinitionKey]:
        """The members of that name which a package's files give to types of that name."""
        found = self._extended.get(package)
        if found is None:
            found = self._extended[package] = self._extensions(package)
            self._names += len(found)
        return found.get((type_name, name), ())

    def inheriting(self, package: str, type_name: str) -> Sequence[DefinitionKey]:
        """Where a package's files say that types of that name are more than they declare."""
        self.extended(package, type_name, "")
        return self._inheriting[package].get(type_name, ())

    def extending(self, package: str, name: str) -> Sequence[Extended]:
        """The functions of that name which a package's files give to types, whichever they are."""
        found = self._extending.get(package)
        if found is None:
            found = self._extending[package] = {}
            for path in self._members.get(package, ()):
                for target, extension in extensions_of(self._files[path]):
                    named = self._files[path].definitions[target].name
                    found.setdefault(named, []).append(
                        (DefinitionKey(path, target), DefinitionKey(path, extension))
                    )
            self._names += len(found)
        return found.get(name, ())

    def _extensions(self, package: str) -> dict[tuple[str, str], list[DefinitionKey]]:
        extended: dict[tuple[str, str], list[DefinitionKey]] = {}
        inheriting = self._inheriting[package] = {}
        for path in self._members.get(package, ()):
            facts = self._files[path]
            names: dict[int, str] = {}
            for number, each in enumerate(facts.definitions):
                if each.kind is Kind.EXTENSION:
                    names[each.opens] = each.name
                    if facts.scopes[each.opens].bases:
                        inheriting.setdefault(each.name, []).append(DefinitionKey(path, number))
            for number, each in enumerate(facts.definitions):
                if each.scope in names and each.kind not in HIDDEN:
                    key = (names[each.scope], each.name)
                    extended.setdefault(key, []).append(DefinitionKey(path, number))
        return extended

    def _gathered(self, package: str) -> dict[str, list[DefinitionKey]]:
        named: dict[str, list[DefinitionKey]] = {}
        for path in self._members.get(package, ()):
            facts = self._files[path]
            outer = outer_scopes(facts)
            for number, each in enumerate(facts.definitions):
                if each.scope in outer and each.kind is not Kind.TEST and each.kind not in HIDDEN:
                    named.setdefault(each.name, []).append(DefinitionKey(path, number))
        return named
