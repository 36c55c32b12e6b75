"""Steps on entries inside a transaction that the caller opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.embedding.port import ComputedVectors
from commonplace.knowledge.passages import chunks_of, metadata_of
from commonplace.knowledge.rules import permitted, present, unexpired
from commonplace.knowledge.supersession import Supersession, repointed, superseded
from commonplace.knowledge.values import Prepared
from commonplace.model.change import Operation
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType, Urgency
from commonplace.model.entry import Entry, EntryDraft, EntryKind
from commonplace.model.rights import Verb
from commonplace.storage.port import Transaction


def owner_of(entry: Entry) -> Owner:
    return Owner(OwnerType.ENTRY, entry.key)


def index(tx: Transaction, entry: Entry, urgency: Urgency = Urgency.FRESH) -> int:
    """Update the chunks of an entry (a hidden one has none); returns how many now wait for
    vectors."""
    return index_drafts(tx, entry, chunks_of(entry.kind, entry.content, urgency))


def index_drafts(tx: Transaction, entry: Entry, drafts: Sequence[ChunkDraft]) -> int:
    """Update an entry's chunks from drafts made before the transaction opened."""
    return tx.chunks.replace(
        owner_of(entry), metadata_of(entry), drafts if entry.searchable else []
    )


def delete_in(tx: Transaction, id: str, kind: EntryKind | None) -> Entry:
    entry = present(permitted(tx.entries.get(id, kind), tx.actor, Verb.REMOVE))
    entry = tx.entries.update(replace(entry, deleted_at=tx.now), Operation.DELETE)
    tx.chunks.remove(owner_of(entry))
    return entry


def insert_prepared(tx: Transaction, prepared: Prepared, id: str) -> Entry:
    unexpired(prepared.content, tx.now)
    entry = tx.entries.insert(EntryDraft(id, prepared.kind, prepared.content))
    index_drafts(tx, entry, prepared.drafts)
    put_vectors(tx, entry, prepared)
    return entry


def put_vectors(tx: Transaction, entry: Entry, prepared: Prepared) -> None:
    if prepared.model is not None:
        lacking = tx.vectors.of_owner(owner_of(entry), prepared.model)
        made = ComputedVectors(prepared.model, prepared.vectors, previewed=prepared.previewed)
        tx.vectors.keep(made, lacking)


def replace_by(tx: Transaction, old: Entry, new: Entry) -> Supersession:
    """Let one entry supersede another; the caller has locked the chains and checked permissions."""
    successor = superseded(old, new)
    if successor is None:
        return Supersession(old.id, new.id, old.head or new.id, 0)
    head = successor.head or new.id
    followers = repointed(tx.entries.with_head(old.kind, old.id), head)
    changed = update_all(tx, [successor, *followers], Operation.SUPERSEDE)
    return Supersession(old.id, new.id, head, changed)


def update_all(tx: Transaction, entries: Sequence[Entry], operation: Operation) -> int:
    for entry in entries:
        index(tx, tx.entries.update(entry, operation))
    return len(entries)
