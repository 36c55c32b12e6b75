"""The modules of a build and their dependencies, from its build files.

Several modules may declare the same class; a file means the one that its module can see.
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
    """A module. `build` is the folder of its build; `uses` are the modules it depends on."""

    folder: str
    name: str
    build: str
    uses: frozenset[str] = frozenset()

    def below(self, folder: str) -> BuildModule:
        """The same module, with paths relative to the parent of `folder`."""
        return self._replace(
            folder=_path_in(folder, self.folder), build=_path_in(folder, self.build)
        )


def modules_of(manifests: Mapping[str, str]) -> tuple[BuildModule, ...]:
    """The modules that the build files of Maven and Gradle describe."""
    poms = {
        dirname(p): _POM_COMMENT.sub("", t) for p, t in manifests.items() if _is_named(p, MAVEN)
    }
    scripts = {dirname(path): text for path, text in manifests.items() if _is_named(path, _SCRIPTS)}
    settings = {
        dirname(path): text for path, text in manifests.items() if _is_named(path, _SETTINGS)
    }
    return (*_maven(poms), *_gradle(settings, scripts))


def source_roots(path: str, text: str) -> Iterator[str]:
    """The source roots of a Python project: the conventional ones and those in its pyproject."""
    folder = dirname(path)
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        text = ""
    try:
        tool = tomllib.loads(text).get("tool", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        tool = {}
    for root in ("", "src", *_configured_folders(tool)):
        yield _path_in(folder, root)


# The TOML parser takes quadratic time in the number of dots in a key.
_MOST_DOTS = 200


class BuildModules:
    """Chooses among definitions of one name the ones that a file sees."""

    def __init__(self, modules: Iterable[BuildModule] = ()) -> None:
        self._by_folder = {each.folder: each for each in modules}
        self._known: dict[str, BuildModule | None] = {}

    def closest(self, targets: Sequence[DefinitionKey], home: str) -> Sequence[DefinitionKey]:
        """The definitions that the file's module sees first; on a tie, the closest in the tree."""
        if len({target.path for target in targets}) == 1:
            return targets
        ranks = [
            (self._rank(home, each.path), -_common_folders(each.path, home)) for each in targets
        ]
        best = min(ranks)
        return [target for target, rank in zip(targets, ranks, strict=True) if rank == best]

    def _rank(self, home: str, path: str) -> int:
        """Rank a file's own module first, then one of the same build that it depends on, then
        others of that build, then other dependencies, then the rest."""
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


def _common_folders(path: str, other: str) -> int:
    """The number of leading folders that two paths have in common."""
    pairs = zip(path.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


# An element that is never closed extends to the end: searching for the closing tag again from each
# opening would take quadratic time.
_POM_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_POM_MODULE = re.compile(r"<module>\s*+([^<\s]++)\s*+</module>")
_POM_USED = re.compile(r"<dependency>(.*?)(?:</dependency>|\Z)", re.DOTALL)
_POM_ARTIFACT = re.compile(r"<artifactId>\s*+([^<\s]++)\s*+</artifactId>")
# Elements with artifact ids other than the module's own.
_POM_OTHER_ARTIFACTS = re.compile(
    r"<(parent|dependencies|dependencyManagement|build|profiles|reporting)>.*?(?:</\1>|\Z)",
    re.DOTALL,
)


def _maven(poms: Mapping[str, str]) -> Iterator[BuildModule]:
    builds = {
        _path_in(folder, listed): folder
        for folder, text in sorted(poms.items())
        for listed in _POM_MODULE.findall(text)
    }
    for folder, text in poms.items():
        named = _POM_ARTIFACT.search(_POM_OTHER_ARTIFACTS.sub("", text))
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
            folder = _path_in(build, name.replace(":", "/"))
            script = scripts.get(folder, "")
            used = {each.replace("/", ":") for each in _PROJECT.findall(script)}
            used |= {each.replace(".", ":") for each in _ACCESSOR.findall(script)}
            yield BuildModule(folder, name, build, frozenset(used))


def _configured_folders(tool: dict[str, Any]) -> Iterator[str]:
    """The package folders that setuptools, poetry, hatch and pytest are configured with."""
    yield from _strings(_value_at(tool, "setuptools", "packages", "find", "where"))
    directories = _value_at(tool, "setuptools", "package-dir")
    yield from _strings([directories.get("")] if isinstance(directories, dict) else [])
    for each in _as_list(_value_at(tool, "poetry", "packages")):
        yield from _strings([each.get("from")] if isinstance(each, dict) else [])
    hatch = _value_at(tool, "hatch", "build", "targets", "wheel", "packages")
    yield from (dirname(each) for each in _strings(hatch))
    yield from _strings(_value_at(tool, "pytest", "ini_options", "pythonpath"))


def _value_at(table: object, *keys: str) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _strings(value: object) -> list[str]:
    return [each for each in _as_list(value) if isinstance(each, str)]


def _is_named(path: str, names: frozenset[str]) -> bool:
    return basename(path) in names


def _path_in(folder: str, path: str) -> str:
    whole = normpath(join(folder, path))
    return "" if whole == "." else whole
