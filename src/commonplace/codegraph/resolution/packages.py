"""The packages of a project: their files and declarations, collected once for many files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from posixpath import dirname

from commonplace.codegraph.extraction.facts import HIDDEN, FileFacts, Kind
from commonplace.codegraph.extraction.languages import BARE_MEMBERS, EXTENDED, INCLUDING, PACKAGED
from commonplace.codegraph.resolution.builds import BuildModule, BuildModules
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.resolution.visible import outer_scopes


def package_mark(package: str) -> str:
    """The mark of a package among the paths that were read."""
    return f"package:{package}"


def package_of_mark(mark: str) -> str | None:
    head, _, package = mark.partition(":")
    return package if head == "package" else None


# Languages with bare members but without packages: each file stands alone.
_WITHOUT_PACKAGES = BARE_MEMBERS - {"java", "kotlin", "scala", "csharp"}
_CRATE_FOLDERS = frozenset({"src", "tests", "examples", "benches"})


def package_of(language: str, package: str, path: str) -> str:
    """The key that the files of a package share: its name, or its folder if folders are packages.

    External tests in Go are a package of their own. The key of a Rust crate is the folder that
    holds its sources.
    """
    if language == "rust":
        parts = path.split("/")
        ends = [number for number, part in enumerate(parts[:-1]) if part in _CRATE_FOLDERS]
        return f"rust:{'/'.join(parts[: ends[-1]] if ends else parts[:-1])}"
    if language in INCLUDING:
        return "c:"
    if language in _WITHOUT_PACKAGES:
        return f"{language}:{path}"
    if language not in PACKAGED:
        return package
    tests = " tests" if package.endswith("_test") else ""
    return f"{language}:{dirname(path)}{tests}"


def namespaces_around(language: str, package: str) -> Iterable[str]:
    """The package of a file, and the enclosing ones if their declarations are visible in it."""
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


# An extension function, and the definition of its receiver.
Extended = tuple[DefinitionKey, DefinitionKey]


def extensions_of(facts: FileFacts) -> Iterable[tuple[int, int]]:
    """The numbers of extension functions, each with that of the definition of its receiver."""
    if facts.language in INCLUDING:
        return
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
    """The declarations of packages, cached. `members` are the files of each package."""

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
        """The definitions that a file means if several modules of a build declare the name."""
        return self._modules.closest(targets, home)

    def forget_beyond(self, most: int) -> None:
        """Empty the cache if it holds more than `most` names."""
        if self._names > most:
            for cache in (self._named, self._extended, self._inheriting, self._extending):
                cache.clear()
            self._names = 0

    def declared(self, package: str, name: str) -> Sequence[DefinitionKey]:
        """The top-level declarations of a package under a name."""
        named = self._named.get(package)
        if named is None:
            named = self._named[package] = self._top_level(package)
            self._names += len(named)
        return named.get(name, ())

    def extended(self, package: str, type_name: str, name: str) -> Sequence[DefinitionKey]:
        """The members of a name that a package adds to types named `type_name`."""
        found = self._extended.get(package)
        if found is None:
            found = self._extended[package] = self._extensions(package)
            self._names += len(found)
        return found.get((type_name, name), ())

    def inheriting(self, package: str, type_name: str) -> Sequence[DefinitionKey]:
        """The extensions in a package that add base types to types named `type_name`."""
        self.extended(package, type_name, "")
        return self._inheriting[package].get(type_name, ())

    def extending(self, package: str, name: str) -> Sequence[Extended]:
        """The extension functions of a name in a package, for any type."""
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

    def _top_level(self, package: str) -> dict[str, list[DefinitionKey]]:
        named: dict[str, list[DefinitionKey]] = {}
        for path in self._members.get(package, ()):
            facts = self._files[path]
            outer = outer_scopes(facts)
            for number, each in enumerate(facts.definitions):
                if each.scope in outer and each.kind is not Kind.TEST and each.kind not in HIDDEN:
                    named.setdefault(each.name, []).append(DefinitionKey(path, number))
        return named
