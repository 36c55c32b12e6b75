"""The graph as SCIP indexes: written for others, and what compilers wrote taken in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.scip.compiled import (
    LEAST_AGREEMENT,
    Defined,
    agreement,
    rooted,
    uses_in,
)
from commonplace.codegraph.scip.protobuf import Malformed
from commonplace.codegraph.scip.scip import documents_of, written
from commonplace.codegraph.scip.scip_export import document_of, names_of
from commonplace.codegraph.service.linking import GraphLinking, around_resource
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.graph import Compiled
from commonplace.model.workspace import Resource
from commonplace.storage.port import Store


@dataclass(frozen=True, slots=True)
class Taken:
    """How many files of an index count, fit no version that we have, or are not ours."""

    files: int
    other_versions: int
    elsewhere: int


class ScipExchange:
    """Exports the graph of a resource, and lets what a compiler says of it count."""

    def __init__(self, store: Store, linking: GraphLinking) -> None:
        self._store = store
        self._linking = linking

    def exported(self, actor: Actor, resource: Resource, version: str) -> Iterator[bytes]:
        """A SCIP index of a resource, piece by piece."""
        with self._store.read(actor) as tx:
            around = around_resource(tx, resource.key)
        files = [f for f in around.paths.values() if f.resource_key == resource.key]
        linker = self._linking.linker(actor, around, files)
        names = {file.key: names_of(file.path, linker.symbols(file)) for file in files}

        def name(target: DefinitionKey) -> str | None:
            return names.get(linker.place(target).key, {}).get(target.number)

        documents = (
            document_of(
                file.path, linker.facts(file), linker.symbols(file), linker.links(file).links, name
            )
            for file in files
        )
        return written(documents, resource.locator, version)

    def take_compiled(
        self, actor: Actor, resource: Resource, index: bytes, call: Call = PLAIN_CALL
    ) -> Taken:
        """Let what a compiler says of files count; of other versions of them it does not."""
        try:
            documents = list(documents_of(index))
        except Malformed as error:
            raise InvalidArgument(f"The file is no SCIP index: {error}.", field="file") from None
        with self._linking.alone(actor, call) as guarded:
            with self._store.read(actor) as tx:
                around = around_resource(tx, resource.key)
            files = {f.path: f for f in around.paths.values() if f.resource_key == resource.key}
            linker = self._linking.linker(actor, around, [])
            known = rooted(documents, files)
            facts = {path: linker.facts(files[path]) for path in known}
            fitting = {p: d for p, d in known.items() if agreement(d, facts[p]) >= LEAST_AGREEMENT}
            defined = Defined.among(known, facts)
            with self._store.write(actor) as tx:
                tx.code_files.keep_compiled(
                    [
                        Compiled(files[p].key, files[p].content_hash, uses_in(each, defined))
                        for p, each in fitting.items()
                    ]
                )
                tx.code_files.unlink([files[path].key for path in fitting])
                guarded.check()
            self._linking.link(actor, resource.key, guarded)
        return Taken(len(fitting), len(known) - len(fitting), len(documents) - len(known))
