"""The store's own ranking, which decides what the core gets to score at all."""

from __future__ import annotations

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, chunk_draft, metadata, put_chunk


def _best(store: PostgresStore, *terms: str, limit: int = 1, **wanted: object) -> list[int]:
    with store.read(ALICE) as tx:
        everything = Filter(**wanted)  # type: ignore[arg-type]  # any field of a filter
        keys = tx.chunks.lexical(LexicalQuery(terms=terms), everything, limit)
        owners = {chunk.key: chunk.owner.key for chunk in tx.chunks.fetch(keys, everything)}
    return [owners[key] for key in keys]


def test_a_rare_word_outweighs_frequent_ones(postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        for number in range(60):
            put_chunk(tx, number, "server server server databas databas")
        put_chunk(tx, 99, "one zebra among many other animals that are not asked for")
    assert _best(postgres, "server", "databas", "zebra") == [99]


def test_a_word_counts_more_in_the_context_and_more_the_more_often(
    postgres: PostgresStore,
) -> None:
    drafts = [
        chunk_draft("zebra and lion"),
        chunk_draft("zebra zebra zebra"),
        chunk_draft("nothing of it", context="zebra"),
    ]
    with postgres.write(ALICE) as tx:
        for number, draft in enumerate(drafts):
            tx.chunks.replace(Owner(OwnerType.DOCUMENT, number), metadata(), [draft])
    assert _best(postgres, "zebra", limit=3)[-1] == 0


def test_a_filter_that_cuts_the_best_finds_the_best_of_the_rest(postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        for number in range(40):
            put_chunk(tx, number, "zebra zebra zebra")
        put_chunk(tx, 98, "one zebra among many other animals", path="kept", language="en")
        put_chunk(tx, 99, "zebra zebra", language="en")
    assert _best(postgres, "zebra", limit=2, languages=("en",)) == [99, 98]
