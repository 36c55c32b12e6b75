"""The code graph: derived from files, so that all of it can be made again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from commonplace.model.graph import CodeFile, Compiled, Edge, FileProblem, Symbol, Tally


class CodeFiles(Protocol):
    """Files of code with what was extracted of them; they go with their documents."""

    def of_resources(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        """Files of code, by resource and path."""
        ...

    def tallies(self, resource_keys: Sequence[int]) -> Mapping[int, Tally]:
        """What each file of code counts; nothing of those that were never linked."""
        ...

    def waiting(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        """Those whose links have to be made, by resource and path."""
        ...

    def problems(self, resource_keys: Sequence[int]) -> list[FileProblem]:
        """Those that are not read, or only in part, by resource and path."""
        ...

    def facts(self, keys: Sequence[int]) -> Mapping[int, bytes]: ...

    def put(self, file: CodeFile, facts: bytes) -> None:
        """Add or replace what was extracted of a file; it waits to be linked then."""
        ...

    def remove(self, keys: Sequence[int]) -> None:
        """Removes files with their symbols and edges."""
        ...

    def unlink(self, keys: Sequence[int]) -> None:
        """Let the edges of these files be made again."""
        ...

    def settle(self, file: CodeFile, tally: Tally) -> None:
        """Keep what its links depend on, and what it counts; it no longer waits."""
        ...

    def coverage(self, resource_keys: Sequence[int]) -> tuple[bool, bool]:
        """Whether there is any symbol, any edge, of the resources."""
        ...

    def keep_compiled(self, compiled: Sequence[Compiled]) -> None:
        """Add or replace what a compiler said of files."""
        ...

    def compiled(self, keys: Sequence[int]) -> list[Compiled]:
        """What a compiler said, only of files that are still what it has seen."""
        ...


class CodeGraphTables(Protocol):
    """Symbols and the edges between them."""

    def symbols_of(self, document_keys: Sequence[int]) -> list[Symbol]:
        """Symbols of documents, by document and number."""
        ...

    def symbols(self, keys: Sequence[int]) -> Mapping[int, Symbol]: ...

    def named(self, names: Sequence[str], resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        """Symbols that have one of the names, in any letter case."""
        ...

    def put_symbols(self, symbols: Sequence[Symbol]) -> None:
        """Add, or replace those of the same key."""
        ...

    def remove_symbols(self, keys: Sequence[int]) -> None:
        """Edges that led to them are unresolved then."""
        ...

    def put_edges(self, document_key: int, edges: Sequence[Edge]) -> None:
        """Stores a file's edges in place of all that it had."""
        ...

    def edges_to(
        self, target_keys: Sequence[int], resource_keys: Sequence[int], limit: int
    ) -> list[Edge]:
        """Edges to symbols from files of the resources, the surest first."""
        ...

    def edges_from(self, document_keys: Sequence[int]) -> list[Edge]:
        """Edges from symbols, in the order of the files."""
        ...

    def users_of_names(self, names: Sequence[str], resource_keys: Sequence[int]) -> list[int]:
        """Documents of the resources that use one of the names, whatever it leads to."""
        ...

    def edges_unlinked(self, name: str, resource_keys: Sequence[int], limit: int) -> list[Edge]:
        """The uses of a name that lead to no symbol, in the order of the files."""
        ...

    def unused(self, resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        """Symbols that nothing but themselves uses, and whose name no unlinked use bears."""
        ...

    def imports(self, resource_keys: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        """Which document imports which other, and the first line that does, in their order."""
        ...

    def unlinked(self, name: str, resource_keys: Sequence[int]) -> int:
        """How many uses of a name in files of the resources lead to no symbol."""
        ...
