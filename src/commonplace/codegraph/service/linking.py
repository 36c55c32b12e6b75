"""Files of a resource and of its neighbours linked to each other, one run at a time in an org."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from commonplace.codegraph.keeping.extracted import Extracted, by_document
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

_LINKED_AT_ONCE = 40
# A process that was killed keeps its turn for so long at most.
_TURN_SECONDS = 60.0
_MOST_NAMESAKES = 20_000


class GraphLinking:
    """Links what waits, and hands out the linker to whoever asks about links only."""

    def __init__(self, store: Store, memory: FactsMemory) -> None:
        self._store = store
        self._memory = memory
        self._laid_out: tuple[tuple[object, ...], Mapping[str, Layout]] | None = None

    @contextmanager
    def alone(self, actor: Actor, call: Call) -> Iterator[Call]:
        """One run at a time in an org, whichever process it is in: each reads what others keep."""
        name = f"codegraph/{actor.org}"
        with wait_for_lease(self._store, name, _TURN_SECONDS, call) as lease:
            yield lease.guard(call)

    def remember(self, extracted: Extracted) -> None:
        """Have the facts of a file at hand, instead of those it had before."""
        file = extracted.file
        self._memory.put(file, located(file.resource_key, file.path), extracted.facts)

    def around(self, tx: Transaction, resource_key: int) -> Neighbourhood:
        """A resource with all that it may link to, as it is kept now."""
        keys = neighbours(tx.attachments.all(), resource_key)
        files = tx.code_files.of_resources(keys)
        return around_of(resource_key, keys, files, self._layouts(tx, keys, files))

    def _layouts(
        self, tx: Transaction, keys: Sequence[int], files: Sequence[CodeFile]
    ) -> Mapping[str, Layout]:
        """Read from the manifests, unless they are those of the last time."""
        manifests = [file for file in files if file.language == MANIFEST]
        told = (*keys, *((file.key, file.path, file.content_hash) for file in manifests))
        known = self._laid_out
        if known is None or known[0] != told:
            texts = tx.code_files.facts([file.key for file in manifests])
            known = self._laid_out = (told, layouts_of(keys, manifests, texts))
        return known[1]

    def link(
        self, actor: Actor, resource_key: int, call: Call, known: Neighbourhood | None = None
    ) -> None:
        """`known` is what was around before files were marked; nobody else changes it meanwhile."""
        with self._store.read(actor) as tx:
            if known is None:
                around = self.around(tx, resource_key)
            else:
                around = known.renewed((), tx.code_files.waiting(known.keys))
        waiting = [file for file in around.files if not file.linked]
        kept = _Kept(self._store, actor, around)
        linker = Linker(around, self._memory, kept)
        for start in range(0, len(waiting), _LINKED_AT_ONCE):
            call.progress(start, len(waiting), "linking code")
            portion = waiting[start : start + _LINKED_AT_ONCE]
            kept.prepare([file.key for file in portion])
            linker.forget_most()
            linked = []
            for file in portion:
                call.check()
                with gc_paused():
                    linked.append(linker.linked(file))
            with self._store.write(actor) as tx:
                for file, tally, edges in linked:
                    tx.graph.put_edges(file.key, edges)
                    tx.code_files.settle(file, tally)
                call.check()

    def linker(self, actor: Actor, around: Neighbourhood, files: Sequence[CodeFile]) -> Linker:
        kept = _Kept(self._store, actor, around)
        kept.prepare([file.key for file in files])
        return Linker(around, self._memory, kept)


class _Kept:
    """Implements linker.Fetch over one store."""

    def __init__(self, store: Store, actor: Actor, around: Neighbourhood) -> None:
        self._store, self._actor, self._resource_keys = store, actor, around.keys
        self._symbols: dict[int, list[Symbol]] = {}
        self._compiled: dict[int, bytes] = {}

    def prepare(self, files: Sequence[int]) -> None:
        """Have at hand what is needed of the files that are linked next, and of no others."""
        with self._store.read(self._actor) as tx:
            self._symbols = by_document(tx.graph.symbols_of(files))
            self._compiled = {
                each.document_key: each.data for each in tx.code_files.compiled(files)
            }

    def facts(self, document_key: int) -> bytes:
        with self._store.read(self._actor) as tx:
            return tx.code_files.facts([document_key])[document_key]

    def symbols(self, document_key: int) -> list[Symbol]:
        if document_key in self._symbols:
            return self._symbols[document_key]
        with self._store.read(self._actor) as tx:
            return tx.graph.symbols_of([document_key])

    def named(self, names: Sequence[str]) -> list[Symbol]:
        with self._store.read(self._actor) as tx:
            return tx.graph.named(names, self._resource_keys, _MOST_NAMESAKES)

    def compiled(self, document_key: int) -> bytes | None:
        return self._compiled.get(document_key)
