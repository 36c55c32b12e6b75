"""The code graph, over named statements: files, symbols and edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any

from commonplace.model.graph import CodeFile, Compiled, Edge, FileProblem, Symbol, Tally
from commonplace.storage.session import Codec, Row, Session

_MOST_DOCUMENTS = 500  # fetched in one statement


class CodeFileTable:
    """Implements port.CodeFiles."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of_resources(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        return self._files("code_files_of", resource_keys)

    def waiting(self, resource_keys: Sequence[int]) -> list[CodeFile]:
        return self._files("code_files_waiting", resource_keys)

    def _files(self, statement: str, resource_keys: Sequence[int]) -> list[CodeFile]:
        codec = self._session.codec
        rows = self._session.rows(statement, resource_keys=codec.array(resource_keys))
        return [_file_of(row, codec) for row in rows]

    def tallies(self, resource_keys: Sequence[int]) -> Mapping[int, Tally]:
        codec = self._session.codec
        rows = self._session.rows("tallies_of", resource_keys=codec.array(resource_keys))
        return {row["document_key"]: _tally_of(codec.read_document(row["tally"])) for row in rows}

    def problems(self, resource_keys: Sequence[int]) -> list[FileProblem]:
        keys = self._session.codec.array(resource_keys)
        rows = self._session.rows("code_problems_of", resource_keys=keys)
        return [
            FileProblem(row["resource_key"], row["document_key"], row["path"], row["problem"])
            for row in rows
        ]

    def facts(self, keys: Sequence[int]) -> Mapping[int, bytes]:
        rows = self._session.rows("facts_of", keys=self._session.codec.array(keys))
        return {row["document_key"]: bytes(row["facts"]) for row in rows}

    def specifiers(self, resource_keys: Sequence[int]) -> Mapping[int, Sequence[str]]:
        codec = self._session.codec
        rows = self._session.rows("specifiers_of", resource_keys=codec.array(resource_keys))
        return {row["document_key"]: codec.read_array(row["specifiers"]) for row in rows}

    def lookups(self, keys: Sequence[int]) -> Mapping[int, str | None]:
        rows = self._session.rows("lookups_of", keys=self._session.codec.array(keys))
        return {row["document_key"]: row["lookups"] for row in rows}

    def put(self, file: CodeFile, specifiers: Sequence[str], facts: bytes) -> None:
        self._session.run(
            "put_code_file",
            document_key=file.key,
            resource_key=file.resource_key,
            path=file.path,
            language=file.language,
            content_hash=file.content_hash,
            version=file.version,
            package=file.package,
            interface=file.interface,
            problem=file.problem,
            specifiers=self._session.codec.array(specifiers),
            facts=facts,
        )

    def remove(self, keys: Sequence[int]) -> None:
        self._session.run("remove_code_files", keys=self._session.codec.array(keys))

    def unlink(self, keys: Sequence[int]) -> None:
        if keys:
            self._session.run("unlink_code_files", keys=self._session.codec.array(keys))

    def settle(self, file: CodeFile, lookups: str | None, tally: Tally) -> None:
        codec = self._session.codec
        self._session.run(
            "settle_code_file",
            document_key=file.key,
            reads=codec.array(file.reads),
            packages=codec.array(file.packages),
            tally=codec.document(_settled_row(lookups, tally)),
        )

    def coverage(self, resource_keys: Sequence[int]) -> tuple[bool, bool]:
        row = self._session.row(
            "graph_coverage", resource_keys=self._session.codec.array(resource_keys)
        )
        assert row is not None, "asking whether there is something always gives a row"
        return bool(row["symbols"]), bool(row["edges"])

    def put_compiled(self, compiled: Sequence[Compiled]) -> None:
        self._session.run_many(
            "put_compiled_file",
            [
                {
                    "document_key": each.document_key,
                    "content_hash": each.content_hash,
                    "data": each.data,
                }
                for each in compiled
            ],
        )

    def compiled(self, keys: Sequence[int]) -> list[Compiled]:
        rows = self._session.rows("compiled_files_of", keys=self._session.codec.array(keys))
        return [
            Compiled(row["document_key"], row["content_hash"], bytes(row["data"])) for row in rows
        ]


class GraphTable:
    """Implements port.CodeGraphTables."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def symbols_of(self, document_keys: Sequence[int]) -> list[Symbol]:
        rows = self._of_documents("symbols_of_documents", document_keys)
        return [_symbol_of(row) for row in rows]

    def symbols(self, keys: Sequence[int]) -> Mapping[int, Symbol]:
        rows = self._session.rows("symbols_by_keys", keys=self._session.codec.array(keys))
        return {row["key"]: _symbol_of(row) for row in rows}

    def named(self, names: Sequence[str], resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        codec = self._session.codec
        rows = self._session.rows(
            "symbols_named",
            names=codec.array([name.casefold() for name in names]),
            resource_keys=codec.array(resource_keys),
            limit=limit,
        )
        return [_symbol_of(row) for row in rows]

    def put_symbols(self, symbols: Sequence[Symbol]) -> None:
        self._session.run_many("put_symbol", [_symbol_row(each) for each in symbols])

    def remove_symbols(self, keys: Sequence[int]) -> None:
        if keys:
            given = self._session.codec.array(keys)
            self._session.run("release_edges", keys=given)
            self._session.run("remove_symbols", keys=given)

    def put_edges(self, document_key: int, edges: Sequence[Edge]) -> None:
        codec = self._session.codec
        self._session.run("remove_edges", document_key=document_key)
        self._session.run_many(
            "put_edge",
            [_edge_row(each, ordinal, codec) for ordinal, each in enumerate(edges)],
        )

    def edges_to(
        self, target_keys: Sequence[int], resource_keys: Sequence[int], limit: int
    ) -> list[Edge]:
        codec = self._session.codec
        rows = self._session.rows(
            "edges_to",
            keys=codec.array(target_keys),
            resource_keys=codec.array(resource_keys),
            limit=limit,
        )
        return [_edge_of(row, codec) for row in rows]

    def edges_from(self, document_keys: Sequence[int]) -> list[Edge]:
        rows = self._of_documents("edges_of_documents", document_keys)
        return [_edge_of(row, self._session.codec) for row in rows]

    def users_of_names(self, names: Sequence[str], resource_keys: Sequence[int]) -> list[int]:
        codec = self._session.codec
        rows = self._session.rows(
            "documents_using",
            names=codec.array(names),
            resource_keys=codec.array(resource_keys),
        )
        return [row["document_key"] for row in rows]

    def unlinked_edges(self, name: str, resource_keys: Sequence[int], limit: int) -> list[Edge]:
        codec = self._session.codec
        keys = codec.array(resource_keys)
        rows = self._session.rows("edges_unlinked", name=name, resource_keys=keys, limit=limit)
        return [_edge_of(row, codec) for row in rows]

    def unused(self, resource_keys: Sequence[int], limit: int) -> list[Symbol]:
        keys = self._session.codec.array(resource_keys)
        rows = self._session.rows("unused_symbols", resource_keys=keys, limit=limit)
        return [_symbol_of(row) for row in rows]

    def imports(self, resource_keys: Sequence[int], limit: int) -> list[tuple[int, int, int]]:
        codec = self._session.codec
        keys = codec.array(resource_keys)
        rows = self._session.rows("module_imports", resource_keys=keys, limit=limit)
        return [
            (row["importer"], row["imported"], int(codec.read_array(row["lines"])[0]))
            for row in rows
        ]

    def count_unlinked(self, name: str, resource_keys: Sequence[int]) -> int:
        keys = self._session.codec.array(resource_keys)
        row = self._session.row("count_unlinked", name=name, resource_keys=keys)
        return int(row["uses"]) if row else 0

    def _of_documents(self, statement: str, keys: Sequence[int]) -> list[Row]:
        found: list[Row] = []
        for start in range(0, len(keys), _MOST_DOCUMENTS):
            some = self._session.codec.array(keys[start : start + _MOST_DOCUMENTS])
            found += self._session.rows(statement, keys=some)
        return found


def _file_of(row: Row, codec: Codec) -> CodeFile:
    return CodeFile(
        key=row["document_key"],
        resource_key=row["resource_key"],
        path=row["path"],
        language=intern(row["language"]),
        content_hash=row["content_hash"],
        version=row["version"],
        package=row["package"],
        interface=row["interface"],
        problem=row["problem"],
        reads=tuple(codec.read_array(row["reads"])),
        packages=tuple(codec.read_array(row["packages"])),
        linked=bool(row["linked"]),
    )


def _settled_row(lookups: str | None, tally: Tally) -> dict[str, Any]:
    """The counts of a file, and the digest of the names that its links looked up."""
    return {
        "asked": lookups,
        "symbols": dict(tally.symbols),
        "references": dict(tally.references),
        "resolved": tally.resolved,
        "across": {str(key): count for key, count in tally.across.items()},
    }


def _tally_of(row: Mapping[str, Any]) -> Tally:
    across = {int(key): count for key, count in row["across"].items()}
    return Tally(row["symbols"], row["references"], row["resolved"], across)


def _symbol_of(row: Row) -> Symbol:
    return Symbol(
        key=row["key"],
        document_key=row["document_key"],
        resource_key=row["resource_key"],
        number=row["number"],
        name=row["name"],
        path=row["path"],
        kind=row["kind"],
        exported=bool(row["exported"]),
        line=row["line"],
        column=row["column_at"],
        first_line=row["first_line"],
        last_line=row["last_line"],
        signature=row["signature"],
        doc=row["doc"],
    )


def _symbol_row(symbol: Symbol) -> dict[str, object]:
    return {
        "key": symbol.key,
        "document_key": symbol.document_key,
        "resource_key": symbol.resource_key,
        "number": symbol.number,
        "name": symbol.name,
        "folded": symbol.name.casefold(),
        "path": symbol.path,
        "kind": symbol.kind,
        "exported": symbol.exported,
        "line": symbol.line,
        "column_at": symbol.column,
        "first_line": symbol.first_line,
        "last_line": symbol.last_line,
        "signature": symbol.signature,
        "doc": symbol.doc,
    }


def _edge_of(row: Row, codec: Codec) -> Edge:
    return Edge(
        document_key=row["document_key"],
        resource_key=row["resource_key"],
        source_key=row["source_key"],
        name=row["name"],
        use=row["use"],
        target_key=row["target_key"],
        rank=row["rank"],
        resolution=row["resolution"],
        confidence=row["confidence"],
        lines=tuple(codec.read_array(row["lines"])),
    )


def _edge_row(edge: Edge, ordinal: int, codec: Codec) -> dict[str, object]:
    return {
        "document_key": edge.document_key,
        "ordinal": ordinal,
        "resource_key": edge.resource_key,
        "source_key": edge.source_key,
        "name": edge.name,
        "use": edge.use,
        "target_key": edge.target_key,
        "rank": edge.rank,
        "resolution": edge.resolution,
        "confidence": edge.confidence,
        "lines": codec.array(edge.lines),
    }
