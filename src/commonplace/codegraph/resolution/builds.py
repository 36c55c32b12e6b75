"""The modules of a build, from its build files: which are built together, and which use which.

Several modules may declare the same class; the one is meant that a module can see when it is built.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from posixpath import basename, dirname, join, normpath
from typing import Any, NamedTuple

from commonplace.codegraph.resolution.linking import DefinitionKey

MAVEN = frozenset({"pom.xml"})
_SETTINGS = frozenset({"settings.gradle", "settings.gradle.kts"})
_SCRIPTS = frozenset({"build.gradle", "build.gradle.kts"})
GRADLE = _SETTINGS | _SCRIPTS
PYPROJECT = "pyproject.toml"


class BuildModule(NamedTuple):
    """`build` is the folder of what builds it with others; `uses` are names of other modules."""

    folder: str
    name: str
    build: str
    uses: frozenset[str] = frozenset()

    def below(self, folder: str) -> BuildModule:
        """The same, seen from above."""
        return self._replace(folder=_in(folder, self.folder), build=_in(folder, self.build))


def modules_of(manifests: Mapping[str, str]) -> tuple[BuildModule, ...]:
    """Every module that a build file of Maven or Gradle describes."""
    poms = {dirname(p): _POM_REMARK.sub("", t) for p, t in manifests.items() if _is(p, MAVEN)}
    scripts = {dirname(path): text for path, text in manifests.items() if _is(path, _SCRIPTS)}
    settings = {dirname(path): text for path, text in manifests.items() if _is(path, _SETTINGS)}
    return (*_maven(poms), *_gradle(settings, scripts))


def source_roots(path: str, text: str) -> Iterator[str]:
    """Where a Python project keeps its packages: by custom, and where `pyproject.toml` says."""
    folder = dirname(path)
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        text = ""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        tool = {}
    for root in ("", "src", *_told(tool)):
        yield _in(folder, root)


# A name of TOML is read in the square of the dots in it.
_MOST_DOTS = 200


class BuildModules:
    """Which of several definitions of one name a file sees."""

    def __init__(self, modules: Iterable[BuildModule] = ()) -> None:
        self._by_folder = {each.folder: each for each in modules}
        self._known: dict[str, BuildModule | None] = {}

    def closest(self, targets: Sequence[DefinitionKey], home: str) -> Sequence[DefinitionKey]:
        """Those that the module of a file sees first; among equals the closest in the tree."""
        if len({target.path for target in targets}) == 1:
            return targets
        ranks = [(self._rank(home, each.path), -_shared(each.path, home)) for each in targets]
        best = min(ranks)
        return [target for target, rank in zip(targets, ranks, strict=True) if rank == best]

    def _rank(self, home: str, path: str) -> int:
        """Its own module, one that it uses, one of the same build, any other."""
        here, there = self._of(dirname(home)), self._of(dirname(path))
        if here is None or there is None or here is there:
            return 0
        together = here.build == there.build
        if there.name in here.uses:
            return 1 if together else 3
        return 2 if together else 4

    def _of(self, folder: str) -> BuildModule | None:
        if not self._by_folder:
            return None
        if folder not in self._known:
            found = self._by_folder.get(folder)
            around = dirname(folder)
            self._known[folder] = found or (self._of(around) if folder != around else None)
        return self._known[folder]


def _shared(path: str, other: str) -> int:
    """How many folders two paths have in common, from the top."""
    pairs = zip(path.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# What is opened and never closed reaches to the end: looked for from each opening, it would take
# time in the square of the length.
_POM_REMARK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_POM_MODULE = re.compile(r"<module>\s*+([^<\s]++)\s*+</module>")
_POM_USED = re.compile(r"<dependency>(.*?)(?:</dependency>|\Z)", re.DOTALL)
_POM_ARTIFACT = re.compile(r"<artifactId>\s*+([^<\s]++)\s*+</artifactId>")
# What has artifacts that are not the module's own name.
_POM_OTHERS = re.compile(
    r"<(parent|dependencies|dependencyManagement|build|profiles|reporting)>.*?(?:</\1>|\Z)",
    re.DOTALL,
)


def _maven(poms: Mapping[str, str]) -> Iterator[BuildModule]:
    builds = {
        _in(folder, listed): folder
        for folder, text in sorted(poms.items())
        for listed in _POM_MODULE.findall(text)
    }
    for folder, text in poms.items():
        named = _POM_ARTIFACT.search(_POM_OTHERS.sub("", text))
        used = (_POM_ARTIFACT.search(each) for each in _POM_USED.findall(text))
        yield BuildModule(
            folder,
            named[1] if named else basename(folder),
            builds.get(folder, folder),
            frozenset(each[1] for each in used if each),
        )


_INCLUDED = re.compile(
    r"^[ \t]*+include[ \t]*+(\([^)]*+\)|[^\n(]++(?:(?<=,)\n[^\n]++)*+)", re.MULTILINE
)
_QUOTED = re.compile(r"""["'](:?[\w.:/-]++)["']""")
_PROJECT = re.compile(r"""\bproject\s*+\(\s*+(?:path\s*+[:=]\s*+)?["']:?([\w.:/-]++)["']""")
_ACCESSOR = re.compile(r"\bprojects\.([\w.]++)")


def _gradle(settings: Mapping[str, str], scripts: Mapping[str, str]) -> Iterator[BuildModule]:
    for build, text in sorted(settings.items()):
        included = (name for each in _INCLUDED.findall(text) for name in _QUOTED.findall(each))
        for name in ("", *(each.lstrip(":") for each in included)):
            folder = _in(build, name.replace(":", "/"))
            script = scripts.get(folder, "")
            used = {each.replace("/", ":") for each in _PROJECT.findall(script)}
            used |= {each.replace(".", ":") for each in _ACCESSOR.findall(script)}
            yield BuildModule(folder, name, build, frozenset(used))


def _told(tool: dict[str, Any]) -> Iterator[str]:
    """The folders of packages, as setuptools, poetry, hatch and pytest are told of them."""
    yield from _texts(_at(tool, "setuptools", "packages", "find", "where"))
    directories = _at(tool, "setuptools", "package-dir")
    yield from _texts([directories.get("")] if isinstance(directories, dict) else [])
    for each in _lists(_at(tool, "poetry", "packages")):
        yield from _texts([each.get("from")] if isinstance(each, dict) else [])
    hatch = _at(tool, "hatch", "build", "targets", "wheel", "packages")
    yield from (dirname(each) for each in _texts(hatch))
    yield from _texts(_at(tool, "pytest", "ini_options", "pythonpath"))


def _at(table: object, *keys: str) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _lists(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _texts(value: object) -> list[str]:
    return [each for each in _lists(value) if isinstance(each, str)]


def _is(path: str, names: frozenset[str]) -> bool:
    return basename(path) in names


def _in(folder: str, path: str) -> str:
    whole = normpath(join(folder, path))
    return "" if whole == "." else whole
