"""The same generated population in any store: several orgs, everything that filters look at."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryDraft, EntryKind
from commonplace.model.query import Filter
from commonplace.storage.port import Store, Transaction
from tests.features.embedders import GramEmbedder
from tests.generate import (
    ALICE,
    BOB,
    EVE,
    SYSTEM,
    chunk_draft,
    embed_all,
    generated_content,
    metadata_of,
    owner_of,
)
from tests.stores import START

READERS = {"alice": ALICE, "bob": BOB, "eve": EVE, "system": SYSTEM}
SIZES = {"alice": 200, "bob": 80, "eve": 120, "system": 40}
LANGUAGES = (None, "python", "go")
EMBEDDER = GramEmbedder()
MODEL = EMBEDDER.identity.key
EVERYTHING = Filter(include_superseded=True, include_expired=True)
_PORTION = 100


def populate(store: Store) -> None:
    seed = 0
    for name, size in SIZES.items():
        for first in range(0, size, _PORTION):
            with store.write(READERS[name]) as tx:
                for _ in range(min(_PORTION, size - first)):
                    _add(tx, seed)
                    seed += 1
    for actor in (ALICE, EVE, SYSTEM):
        embed_all(store, actor, lambda chunk: EMBEDDER.embed_passages([chunk.text])[0], MODEL)


def _add(tx: Transaction, seed: int) -> None:
    dice = random.Random(-1 - seed)
    content = generated_content(seed)
    if dice.random() < 0.15:
        content = replace(content, expires_at=START + timedelta(days=dice.choice((-1, 1))))
    kind = dice.choice((EntryKind.NOTE, EntryKind.NOTE, EntryKind.ITEM, EntryKind.SKILL))
    entry = tx.entries.insert(EntryDraft(f"{tx.actor.agent}-{seed}", kind, content))
    if dice.random() < 0.15:
        entry = tx.entries.update(replace(entry, head="newer"), Operation.SUPERSEDE)
    _index(tx, entry, dice)
    if dice.random() < 0.05:
        tx.chunks.remove(owner_of(entry))
        tx.entries.update(replace(entry, deleted_at=tx.now), Operation.DELETE)


def _index(tx: Transaction, entry: Entry, dice: random.Random) -> None:
    words = entry.content.body.split()
    middle = len(words) // 2
    context = f"{entry.content.title} {' '.join(entry.content.tags)}"
    drafts = [
        chunk_draft(" ".join(part), context=context, ordinal=ordinal)
        for ordinal, part in enumerate((words[:middle], words[middle:]))
    ]
    shown = replace(metadata_of(entry), language=dice.choice(LANGUAGES))
    tx.chunks.replace(owner_of(entry), shown, drafts[: dice.randint(1, 2)])


def texts_of(tx: Transaction, keys: list[int]) -> list[str]:
    """Chunks by their texts, in the order of the keys: keys may differ between stores."""
    by_key = {chunk.key: chunk.text for chunk in tx.chunks.fetch(keys, EVERYTHING)}
    return [by_key[key] for key in keys]


def all_keys(tx: Transaction) -> list[int]:
    return [chunk.key for chunk in tx.chunks.fetch(range(1, 5000), EVERYTHING)]


def queries(count: int) -> list[str]:
    """Words that occur, some of them together with a word that only one text has."""
    dice = random.Random(7)
    bodies = [generated_content(seed).body.split() for seed in range(sum(SIZES.values()))]
    return [" ".join(dice.sample(dice.choice(bodies), dice.randint(1, 4))) for _ in range(count)]
