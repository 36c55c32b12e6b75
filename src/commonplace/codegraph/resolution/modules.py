"""Resolves module specifiers of imports to files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from posixpath import basename, dirname, join

from commonplace.codegraph.extraction.elements import CONFIGURED, RUNTIME
from commonplace.codegraph.extraction.languages import INCLUDING, LANGUAGES
from commonplace.codegraph.resolution.exports import Modules
from commonplace.codegraph.resolution.includes import IncludedFiles
from commonplace.codegraph.resolution.layout import Layout, Package, inside, is_within
from commonplace.codegraph.resolution.packages import package_of

# The number of cached specifiers: enough for the folders that are linked together.
_MOST_KNOWN = 20_000
_PYTHON = (".py", ".pyi")
_INCLUDING = tuple(
    ending for each in LANGUAGES if each.name in INCLUDING for ending in each.extensions
)
_ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
# Folders that builds write to, by convention, and the endings of what they make.
_BUILT = frozenset({"dist", "build", "out", "lib", "es", "esm", "cjs"})
_MADE = (".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx")
_WRITTEN_FOR = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts", ".d.mts"),
                ".cjs": (".cts", ".d.cts")}  # fmt: skip


class ProjectModules:
    """Resolves each file's specifiers by the rules of its language."""

    def __init__(self, files: Collection[str], layout: Layout) -> None:
        self._ecmascript = EcmaScriptModules(files, layout)
        self._python = PythonModules(files, layout)
        self._go = GoPackages(files, layout)
        self._rust = RustModules(files, layout)
        self._included = IncludedFiles(files)

    def find(self, importer: str, specifier: str) -> str | None:
        if importer.endswith(".go"):
            return self._go.find(specifier)
        if importer.endswith(".rs"):
            return self._rust.find(importer, specifier)
        if importer.endswith(_INCLUDING):
            return self._included.find(importer, specifier)
        rules = self._python if importer.endswith(_PYTHON) else self._ecmascript
        return rules.find(importer, specifier)

    def inside(self, package: str, name: str) -> str | None:
        """The module of that name in a package, if the language has submodules."""
        if package.endswith(".rs"):
            return self._rust.inside(package, name)
        return self._python.inside(package, name) if package.endswith(_PYTHON) else None


class NeighbouringModules:
    """Resolves specifiers across several projects, each in its own folder; the own one first.

    The paths of `layouts` are those of `files`. Other projects contribute their packages and source
    roots, not their private aliases.
    """

    def __init__(self, files: Collection[str], layouts: Mapping[str, Layout]) -> None:
        self._of = {
            home: ProjectModules(files, _with_neighbours(home, layouts)) for home in layouts
        }

    def find(self, importer: str, specifier: str) -> str | None:
        return self._of[_home(importer)].find(importer, specifier)

    def inside(self, package: str, name: str) -> str | None:
        return self._of[_home(package)].inside(package, name)


def _home(path: str) -> str:
    return path.partition("/")[0]


def _with_neighbours(home: str, layouts: Mapping[str, Layout]) -> Layout:
    own, others = layouts[home], [layouts[each] for each in layouts if each != home]
    packages: dict[str, Package] = {}
    for layout in (own, *others):
        for name, package in layout.packages.items():
            packages.setdefault(name, package)
    roots = tuple(chain(own.roots, *(layout.roots for layout in others)))
    return Layout(packages, own.aliases, roots, own.elements)


class RecordingModules:
    """Modules that record each module found."""

    def __init__(self, modules: Modules, reads: set[str]) -> None:
        self._modules = modules
        self._reads = reads

    def find(self, importer: str, specifier: str) -> str | None:
        return self._recorded(self._modules.find(importer, specifier))

    def inside(self, package: str, name: str) -> str | None:
        return self._recorded(self._modules.inside(package, name))

    def _recorded(self, module: str | None) -> str | None:
        if module is not None:
            self._reads.add(module)
        return module


class GoPackages:
    """Resolves Go import paths: a folder is a package, and its module gives the path's prefix."""

    def __init__(self, files: Collection[str], layout: Layout) -> None:
        self._files = files
        self._packages = layout.packages
        self._folders: frozenset[str] | None = None

    def find(self, specifier: str) -> str | None:
        if self._folders is None:
            self._folders = frozenset(dirname(path) for path in self._files if path.endswith(".go"))
        name = specifier
        while name:
            package = self._packages.get(name)
            if package is not None:
                folder = inside(package.folder, f".{specifier[len(name) :]}").removeprefix(".")
                return package_of("go", "", join(folder, "_")) if folder in self._folders else None
            name = name.rpartition("/")[0]
        return None


class RustModules:
    """Resolves Rust paths: files are modules of a crate, whose root is `lib.rs`, `main.rs` or a
    single file."""

    def __init__(self, files: Collection[str], layout: Layout) -> None:
        self._files = files
        self._packages = layout.packages

    def find(self, importer: str, specifier: str) -> str | None:
        first, *rest = specifier.split("::")
        found = self._first_module(importer, first)
        for name in rest:
            found = self.inside(found, name) if found else None
        return found

    def inside(self, package: str, name: str) -> str | None:
        if name == "super":
            return self._parent(package)
        folder = self._folder(package)
        tries = (inside(folder, f"{name}.rs"), inside(folder, f"{name}/mod.rs"))
        return next((path for path in tries if path in self._files), None)

    def _first_module(self, importer: str, first: str) -> str | None:
        if first == "self":
            return importer
        if first == "super":
            return self._parent(importer)
        if first == "crate":
            return self._root(importer)
        package = self._packages.get(first) or self._packages.get(first.replace("_", "-"))
        return self._first_of(inside(package.folder, "src")) if package else None

    def _folder(self, module: str) -> str:
        """The folder of a module's submodules."""
        folder, stem = dirname(module), basename(module).removesuffix(".rs")
        is_root = stem in _CRATE_ROOTS or module == self._root(module)
        return folder if is_root else join(folder, stem)

    def _parent(self, module: str) -> str | None:
        folder = dirname(module)
        if basename(module) == "mod.rs":
            folder = dirname(folder)
        return self._first_of(folder) or (f"{folder}.rs" if f"{folder}.rs" in self._files else None)

    def _first_of(self, folder: str) -> str | None:
        tries = (inside(folder, name) for name in ("mod.rs", "lib.rs", "main.rs"))
        return next((path for path in tries if path in self._files), None)

    def _root(self, path: str) -> str:
        folder = dirname(path)
        if basename(path) in {"lib.rs", "main.rs"} or basename(folder) in _SINGLE:
            return path
        while True:
            for name in ("lib.rs", "main.rs"):
                if join(folder, name) in self._files:
                    return join(folder, name)
            if not folder:
                return path
            folder = dirname(folder)


_CRATE_ROOTS = frozenset({"lib", "main", "mod"})
_SINGLE = frozenset({"tests", "examples", "benches", "bin"})  # each file in them is a crate


class PythonModules:
    """Resolves Python modules: relative to the importing file, or from a source root."""

    def __init__(self, files: Collection[str], layout: Layout) -> None:
        self._files = files
        self._roots = layout.roots
        self._ordered: dict[str, tuple[str, ...]] = {}

    def find(self, importer: str, specifier: str) -> str | None:
        names = specifier.lstrip(".")
        dots = len(specifier) - len(names)
        path = names.replace(".", "/")
        if dots:
            folder = dirname(importer)
            return self._module(inside(folder, "../" * (dots - 1) + path))
        folder = dirname(importer)
        roots = self._nearest_first(folder)
        roots = roots if self._module(folder) else (*roots, folder)
        return next((found for root in roots if (found := self._module(inside(root, path)))), None)

    def _nearest_first(self, folder: str) -> tuple[str, ...]:
        """The source roots, those of the project that contains the folder first."""
        known = self._ordered.get(folder)
        if known is None:
            known = tuple(sorted(self._roots, key=lambda root: -_nearness(folder, root)))
            self._ordered[folder] = known
        return known

    def inside(self, package: str, name: str) -> str | None:
        is_package = package.endswith(("__init__.py", "__init__.pyi"))
        return self._module(inside(dirname(package), name)) if is_package else None

    def _module(self, path: str) -> str | None:
        tries = (path + ending for ending in (".py", "/__init__.py", ".pyi", "/__init__.pyi"))
        return next(
            (each.removeprefix("./") for each in tries if each.removeprefix("./") in self._files),
            None,
        )


def _nearness(folder: str, root: str) -> int:
    """The length of the path of a source root's project if it contains the folder, else 0."""
    project = dirname(root) if basename(root) == "src" else root
    return len(project) if is_within(folder, project) else 0


class EcmaScriptModules:
    """Resolves relative paths, aliases of tsconfig and packages of the workspace."""

    def __init__(self, files: Collection[str], layout: Layout) -> None:
        self._files = files
        self._layout = layout
        self._known: dict[tuple[str, str], str | None] = {}
        self._by_folder: dict[str, Package] | None = None

    def find(self, importer: str, specifier: str) -> str | None:
        key = (dirname(importer), specifier)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            tries = (self._file(path) for path in self._candidates(*key))
            self._known[key] = next((path for path in tries if path), None)
        return self._known[key]

    def _candidates(self, folder: str, specifier: str) -> Iterator[str]:
        if specifier == CONFIGURED:
            for below, library in self._libraries(folder):
                yield from self._candidates(below, f"{library}/{RUNTIME}")
            return
        if specifier.startswith("."):
            path = inside(folder, specifier)
            yield from self._entry_of(path)
            yield path
            yield from _sources_of(path)
            return
        for alias in self._layout.aliases:
            yield from _substituted(alias.pattern, alias.targets, specifier)
        yield from self._package_files(specifier)

    def _entry_of(self, folder: str) -> Iterator[str]:
        """What a package gives to those who import its folder."""
        if self._by_folder is None:
            packages = self._layout.packages.values()
            self._by_folder = {each.folder or ".": each for each in packages}
        package = self._by_folder.get(folder or ".")
        for target in package.exports.get(".", ()) if package else ():
            path = inside(package.folder, target) if package else target
            yield path
            yield from _sources_of(path)

    def _libraries(self, folder: str) -> list[tuple[str, str]]:
        """The JSX libraries that enclosing configurations name, the nearest first."""
        around = [each for each in self._layout.elements if is_within(folder, each[0])]
        return sorted(around, key=lambda each: -len(each[0]))

    def _package_files(self, specifier: str) -> Iterator[str]:
        parts = specifier.split("/")
        name = "/".join(parts[: 2 if specifier.startswith("@") else 1])
        package = self._layout.packages.get(name)
        if package is None:
            return
        rest = specifier[len(name) :]
        for key, files in package.exports.items():
            for target in _substituted(key, files, f".{rest}"):
                yield inside(package.folder, target)
                yield from _sources_of(inside(package.folder, target))
        yield inside(package.folder, f".{rest}")
        yield inside(package.folder, f"src{rest}")

    def _file(self, path: str) -> str | None:
        return next((each for each in _spellings(path) if each in self._files), None)


def _sources_of(path: str) -> Iterator[str]:
    """Where a file that a build makes may come from: `dist/esm/a.js` from `src/a` or `a`."""
    *folders, name = path.split("/")
    built = next((n for n, folder in enumerate(folders) if folder in _BUILT), None)
    if built is None:
        return
    stem = next((name.removesuffix(end) for end in _MADE if name.endswith(end)), name)
    inner = [*(each for each in folders[built:] if each not in _BUILT), stem]
    for source in (["src"], []):
        yield "/".join([*folders[:built], *source, *inner])


def _substituted(pattern: str, targets: Collection[str], specifier: str) -> Iterator[str]:
    head, star, tail = pattern.partition("*")
    if not star:
        if specifier == pattern:
            yield from targets
    elif specifier.startswith(head) and specifier.endswith(tail):
        middle = specifier[len(head) : len(specifier) - len(tail)]
        yield from (target.replace("*", middle) for target in targets)


def _spellings(path: str) -> Iterator[str]:
    for written, meant in _WRITTEN_FOR.items():
        if path.endswith(written):
            yield from (path.removesuffix(written) + ending for ending in meant)
    yield path
    yield from (path + ending for ending in _ENDINGS)
    yield from (inside(path, f"index{ending}") for ending in _ENDINGS)
