"""SCIP out and in: read by the official schema, and a compiler's word before ours."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from commonplace.codegraph.scip.format import (
    Document,
    Occurrence,
    ScipRange,
    ScipRole,
    documents_of,
    index_chunks,
)
from commonplace.codegraph.scip.protobuf import fields
from commonplace.errors import InvalidArgument
from commonplace.storage.port import Store
from tests.features.codegraph.folders import Folder, graph_on, told

# The library comes without types.
descriptor_pb2: Any = import_module("google.protobuf.descriptor_pb2")
descriptor_pool: Any = import_module("google.protobuf.descriptor_pool")
message_factory: Any = import_module("google.protobuf.message_factory")

# The fields of the published schema that an index of ours uses: (number, type, repeated, message).
_T = descriptor_pb2.FieldDescriptorProto
SCHEMA: dict[str, dict[str, tuple[int, int, bool, str]]] = {
    "ToolInfo": {
        "name": (1, _T.TYPE_STRING, False, ""),
        "version": (2, _T.TYPE_STRING, False, ""),
    },
    "Metadata": {
        "version": (1, _T.TYPE_INT32, False, ""),
        "tool_info": (2, _T.TYPE_MESSAGE, False, "ToolInfo"),
        "project_root": (3, _T.TYPE_STRING, False, ""),
        "text_document_encoding": (4, _T.TYPE_INT32, False, ""),
    },
    "Occurrence": {
        "range": (1, _T.TYPE_INT32, True, ""),
        "symbol": (2, _T.TYPE_STRING, False, ""),
        "symbol_roles": (3, _T.TYPE_INT32, False, ""),
    },
    "SymbolInformation": {
        "symbol": (1, _T.TYPE_STRING, False, ""),
        "documentation": (3, _T.TYPE_STRING, True, ""),
        "kind": (5, _T.TYPE_INT32, False, ""),
        "display_name": (6, _T.TYPE_STRING, False, ""),
    },
    "Document": {
        "relative_path": (1, _T.TYPE_STRING, False, ""),
        "occurrences": (2, _T.TYPE_MESSAGE, True, "Occurrence"),
        "symbols": (3, _T.TYPE_MESSAGE, True, "SymbolInformation"),
        "language": (4, _T.TYPE_STRING, False, ""),
        "position_encoding": (6, _T.TYPE_INT32, False, ""),
    },
    "Index": {
        "metadata": (1, _T.TYPE_MESSAGE, False, "Metadata"),
        "documents": (2, _T.TYPE_MESSAGE, True, "Document"),
    },
}
FILES = {
    "src/lib.ts": """
        /** Opens the line. */
        export function connect(): number { return 1; }
        export class Client { send(): number { return connect(); } }
    """,
    "src/user.ts": """
        import { connect } from './lib';
        export function greet(client: any) { return connect() + client.send(); }
    """,
}


def official(data: bytes) -> Any:
    """The index as the protobuf library reads it."""
    file = descriptor_pb2.FileDescriptorProto(name="scip.proto", package="scip", syntax="proto3")
    for name, members in SCHEMA.items():
        described = file.message_type.add(name=name)
        for member, (number, kind, repeated, message) in members.items():
            label = _T.LABEL_REPEATED if repeated else _T.LABEL_OPTIONAL
            field = described.field.add(name=member, number=number, label=label)
            field.type = kind
            if message:
                field.type_name = f".scip.{message}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    index = message_factory.GetMessageClass(pool.FindMessageTypeByName("scip.Index"))()
    index.ParseFromString(data)
    return index


@pytest.fixture
def dialect() -> str:
    return "sqlite"


@pytest.fixture
def folder(store: Store) -> Folder:
    folder = Folder(store, graph_on(store))
    folder.write(FILES)
    return folder


def exported(folder: Folder) -> bytes:
    return b"".join(folder.graph.exchange.exported(folder.actor, folder.resource, "1.0"))


def test_the_official_schema_reads_what_is_exported(folder: Folder) -> None:
    index = official(exported(folder))
    assert index.metadata.tool_info.name == "commonplace"
    assert index.metadata.project_root == folder.resource.locator
    documents = {each.relative_path: each for each in index.documents}
    assert sorted(documents) == sorted(FILES)
    lib, user = documents["src/lib.ts"], documents["src/user.ts"]
    assert lib.language == "TypeScript"
    connect = next(each for each in lib.symbols if each.display_name == "connect")
    assert connect.symbol == "commonplace . . . `src/lib.ts`/connect()."
    assert list(connect.documentation) == ["Opens the line."]
    defined = [each for each in lib.occurrences if each.symbol == connect.symbol]
    assert [(list(each.range), each.symbol_roles) for each in defined] == [
        ([2, 16, 23], ScipRole.DEFINITION),
        ([3, 46, 53], ScipRole.READ),
    ]
    assert sum(each.symbol == connect.symbol for each in user.occurrences) == 2
    method = next(each for each in lib.symbols if each.display_name == "send")
    assert method.symbol == "commonplace . . . `src/lib.ts`/Client#send()."


def test_what_is_exported_is_read_back_by_ourselves(folder: Folder) -> None:
    documents = {each.path: each for each in documents_of(exported(folder))}
    mine = official(exported(folder))
    for document in mine.documents:
        read = documents[document.relative_path].occurrences
        assert [(list(o.place), o.symbol, int(o.roles)) for o in read] == [
            (list(o.range), o.symbol, o.symbol_roles) for o in document.occurrences
        ]


def compilers_word(path: str = "src/user.ts") -> bytes:
    """That `client.send()` is the method of Client, which nothing in the text says."""
    send = Occurrence(ScipRange(2, 63, 67), "npm . . Client#send().")
    lib = Document(
        "src/lib.ts",
        "TypeScript",
        (
            Occurrence(ScipRange(3, 22, 26), "npm . . Client#send().", ScipRole.DEFINITION),
            Occurrence(ScipRange(2, 16, 23), "npm . . connect().", ScipRole.DEFINITION),
        ),
    )
    calls = Occurrence(ScipRange(2, 44, 51), "npm . . connect().")
    user = Document(path, "TypeScript", (calls, send))
    return b"".join(index_chunks([lib, user], "file:///app", "1"))


def sends(folder: Folder) -> list[str]:
    return [line for line in told(folder) if " call send " in line]


def test_a_compilers_word_counts_until_the_file_changes(folder: Folder) -> None:
    assert all("-> ?" in line for line in sends(folder))
    taken = folder.graph.exchange.take_compiled(folder.actor, folder.resource, compilers_word())
    assert (taken.files, taken.other_versions, taken.elsewhere) == (2, 0, 0)
    (line,) = sends(folder)
    assert "Client.send (method)" in line.partition("->")[2]
    assert "compiler 1.000" in line
    folder.write({**FILES, "src/lib.ts": FILES["src/lib.ts"].replace("Opens", "\n Opens")})
    assert "compiler" in sends(folder)[0]
    folder.write({**FILES, "src/user.ts": FILES["src/user.ts"] + "\n// changed"})
    assert all("-> ?" in line for line in sends(folder))


def test_an_index_made_elsewhere_or_of_other_versions_does_not_count(folder: Folder) -> None:
    graph, actor, resource = folder.graph, folder.actor, folder.resource
    assert (
        graph.exchange.take_compiled(actor, resource, compilers_word("lib/other.ts")).elsewhere == 1
    )
    folder.write({**FILES, "src/user.ts": "\n\n\n" + FILES["src/user.ts"]})
    assert graph.exchange.take_compiled(actor, resource, compilers_word()).other_versions == 1


def test_an_index_made_above_our_folder_is_found(folder: Folder) -> None:
    above = b"".join(
        index_chunks(
            [Document(f"app/{each.path}", "", each.occurrences)
             for each in documents_of(compilers_word())], "file:///", "1",
        )
    )  # fmt: skip
    assert folder.graph.exchange.take_compiled(folder.actor, folder.resource, above).files == 2


@pytest.mark.parametrize("broken", [b"\x12\xff\xff", b"\x0f", b"\xff" * 20])
def test_a_file_that_is_no_index_is_refused(folder: Folder, broken: bytes) -> None:
    with pytest.raises(InvalidArgument, match="no SCIP index"):
        folder.graph.exchange.take_compiled(folder.actor, folder.resource, broken)


def test_fields_of_other_kinds_are_passed_over() -> None:
    assert list(fields(b"\x09" + b"\0" * 8 + b"\x15" + b"\0" * 4 + b"\x18\x05"))[-1] == (3, 5)


def test_an_index_of_our_own_fits_whole(folder: Folder) -> None:
    folder.write({**FILES, "src/empty.ts": "", "src/remark.ts": "// Nothing is here yet.\n"})
    taken = folder.graph.exchange.take_compiled(folder.actor, folder.resource, exported(folder))
    assert (taken.files, taken.other_versions, taken.elsewhere) == (4, 0, 0)
    silent = [Document("src/lib.ts", "TypeScript", ()), Document("src/user.ts", "TypeScript", ())]
    index = b"".join(index_chunks(silent, "file:///app", "1"))
    assert folder.graph.exchange.take_compiled(folder.actor, folder.resource, index).files == 0
