"""What migrations make of rows that are there already, on both stores."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest

from commonplace.capture.items import item_of
from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.entry import EntryKind
from commonplace.model.query import Filter
from commonplace.model.run import RunKind
from commonplace.storage.migrations import migrations_of
from commonplace.storage.port import LexicalQuery, Store
from commonplace.storage.postgres import migrate as migrating_postgres
from commonplace.storage.postgres.partitions import Partitions
from commonplace.storage.sqlite import migrate as migrating_sqlite
from commonplace.storage.sqlite.damage import found_damage
from tests.generate import ALICE, MODEL, keys_of, put_chunk, unit_vector
from tests.stores import START, PostgresDatabases, SteppingClock, open_store

ORG = "INSERT INTO orgs (org, created_at) VALUES ('acme', 1)"
ENTRY = """
INSERT INTO entries (org, id, kind, title, body, tags, visibility, confidence, attributes, source,
                     agent, revision, created_at, updated_at)
VALUES ('acme', 'e-1', '{kind}', 'Harvest', 'Reap.', '{tags}', 'org', 0.5, '{attributes}', 'agent',
        'alice', 1, 1, 1)
"""


class Old:
    """A database as it was before a migration; `opened` brings it up to date."""

    def __init__(
        self, address: str, before: str, package: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._address = address
        migrations = migrations_of(package)
        known = migrations[: [one.name for one in migrations].index(before)]
        with monkeypatch.context() as patch:
            for module in (migrating_postgres, migrating_sqlite):
                patch.setattr(module, "migrations_of", lambda _: known)
            self._migrate()

    @property
    def _is_file(self) -> bool:
        return not self._address.startswith("postgresql:")

    def _migrate(self) -> None:
        if self._is_file:
            migrating_sqlite.migrate(Path(self._address))
        else:
            migrating_postgres.migrate(self._address)

    def add(self, kind: EntryKind, tags: tuple[str, ...] = (), **attributes: object) -> None:
        listed = json.dumps(tags) if self._is_file else f"{{{','.join(tags)}}}"
        entry = ENTRY.format(kind=kind.value, tags=listed, attributes=json.dumps(attributes))
        if self._is_file:
            with closing(sqlite3.connect(self._address)) as file, file:
                file.execute(ORG)
                file.execute(entry)
            return
        with psycopg.connect(self._address) as connection:
            connection.execute("SET search_path = commonplace, public")
            connection.execute(ORG)
            connection.execute(entry.encode())

    def opened(self) -> Store:
        return open_store(self._address, SteppingClock())


@pytest.fixture
def old(
    dialect: str,
    tmp_path: Path,
    postgres_databases: PostgresDatabases,
    monkeypatch: pytest.MonkeyPatch,
) -> Old:
    address = str(tmp_path / "old.db") if dialect == "sqlite" else postgres_databases.bare()
    return Old(address, "mended", f"commonplace.storage.{dialect}", monkeypatch)


def test_bytes_of_skills_are_known_as_theirs(old: Old) -> None:
    old.add(EntryKind.SKILL, files=[{"digest": "aa"}, {"digest": "aa"}, {"digest": "bb"}, 1])
    store = old.opened()
    with store.read(ALICE) as tx:
        skill = tx.entries.get("e-1")
        assert skill is not None
        assert tx.blobs.digests_of(skill) == ["aa", "bb"]
    store.close()


def test_tags_of_notes_are_as_searches_ask_for_them(old: Old) -> None:
    old.add(EntryKind.NOTE, ("API", "Web Page", "plain"))
    store = old.opened()
    with store.write(ALICE) as tx:
        note = tx.entries.get("e-1")
        assert note is not None
        assert note.content.tags == ("api", "web page", "plain")
        target = tx.runs.claim(START + timedelta(days=1))
        assert target is not None
        assert (target.kind, target.subject) == (RunKind.REBUILD, {"keys": [note.key]})
    store.close()


def test_tags_of_items_are_found_in_lower_case_and_told_as_they_were_written(old: Old) -> None:
    old.add(EntryKind.ITEM, ("API", "plain", "Web Page"), file_context="a.py")
    store = old.opened()
    with store.write(ALICE) as tx:
        item = tx.entries.get("e-1")
        assert item is not None
        assert item.content.tags == ("api", "plain", "web page")
        assert item_of(item.content).tags == ("API", "plain", "Web Page")
        assert item_of(item.content).file_context == "a.py"
        target = tx.runs.claim(START + timedelta(days=1))
        assert target is not None
        assert (target.kind, target.subject) == (RunKind.REBUILD, {"keys": [item.key]})
    store.close()


def test_tags_in_lower_case_stay_as_they_are(old: Old) -> None:
    old.add(EntryKind.ITEM, ("api",))
    store = old.opened()
    with store.write(ALICE) as tx:
        item = tx.entries.get("e-1")
        assert item is not None
        assert item.content.tags == ("api",)
        assert "tags" not in item.content.attributes
        assert tx.runs.claim(START + timedelta(days=1)) is None
    store.close()


PASSAGES = """
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, agent, visibility, tags, superseded,
                    trust, char_start, char_end, token_count, text_hash, embedding_urgency)
VALUES ('acme', 'entry', 1, 0, 'note', 'alice', 'org', '[]', 0, 'operational', 0, 5, 1, 'h', 9);
INSERT INTO passages (chunk_key, org, text, context, scope, terms, context_terms, words,
                      title_grams)
VALUES (1, 'acme', 'Reaped.', 'Harvest', 'ox61636d65', 'reap', 'harvest', 'reaped',
        'har arv rve ves est st t');
"""
FINDING = (
    LexicalQuery(terms=("reap",)),
    LexicalQuery(words=("reaped",)),
    LexicalQuery(grams=("rve", "ves")),
    LexicalQuery(gram_prefix="st"),
)


def test_passages_of_before_are_found_by_all_of_their_tokens_until_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old.db"
    old = Old(str(file), "packed_tokens", "commonplace.storage.sqlite", monkeypatch)
    old.add(EntryKind.NOTE)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(PASSAGES)
    store = old.opened()
    with store.read(ALICE) as tx:
        assert [tx.chunks.lexical(query, Filter(), 5) for query in FINDING] == [[1]] * 4
        assert tx.chunks.words([1]) == {1: "reaped"}
    assert found_damage(file, deep=True) == []
    with store.write(ALICE) as tx:
        assert tx.chunks.remove(Owner(OwnerType.ENTRY, 1)) == 1
        assert [tx.chunks.lexical(query, Filter(), 5) for query in FINDING] == [[]] * 4
    store.close()
    assert found_damage(file, deep=True) == []


CHUNKS = """
SET search_path = commonplace, public;
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, agent, visibility, tags, superseded,
                    trust, char_start, char_end, token_count, text_hash, embedding_model,
                    embedding_urgency)
SELECT 'acme', 'entry', 1, n, 'note', 'alice', 'org', '{}', false, 'operational', 0, 4, 1,
       n::text, 'test-model-32-r1', 0
FROM generate_series(0, 30) n;
INSERT INTO passages (chunk_key, org, shared, text, context, terms, context_terms, words, search)
SELECT key, org, false, 'word' || ordinal, '', 'word' || ordinal, '', 'word' || ordinal,
       format('''@ox61636d65'' ''word%s'':1D', ordinal)::tsvector
FROM chunks;
INSERT INTO vectors (org, shared, chunk_key, model, "window", vector)
SELECT org, false, key, embedding_model, 0,
       ARRAY(SELECT sin(key * i) FROM generate_series(1, 32) i)::real[]::vector::halfvec
FROM chunks;
INSERT INTO statistics VALUES ('acme', 31, 31, 1, '{}', 0);
SELECT ensure_vector_index('test-model-32-r1', 32);
"""


def test_chunks_of_before_are_found_in_the_shared_partition_and_in_their_own(
    postgres_databases: PostgresDatabases, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres_databases.bare()
    old = Old(address, "partitions", "commonplace.storage.postgres", monkeypatch)
    old.add(EntryKind.NOTE)
    with psycopg.connect(address) as connection:
        connection.execute(CHUNKS.encode())
    store = old.opened()
    found = _found(store)
    assert [len(keys) for keys in found] == [1, 10]
    steps, taken = Partitions(address, 31), 0
    while steps.step():
        taken += 1
        assert _found(store) == found
    assert taken == 5  # a check; the system's partition, what it holds; the org's, all of its rows
    with store.write(ALICE) as tx:
        fresh = keys_of(tx, put_chunk(tx, 2, "fresh"))
    assert fresh == [32]
    store.close()


def _found(store: Store) -> tuple[Sequence[object], Sequence[object]]:
    with store.read(ALICE) as tx:
        return (
            tx.chunks.lexical(LexicalQuery(terms=("word7",)), Filter(), 5),
            tx.vectors.nearest(MODEL, unit_vector(3), Filter(), 10, 64).hits,
        )
