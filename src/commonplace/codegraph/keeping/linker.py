"""Links files one after the other, and loads what it needs of other files on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from commonplace.codegraph.extraction.coding import decoded
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.keeping.lookup_marks import encode_lookups
from commonplace.codegraph.keeping.memory import FactsMemory, RememberedFacts
from commonplace.codegraph.keeping.namesakes import StoredNamesakes
from commonplace.codegraph.keeping.neighbourhood import Neighbourhood
from commonplace.codegraph.keeping.neighbours import MANIFEST, located, packages_of
from commonplace.codegraph.keeping.rows import edges_of, tally_of
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.builds import BuildModule
from commonplace.codegraph.resolution.includes import Includes
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.resolution.modules import NeighbouringModules
from commonplace.codegraph.resolution.packages import Packages, package_of_mark
from commonplace.codegraph.resolution.resolve import Linked, LinkedProject, link_file
from commonplace.codegraph.scip.compiler_links import corrected, read_uses
from commonplace.model.graph import CodeFile, Edge, Symbol, Tally, document_of

# Limits of what is in memory of other files during linking: some tens of megabytes each.
_MOST_FACTS = 100_000  # definitions and references
_MOST_SYMBOLS = 50_000
_MOST_NAMES = 300_000  # of packages and of modules that re-export others


class Fetch(Protocol):
    """Loads stored facts and symbols of files."""

    def facts(self, document_key: int) -> bytes: ...

    def symbols(self, document_key: int) -> Sequence[Symbol]: ...

    def named(self, names: Sequence[str]) -> Sequence[Symbol]: ...

    def compiled(self, document_key: int) -> bytes | None:
        """The links of this version of the file from a compiler's index."""
        ...


class LinkedFile(NamedTuple):
    """A linked file with its dependencies; `lookups` is the digest of the names it looked up."""

    file: CodeFile
    lookups: str | None
    tally: Tally
    edges: list[Edge]


def _modules_around(around: Neighbourhood) -> Iterator[BuildModule]:
    for layout in around.layouts.values():
        yield from layout.modules


class Linker:
    """Links the files of a neighbourhood; barrels and packages are resolved once for all files."""

    def __init__(self, around: Neighbourhood, memory: FactsMemory, fetch: Fetch) -> None:
        self._around = around
        self._fetch = fetch
        self._facts = RememberedFacts(around.paths, memory, self._loaded)
        self._symbols: dict[int, dict[int, Symbol]] = {}
        self._fetched = 0
        self._places = {file.key: path for path, file in around.paths.items()}
        modules = NeighbouringModules(around.paths.keys(), around.layouts)
        self._namesakes = StoredNamesakes(fetch.named, self._places, around.paths)
        self._project = LinkedProject(
            self._facts,
            modules,
            Barrels(self._facts, modules.find),
            Packages(self._facts, packages_of(around.paths.values()), _modules_around(around)),
            self._namesakes,
            Includes(self._facts, modules.find),
            memory.indexes,
        )

    def forget_most(self) -> None:
        """Free the loaded data of other files if it is large; call this between two files."""
        if self._fetched > _MOST_SYMBOLS:
            self._symbols.clear()
            self._fetched = 0
        self._facts.forget_beyond(_MOST_FACTS)
        self._project.barrels.forget_beyond(_MOST_NAMES)
        self._project.packages.forget_beyond(_MOST_NAMES)
        self._namesakes.forget_beyond(_MOST_NAMES)

    def linked(self, file: CodeFile) -> LinkedFile:
        if file.language == MANIFEST:
            return LinkedFile(replace(file, linked=True), None, Tally(), [])
        facts = self.facts(file)
        linked = self.links(file)
        edges = edges_of(facts, linked, file.key, file.resource_key, self._key)
        paths = self._around.paths
        read = (paths[each].key for each in linked.reads if each in paths)
        packages = map(package_of_mark, linked.reads)
        settled = replace(
            file,
            reads=tuple(sorted(read)),
            packages=tuple(sorted(each for each in packages if each is not None)),
            linked=True,
        )
        tally = tally_of(self.symbols(file), edges, self._resource)
        return LinkedFile(settled, self._lookups(linked), tally, edges)

    def _lookups(self, linked: Linked) -> str | None:
        """The encoded name lookups of a file; None if any change may concern it."""
        if linked.lookups is None:
            return None
        paths = self._around.paths
        return encode_lookups(
            {
                str(paths[place].key) if place in paths else place: names
                for place, names in linked.lookups.items()
            }
        )

    def facts(self, file: CodeFile) -> FileFacts:
        return self._facts[located(file.resource_key, file.path)]

    def symbols(self, file: CodeFile) -> list[Symbol]:
        return list(self._symbols_of(file.key).values())

    def place(self, target: DefinitionKey) -> CodeFile:
        return self._around.paths[target.path]

    def links(self, file: CodeFile) -> Linked:
        """The links of a file, corrected by a compiler's index if there is one."""
        facts, path = self.facts(file), located(file.resource_key, file.path)
        self._namesakes.prepare(facts)
        linked = link_file(self._project, path)
        compiled = self._fetch.compiled(file.key)
        if compiled is None:
            return linked
        home = located(file.resource_key, "")
        links = corrected(linked.links, facts, read_uses(compiled), self._facts, home)
        targets = {target.path for link in links for target in link.targets} - {path}
        return replace(linked, links=links, reads=linked.reads | targets, lookups=None)

    def _key(self, target: DefinitionKey) -> int | None:
        symbol = self._symbols_of(self._around.paths[target.path].key).get(target.number)
        return symbol.key if symbol else None

    def _resource(self, symbol_key: int) -> int:
        return self._around.paths[self._places[document_of(symbol_key)]].resource_key

    def _symbols_of(self, document_key: int) -> dict[int, Symbol]:
        """The symbols of a file by their number in its facts."""
        if document_key not in self._symbols:
            symbols = self._fetch.symbols(document_key)
            self._symbols[document_key] = {symbol.number: symbol for symbol in symbols}
            self._fetched += len(symbols)
        return self._symbols[document_key]

    def _loaded(self, file: CodeFile, path: str) -> FileFacts:
        return decoded(path, self._fetch.facts(file.key)).facts
