"""Answers people's questions about the store; read-only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.errors import NotFound
from commonplace.model.actor import Actor
from commonplace.model.entry import Entry
from commonplace.model.graph import Edge, Symbol
from commonplace.model.verdict import Peer
from commonplace.model.workspace import Attached, FileState, KnowledgeType
from commonplace.operations.insight.neighbourhood import ImpactNode, SymbolNeighbourhood, SymbolNode
from commonplace.operations.insight.verdicts import ContributionVerdicts
from commonplace.storage.port import Store, Transaction

_MOST_NAMESAKES = 20
_MOST_EDGES = 400
_DRAWN = 12
_DEEP = 3
_WIDE = 12


class InsightService:
    def __init__(self, store: Store) -> None:
        self._store = store

    def chain(self, actor: Actor, entry: Entry) -> list[Entry]:
        """The supersession chain of an entry, oldest first."""
        with self._store.read(actor) as tx:
            return tx.entries.chain(entry.kind, entry.head or entry.id)

    def titles(self, actor: Actor, ids: Iterable[str]) -> dict[str, str]:
        """The titles of those entries that the actor may read."""
        with self._store.read(actor) as tx:
            found = [tx.entries.get(id) for id in dict.fromkeys(ids)]
        return {entry.id: entry.content.title for entry in found if entry}

    def verdicts_on(self, actor: Actor, entry: Entry) -> ContributionVerdicts:
        """The verdicts on a contribution, and on all work of its contributor."""
        with self._store.read(actor) as tx:
            contributor = tx.contributions.contributor_of(entry) or entry.agent
            verdicts = tx.verdicts.about([entry.key]).get(entry.key, [])
            peer = Peer(entry.org, contributor)
            theirs = [one for one in tx.verdicts.readable() if one.contributor == peer]
        confirmed = sum(one.valid for one in theirs)
        return ContributionVerdicts(contributor, tuple(verdicts), len(theirs), confirmed)

    def symbols(self, actor: Actor, name: str) -> list[SymbolNode]:
        """Symbols in attached code with that name, ignoring case."""
        with self._store.read(actor) as tx:
            found = tx.graph.named([name], _code(tx), _MOST_NAMESAKES)
            return _placed(tx, found)

    def neighbourhood(self, actor: Actor, key: int) -> SymbolNeighbourhood:
        """The direct users of a symbol, and the symbols that it uses directly."""
        with self._store.read(actor) as tx:
            centre, resources = _symbol(tx, key), _code(tx)
            arriving = tx.graph.edges_to([key], resources, _MOST_EDGES)
            leaving = [e for e in tx.graph.edges_from([centre.document_key]) if e.source_key == key]
            users = _known(tx, (edge.source_key for edge in arriving), key)
            used = _known(tx, _surest(leaving), key)
            (middle,) = _placed(tx, [centre])
            return SymbolNeighbourhood(
                middle,
                tuple(_placed(tx, users[:_DRAWN])),
                tuple(_placed(tx, used[:_DRAWN])),
                max(0, len(users) - _DRAWN),
                max(0, len(used) - _DRAWN),
            )

    def files(
        self, actor: Actor, attachment_id: str, after: str, limit: int
    ) -> tuple[Attached, list[FileState]]:
        """Files of an attachment, ordered by path, after a given path."""
        with self._store.read(actor) as tx:
            held = (one for one in tx.attachments.all() if one.attachment.id == attachment_id)
            attached = next(held, None)
            if attached is None:
                raise NotFound("There is no attachment with that id.")
            return attached, tx.files.after(attached.resource.key, after, limit)

    def impact(self, actor: Actor, key: int) -> ImpactNode:
        """The symbols that a change affects, directly or indirectly; each once, at its shortest
        distance."""
        with self._store.read(actor) as tx:
            (root,) = _placed(tx, [_symbol(tx, key)])
            return _reached(tx, root, _code(tx), {key}, _DEEP)


def _reached(
    tx: Transaction, node: SymbolNode, resources: Sequence[int], seen: set[int], deep: int
) -> ImpactNode:
    if not deep:
        return ImpactNode(node)
    edges = tx.graph.edges_to([node.symbol.key], resources, _MOST_EDGES)
    keys = [edge.source_key for edge in edges if edge.source_key not in seen]
    users = _placed(tx, _known(tx, keys, node.symbol.key)[:_WIDE])
    seen |= {user.symbol.key for user in users}
    below = (_reached(tx, user, resources, seen, deep - 1) for user in users)
    return ImpactNode(node, tuple(below))


def _code(tx: Transaction) -> list[int]:
    attached = (one.resource for one in tx.attachments.all())
    return [one.key for one in attached if one.knowledge_type is KnowledgeType.CODE]


def _symbol(tx: Transaction, key: int) -> Symbol:
    found = tx.graph.symbols([key]).get(key)
    if found is None or found.resource_key not in _code(tx):
        raise NotFound("No symbol with that key; the code has changed since.")
    return found


def _surest(edges: Iterable[Edge]) -> list[int | None]:
    ranked = sorted((edge for edge in edges if not edge.rank), key=lambda edge: -edge.confidence)
    return [edge.target_key for edge in ranked]


def _known(tx: Transaction, keys: Iterable[int | None], but: int) -> list[Symbol]:
    """The symbols with these keys, each once, in order."""
    wanted = [key for key in dict.fromkeys(keys) if key is not None and key != but]
    found = tx.graph.symbols(wanted)
    return [found[key] for key in wanted if key in found]


def _placed(tx: Transaction, symbols: Sequence[Symbol]) -> list[SymbolNode]:
    files = tx.files.get(sorted({symbol.document_key for symbol in symbols}))
    return [
        SymbolNode(symbol, files[symbol.document_key].path)
        for symbol in symbols
        if symbol.document_key in files
    ]
