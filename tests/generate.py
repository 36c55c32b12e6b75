"""Deterministic test data: texts, drafts and vectors, and functions that store them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.model.actor import Actor
from commonplace.model.chunk import (
    ChunkDraft,
    ChunkMetadata,
    Indexed,
    Owner,
    OwnerType,
    PendingChunk,
    Position,
    Urgency,
)
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind, Place, Visibility
from commonplace.model.source import Origin, SourceDraft, SourceScope, SourceType
from commonplace.storage.port import Store, Transaction
from commonplace.text.analyse import analyse, exact_words, trigrams

Vector = NDArray[np.float32]

ALICE = Actor(org="acme", agent="alice", client="test-client")
BOB = Actor(org="acme", agent="bob", client="test-client")
EVE = Actor(org="umbrella", agent="eve", client="test-client")
SYSTEM = Actor(org="system", agent="keeper", client="test-client")

MODEL = "test-model-32-r1"
DIMENSION = 32

_VOCABULARY = """
retry backoff queue worker lease timeout database index vector token cache parser migration
schema tenant policy deploy rollback release branch merge review search ranking score snippet
chunk entry note archive restore purge upload digest hash
"""
_WORDS = _VOCABULARY.split()


def text_of(seed: int, words: int = 12) -> str:
    """Some words, and one word that no other text has."""
    source = random.Random(seed)
    return " ".join([f"unique{seed}", *source.choices(_WORDS, k=words)])


def some_word(seed: int) -> str:
    return random.Random(seed).choice(_WORDS)


def unit(vector: NDArray[Any]) -> Vector:
    scaled: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return scaled


def unit_vectors(count: int, seed: int = 0, dimension: int = DIMENSION) -> list[Vector]:
    rows = np.random.default_rng(seed).normal(size=(count, dimension))
    return [unit(row) for row in rows]


def unit_vector(seed: int) -> Vector:
    return unit_vectors(1, seed)[0]


def axis(number: int) -> Vector:
    return unit(np.eye(DIMENSION)[number])


def near(target: Vector, cosine: float, seed: int = 0) -> Vector:
    """A vector at a known cosine from another."""
    other = unit_vector(seed + 10_000)
    across = unit(other - (other @ target) * target)
    return unit(cosine * target + np.sqrt(1 - cosine**2) * across)


def entry_draft(id: str, kind: EntryKind = EntryKind.NOTE, **content: Any) -> EntryDraft:
    given = {"title": f"Title of {id}", "body": f"Body of {id}", **content}
    return EntryDraft(id=id, kind=kind, content=EntryContent(**given))


def chunk_draft(
    text: str, *, context: str = "", ordinal: int = 0, urgency: Urgency = Urgency.FRESH
) -> ChunkDraft:
    return ChunkDraft(
        ordinal=ordinal,
        text=text,
        context=context,
        position=Position(char_start=0, char_end=len(text), line_start=1, line_end=2, page=3),
        token_count=len(text.split()),
        text_hash=hashlib.sha256(f"{context}\n{text}".encode()).hexdigest(),
        indexed=Indexed(
            terms=" ".join(analyse(text)),
            context_terms=" ".join(analyse(context)),
            words=" ".join(exact_words(f"{context} {text}")),
            title_grams=" ".join(trigrams(context)),
        ),
        urgency=urgency,
    )


def metadata(agent: str = "alice", kind: str = "note", **given: Any) -> ChunkMetadata:
    return ChunkMetadata(kind=kind, agent=agent, **given)


def owner_of(entry: Entry) -> Owner:
    return Owner(OwnerType.ENTRY, entry.key)


def metadata_of(entry: Entry) -> ChunkMetadata:
    content = entry.content
    return ChunkMetadata(
        kind=entry.kind.value,
        agent=entry.agent,
        visibility=content.visibility,
        place=content.place,
        tags=content.tags,
        superseded=entry.head is not None,
        expires_at=content.expires_at,
        category=content.category,
    )


def put_chunk(tx: Transaction, owner_key: int, text: str, **given: Any) -> Owner:
    """Store one chunk of a document, written by the transaction's agent."""
    owner = Owner(OwnerType.DOCUMENT, owner_key)
    shown = metadata(**{"agent": tx.actor.agent, **given})
    tx.chunks.replace(owner, shown, [chunk_draft(text)])
    return owner


def keys_of(tx: Transaction, *owners: Owner) -> list[int]:
    """The keys of the chunks of some owners."""
    from commonplace.model.query import Filter

    everything = Filter(include_superseded=True, include_expired=True)
    found = tx.chunks.fetch(list(range(1, 10_000)), everything)
    return [chunk.key for chunk in found if chunk.owner in owners]


def embed_all(
    store: Store,
    actor: Actor,
    windows_of: Callable[[PendingChunk], Sequence[Vector]],
    model: str = MODEL,
) -> int:
    """Give every due chunk of an org its vectors, as a worker would."""
    done = 0
    with store.write(actor) as tx:
        for urgency in Urgency:
            claimed = tx.vectors.claim(urgency, 100_000, tx.now + timedelta(minutes=5))
            done += sum(tx.vectors.put(model, chunk, windows_of(chunk)) for chunk in claimed)
    return done


def generated_content(seed: int) -> EntryContent:
    """Content that varies in every field that filters use."""
    source = random.Random(seed)
    return EntryContent(
        title=f"{source.choice(_WORDS)} {source.choice(_WORDS)}",
        body=text_of(seed, words=source.randint(4, 30)),
        tags=tuple(
            sorted(source.sample(("red", "green", "blue", "ünï code"), source.randint(0, 3)))
        ),
        visibility=source.choices(list(Visibility), (2, 6, 2))[0],
        place=Place(
            source.choice((None, "ws-1", "ws-2")),
            source.choice((None, "sp-1")),
            source.choice((None, None, "project-1")),
        ),
        confidence=round(source.random(), 3),
        category=source.choice((None, "win", "gotcha")),
    )


def source_draft(id: str, **changes: Any) -> SourceDraft:
    scope = changes.pop("scope", SourceScope.WORKSPACE)
    place = changes.pop("place", Place("ws_1"))
    origin = {"type": SourceType.FILE, "locator": f"{id}.txt", **changes}
    return SourceDraft(id, f"Name of {id}", scope, place, Origin(**origin))
