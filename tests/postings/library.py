"""Posting lists for tests: made from the first chunk on, in pieces so small that they merge."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.entry import Visibility
from commonplace.model.query import USUAL_WIDTH, Filter
from commonplace.storage.port import Nearest, Store
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.postings.plan import PostingThresholds
from tests.generate import ALICE, BOB, MODEL, axis, embed_all, near, put_chunk

AT_ONCE = PostingThresholds(
    begin=0,
    everything=0,
    least=1,
    segment=16,
    alike=3,
    look_again_seconds=0.0,
    rest_seconds=0.0,
)


COUNT = 600
FILTERS = (
    Filter(tags=("rare",)),
    Filter(kinds=("item",)),
    Filter(any_tags=("rare", "common")),
    Filter(tags=("rare", "common")),
    Filter(tags=("rare",), kinds=("item",)),
    Filter(tags=("rare",), agent="bob"),
    Filter(tags=("rare",), include_superseded=True, include_expired=True),
    Filter(tags=("absent",)),
)


class WithoutLists(PostingLists):
    """Leaves every search to the store's own text index."""

    def search(self, *_: Any) -> None:
        return None

    def scoped(self, *_: Any) -> None:
        return None


def post_all(store: Store) -> int:
    """Bring the lists up to date; in how many steps."""
    steps = 0
    while store.maintain_postings():
        steps += 1
    return steps


def fill(store: Store) -> None:
    """Chunks that differ in everything that decides whether they may be found."""
    for actor, first in ((ALICE, 0), (BOB, 1)):
        with store.write(actor) as tx:
            for number in range(first, COUNT, 2):
                tags = [name for name, every in (("common", 3), ("rare", 20)) if not number % every]
                put_chunk(
                    tx,
                    number,
                    f"number {number}",
                    tags=tuple(tags),
                    kind="note" if number % 25 else "item",
                    visibility=Visibility.ORG if number % 7 else Visibility.PRIVATE,
                    superseded=number % 11 == 0,
                    expires_at=tx.now - timedelta(days=1) if number % 13 == 0 else None,
                )
    embed(store)


def embed(store: Store) -> None:
    embed_all(store, ALICE, lambda chunk: [near(axis(0), 0.9 - 0.001 * chunk.key, chunk.key)])


def change(store: Store) -> None:
    """What happens to chunks after their lists were made."""
    with store.write(ALICE) as tx:
        put_chunk(tx, 20, "number 20", tags=())
        put_chunk(tx, 22, "number 22", tags=("rare",))
        put_chunk(tx, 40, "an edited text", tags=("rare",))
        put_chunk(tx, 2_000, "number 2000", tags=("rare", "common"), kind="item")
    with store.write(ALICE) as tx:
        for number in (60, 100):
            tx.chunks.remove(Owner(OwnerType.DOCUMENT, number))
    embed(store)


def asked(store: Store, wanted: Filter, limit: int) -> Nearest:
    with store.read(ALICE) as tx:
        return tx.vectors.nearest(MODEL, axis(0), wanted, limit, USUAL_WIDTH)


def assert_the_same(store: Store, reference: Store) -> None:
    """Both stores find the same chunks near the first axis, whatever the filter."""
    for wanted in FILTERS:
        for limit in (3, 200):
            expected = list(dict(asked(reference, wanted, limit).hits))
            assert list(dict(asked(store, wanted, limit).hits)) == expected, wanted
