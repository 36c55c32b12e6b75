"""Links the files of a resource and its neighbours, one run at a time in an org."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from commonplace.codegraph.keeping.extracted import Extracted, by_document
from commonplace.codegraph.keeping.fresh_symbols import FreshSymbols
from commonplace.codegraph.keeping.garbage import gc_paused
from commonplace.codegraph.keeping.linker import Linker
from commonplace.codegraph.keeping.memory import FactsMemory
from commonplace.codegraph.keeping.neighbourhood import Neighbourhood, around_of, layouts_of
from commonplace.codegraph.keeping.neighbours import MANIFEST, located, neighbours
from commonplace.codegraph.resolution.layout import Layout
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.graph import CodeFile, Symbol
from commonplace.storage.port import Store, Transaction
from commonplace.storage.port.leases import wait_for_lease

_BATCH = 40
# A killed process blocks others for this long at most.
_LEASE_SECONDS = 60.0
_MAX_NAMESAKES = 20_000


class GraphLinking:
    """Links the files that wait for it, and provides the linker for reading links."""

    def __init__(self, store: Store, memory: FactsMemory) -> None:
        self._store = store
        self._memory = memory
        self._known_layouts: tuple[tuple[object, ...], Mapping[str, Layout]] | None = None

    @contextmanager
    def alone(self, actor: Actor, call: Call) -> Iterator[Call]:
        """Hold the lease of an org: runs read what others store, so only one at a time may run."""
        name = f"codegraph/{actor.org}"
        with wait_for_lease(self._store, name, _LEASE_SECONDS, call) as lease:
            yield lease.guard(call)

    def remember(self, extracted: Extracted) -> None:
        """Put the new facts of a file into the cache."""
        file = extracted.file
        self._memory.put(file, located(file.resource_key, file.path), extracted.facts)

    def around(self, tx: Transaction, resource_key: int) -> Neighbourhood:
        """The stored state of a resource and all resources that it may link to."""
        keys = neighbours(tx.attachments.all(), resource_key)
        files = tx.code_files.of_resources(keys)
        return around_of(resource_key, keys, files, self._layouts(tx, keys, files))

    def _layouts(
        self, tx: Transaction, keys: Sequence[int], files: Sequence[CodeFile]
    ) -> Mapping[str, Layout]:
        """The layouts that the manifests describe, cached until a manifest changes."""
        manifests = [file for file in files if file.language == MANIFEST]
        version = (*keys, *((file.key, file.path, file.content_hash) for file in manifests))
        known = self._known_layouts
        if known is None or known[0] != version:
            texts = tx.code_files.facts([file.key for file in manifests])
            known = self._known_layouts = (version, layouts_of(keys, manifests, texts))
        return known[1]

    def link(
        self,
        actor: Actor,
        resource_key: int,
        call: Call,
        known: Neighbourhood | None = None,
        fresh: FreshSymbols | None = None,
    ) -> None:
        """Link all waiting files.

        `known` is the neighbourhood before files were marked, `fresh` has symbols that were just
        stored; the lease keeps both valid.
        """
        with self._store.read(actor) as tx:
            if known is None:
                around = self.around(tx, resource_key)
            else:
                around = known.renewed((), tx.code_files.waiting(known.keys))
        waiting = [file for file in around.files if not file.linked]
        fetch = _StoreFetch(self._store, actor, around, fresh)
        linker = Linker(around, self._memory, fetch)
        for start in range(0, len(waiting), _BATCH):
            call.progress(start, len(waiting), "linking code")
            batch = waiting[start : start + _BATCH]
            fetch.prepare([file.key for file in batch])
            linker.forget_most()
            linked = []
            for file in batch:
                call.check()
                with gc_paused():
                    linked.append(linker.linked(file))
            with self._store.write(actor) as tx, gc_paused():
                for file, lookups, tally, edges in linked:
                    tx.graph.put_edges(file.key, edges)
                    tx.code_files.settle(file, lookups, tally)
                call.check()

    def linker(self, actor: Actor, around: Neighbourhood, files: Sequence[CodeFile]) -> Linker:
        fetch = _StoreFetch(self._store, actor, around)
        fetch.prepare([file.key for file in files])
        return Linker(around, self._memory, fetch)


class _StoreFetch:
    """Implements Fetch of the linker."""

    def __init__(
        self,
        store: Store,
        actor: Actor,
        around: Neighbourhood,
        fresh: FreshSymbols | None = None,
    ) -> None:
        self._store, self._actor, self._resource_keys = store, actor, around.keys
        self._fresh = fresh or FreshSymbols()
        self._symbols: dict[int, list[Symbol]] = {}
        self._compiled: dict[int, bytes] = {}

    def prepare(self, files: Sequence[int]) -> None:
        """Load the data of the files that are linked next, and drop that of others."""
        with self._store.read(self._actor) as tx, gc_paused():
            self._symbols = by_document(tx.graph.symbols_of(self._fresh.missing(files)))
            self._compiled = {
                each.document_key: each.data for each in tx.code_files.compiled(files)
            }

    def facts(self, document_key: int) -> bytes:
        with self._store.read(self._actor) as tx:
            return tx.code_files.facts([document_key])[document_key]

    def symbols(self, document_key: int) -> Sequence[Symbol]:
        known = self._fresh.get(document_key) or self._symbols.get(document_key)
        if known is not None:
            return known
        with self._store.read(self._actor) as tx:
            return tx.graph.symbols_of([document_key])

    def named(self, names: Sequence[str]) -> list[Symbol]:
        with self._store.read(self._actor) as tx:
            return tx.graph.named(names, self._resource_keys, _MAX_NAMESAKES)

    def compiled(self, document_key: int) -> bytes | None:
        return self._compiled.get(document_key)
