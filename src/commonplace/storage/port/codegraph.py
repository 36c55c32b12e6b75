"""The ports for the code graph, all of which is derived from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from commonplace.model.graph import CodeFile, Compiled, Edge, FileProblem, Symbol, Tally


class CodeFiles(Protocol):
    """Files of code and the facts extracted from them; removed together with their documents."""

    def of_resources(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        """Files of code, ordered by resource and path."""
        ...

    def tallies(self, resource_keys: Sequence[int]) -> Mapping[int, Tally]:
        """What each file adds to the counts; empty for files that were never linked."""
        ...

    def waiting(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        """Files whose links are still to be computed, ordered by resource and path."""
        ...

    def problems(self, resource_keys: Sequence[int]) -> list[FileProblem]:
        """Files that could not be read, or only in part, ordered by resource and path."""
        ...

    def facts(self, keys: Sequence[int]) -> Mapping[int, bytes]: ...

    def specifiers(self, resource_keys: Sequence[int]) -> Mapping[int, Sequence[str]]:
        """The modules that each file names; files that name none are left out."""
        ...

    def lookups(self, keys: Sequence[int]) -> Mapping[int, str | None]:
        """A digest of the names that the links of each file looked up; None if unknown."""
        ...

    def put(self, file: CodeFile, specifiers: Sequence[str], facts: bytes) -> None:
        """Add or replace a file and its facts; it then waits to be linked."""
        ...

    def remove(self, keys: Sequence[int]) -> None:
        """Remove files with their symbols and edges."""
        ...

    def unlink(self, keys: Sequence[int]) -> None:
        """Mark files as waiting to be linked again."""
        ...

    def settle(self, file: CodeFile, lookups: str | None, tally: Tally) -> None:
        """Mark a file as linked, and store what its links depend on and what it counts."""
        ...

    def coverage(self, resource_keys: Sequence[int]) -> tuple[bool, bool]:
        """Whether the resources have any symbol, and whether they have any edge."""
        ...

    def put_compiled(self, compiled: Sequence[Compiled]) -> None:
        """Add or replace a compiler's data on files."""
        ...

    def compiled(self, keys: Sequence[int]) -> list[Compiled]:
        """A compiler's data on files that have not changed since."""
        ...


class CodeGraphTables(Protocol):
    """Symbols and the edges between them."""

    def symbols_of(self, document_keys: Sequence[int]) -> list[Symbol]:
        """Symbols of documents, ordered by document and number."""
        ...

    def symbols(self, keys: Sequence[int]) -> Mapping[int, Symbol]: ...

    def named(self, names: Sequence[str], resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        """Symbols with one of the names, ignoring case."""
        ...

    def put_symbols(self, symbols: Sequence[Symbol]) -> None:
        """Add symbols, replacing those with the same key."""
        ...

    def remove_symbols(self, keys: Sequence[int]) -> None:
        """Remove symbols; edges to them become unresolved."""
        ...

    def put_edges(self, document_key: int, edges: Sequence[Edge]) -> None:
        """Replace all edges of a file."""
        ...

    def edges_to(
        self, target_keys: Sequence[int], resource_keys: Sequence[int], limit: int
    ) -> list[Edge]:
        """Edges to symbols from files of the resources, most certain first."""
        ...

    def edges_from(self, document_keys: Sequence[int]) -> list[Edge]:
        """Edges from symbols of these documents, in file order."""
        ...

    def users_of_names(self, names: Sequence[str], resource_keys: Sequence[int]) -> list[int]:
        """Documents of the resources that use one of the names, resolved or not."""
        ...

    def unlinked_edges(self, name: str, resource_keys: Sequence[int], limit: int) -> list[Edge]:
        """The uses of a name that no symbol is known for, in file order."""
        ...

    def unused(self, resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        """Symbols that only they themselves use, and whose name occurs in no unresolved use."""
        ...

    def imports(self, resource_keys: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """Which document imports which, and the first line that does, in that order."""
        ...

    def count_unlinked(self, name: str, resource_keys: Sequence[int]) -> int:
        """How many uses of a name in the resources' files are unresolved."""
        ...
