"""An org is moved to another database while its agents work: all of it, and nothing of others."""

from __future__ import annotations

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from psycopg import sql

from commonplace.errors import Conflict, InvalidArgument, NotFound, OrgMoved, StorageError
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import Filter
from commonplace.model.run import RunKind
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postgres import moving
from commonplace.storage.postgres.backups import PostgresBackups
from commonplace.storage.postgres.connections import execute, one_row, owned
from commonplace.storage.postgres.moving import PostgresMoves
from tests.forked import FORKS
from tests.generate import ALICE, EVE, MODEL, axis, embed_all, entry_draft, source_draft
from tests.processes import wall_clock
from tests.sql.test_postgres_security import put_graph
from tests.stores import MakeDatabase, PostgresDatabases, SteppingClock, open_store
from tests.transfer.places import Server, fill
from tests.waiting import eventually


@pytest.fixture
def source(make_database: MakeDatabase) -> Server:
    server = Server(make_database("postgres"))
    fill(server)
    with server.store.write(ALICE) as tx:
        document = tx.sources.put_document(tx.sources.insert(source_draft("ks_9")), "hash", 1)
        put_graph(tx, document)
        tx.runs.start(RunKind.REBUILD, [{"keys": [1, 2]}])
    for actor in (ALICE, EVE):
        embed_all(server.store, actor, lambda _: [axis(1)])
    return server


@pytest.fixture
def target(make_database: MakeDatabase) -> Server:
    """It has an org of its own, whose keys are those of the org that comes."""
    server = Server(make_database("postgres"))
    for number in range(5):
        content = EntryContent(f"Theirs {number}", "zebra of another house")
        server.knowledge.add(EVE, EntryKind.NOTE, content, id=f"theirs-{number}")
    embed_all(server.store, EVE, lambda _: [axis(2)])
    return server


def moves(server: Server) -> PostgresMoves:
    return PostgresMoves(server.database.address, SteppingClock())


def canonical(server: Server, org: str) -> list[object]:
    """Everything of an org as an export says it, in which keys are numbers of the file."""
    return [json.loads(line) for line in server.lines(org)[1:]]


def told(server: Server) -> object:
    """What the org's searches find, by words and by meaning, without keys."""
    with server.store.read(ALICE) as tx:
        keys = tx.chunks.lexical(LexicalQuery(terms=("zebra",)), Filter(), 20)
        near = tx.vectors.nearest(MODEL, axis(1), Filter(), 20, 64)
        texts = [(c.text, c.context) for c in tx.chunks.fetch(keys, Filter())]
        return texts, len(near.hits), tx.chunks.counts()


def test_everything_is_there_and_nothing_of_others_is_touched(
    source: Server, target: Server
) -> None:
    before, found = canonical(source, ALICE.org), told(source)
    others = canonical(source, EVE.org), canonical(target, EVE.org)
    report = moves(source).move(ALICE.org, target.database.address)
    assert canonical(target, ALICE.org) == before
    assert told(target) == found
    assert (canonical(source, EVE.org), canonical(target, EVE.org)) == others
    assert report.counts["entries"] > 3
    assert report.counts["vectors"] > 3
    assert report.counts["edges"] == 1


def test_keys_refer_to_what_they_referred_to(source: Server, target: Server) -> None:
    moves(source).move(ALICE.org, target.database.address)
    with owned(target.database.address) as connection:
        lost = connection.execute(
            b"SELECT (SELECT count(*) FROM edges e WHERE NOT EXISTS (SELECT FROM code_files f"
            b"         WHERE f.document_key = e.document_key)),"
            b"       (SELECT count(*) FROM symbols s WHERE s.key >> 20 <> s.document_key),"
            b"       (SELECT count(*) FROM chunks c WHERE c.owner_type = 'entry' AND NOT EXISTS"
            b"         (SELECT FROM entries e WHERE e.key = c.owner_key AND e.org = c.org)),"
            b"       (SELECT count(*) FROM targets t, json_array_elements_text(t.subject -> 'keys')"
            b"         AS k WHERE t.org = 'acme' AND NOT EXISTS"
            b"         (SELECT FROM entries e WHERE e.key = k::bigint AND e.org = t.org)) AS queued"
        ).fetchone()
    assert lost is not None
    assert set(lost.values()) == {0}
    target.knowledge.add(ALICE, EntryKind.NOTE, EntryContent("New", "zebra"), id="new")


def test_the_old_server_says_so_and_its_workers_go_on(
    source: Server, target: Server, postgres_databases: PostgresDatabases
) -> None:
    moves(source).move(ALICE.org, target.database.address)
    for opened in (source.store.read, source.store.write, source.store.search):
        with pytest.raises(OrgMoved, match="moved to another server"), opened(ALICE):
            raise AssertionError("the transaction opened")
    assert ALICE.org not in source.store.orgs()
    assert ALICE.org not in [one.org for one in source.store.due_work()]
    assert moves(source).move(ALICE.org, target.database.address).counts == {}
    with pytest.raises(NotFound, match="moved already"):
        moves(source).move(ALICE.org, postgres_databases.migrated())
    moves(target).move(ALICE.org, source.database.address)
    assert told(source)
    with pytest.raises(OrgMoved), target.store.read(ALICE):
        raise AssertionError("the transaction opened")


def test_what_is_written_meanwhile_goes_with_it(
    source: Server, target: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writers go on until they are told that the org has gone; what was acknowledged is there."""
    monkeypatch.setattr(moving, "FEW_ROWS", 0)
    kept: list[str] = []
    begun = Event()

    def write() -> None:
        for number in range(10_000):
            try:
                content = EntryContent(f"Live {number}", f"zebra {number}")
                source.knowledge.add(ALICE, EntryKind.NOTE, content, id=f"live-{number}")
                source.knowledge.edit(ALICE, "n-0", EntryContent("Note 0", f"edited {number}"))
                if number > 1:
                    source.knowledge.delete(ALICE, f"live-{number - 1}")
            except OrgMoved:
                return
            kept.append(f"live-{number}")
            begun.set()

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        begun.wait()
        moves(source).move(ALICE.org, target.database.address)
        writing.result()
    with target.store.read(ALICE) as tx:
        note = tx.entries.get("n-0")
        assert note is not None
        assert int(note.content.body.split()[1]) >= int(kept[-1].split("-")[1])
        for number, id in enumerate(kept):
            entry = tx.entries.get(id)
            assert entry is not None, id
            assert (entry.deleted_at is not None) == (0 < number < len(kept) - 1), id


def test_while_writers_wait_only_what_was_changed_is_sent(
    source: Server, target: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the rows that stayed as they were nor their keys."""
    for number in range(100):
        content = EntryContent(f"Old {number}", f"zebra {number}")
        source.knowledge.add(ALICE, EntryKind.NOTE, content, id=f"old-{number}")
    sent: list[int] = []
    pipe, copy_all = moving._Move._pipe, moving._Move._round

    def counted(move: moving._Move, query: sql.Composed, into: sql.Identifier) -> None:
        pipe(move, query, into)
        rows = move.target.execute(sql.SQL("SELECT count(*) AS rows FROM {}").format(into))
        sent.append(one_row(rows)["rows"])

    def then_written(move: moving._Move, since: str | None) -> tuple[str, int]:
        copied = copy_all(move, since)
        source.knowledge.purge(ALICE, "old-1")
        source.knowledge.edit(ALICE, "old-2", EntryContent("Old 2", "changed"))
        sent.clear()
        return copied

    monkeypatch.setattr(moving._Move, "_pipe", counted)
    monkeypatch.setattr(moving._Move, "_round", then_written)
    report = moves(source).move(ALICE.org, target.database.address)
    assert 0 < sum(sent) < report.counts["entries"] / 2
    with target.store.read(ALICE) as tx:
        assert tx.entries.get("old-1") is None
        changed = tx.entries.get("old-2")
    assert changed is not None
    assert changed.content.body == "changed"


@pytest.mark.parametrize("spoiled", ["NEW.title := 'other'; RETURN NEW", "RETURN NULL"])
def test_what_does_not_arrive_as_it_was_sent_is_noticed(
    source: Server, postgres_databases: PostgresDatabases, spoiled: str
) -> None:
    before, elsewhere = canonical(source, ALICE.org), postgres_databases.migrated()
    with owned(elsewhere) as connection:
        connection.execute(
            "CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN IF NEW.id = 'n-0' THEN {spoiled}; END IF; RETURN NEW; END $$".encode()
        )
        connection.execute(
            b"CREATE TRIGGER spoils BEFORE INSERT OR UPDATE ON entries"
            b" FOR EACH ROW EXECUTE FUNCTION spoil()"
        )
    with pytest.raises(StorageError, match="The rows of entries did not arrive as they were sent"):
        moves(source).move(ALICE.org, elsewhere)
    assert canonical(source, ALICE.org) == before


def test_an_org_made_over_there_meanwhile_is_not_erased(source: Server, target: Server) -> None:
    """Who makes one of that name has not committed yet when the move looks."""
    with ThreadPoolExecutor(1) as threads:
        with target.store.write(ALICE) as tx:
            tx.entries.insert(entry_draft("theirs"))
            moved = threads.submit(moves(source).move, ALICE.org, target.database.address)
            eventually(lambda: moved.done() or _somebody_waits(target))
        with pytest.raises(Conflict, match="of its own"):
            moved.result()
    with target.store.read(ALICE) as tx:
        assert tx.entries.get("theirs") is not None
    assert told(source)


def _somebody_waits(server: Server) -> bool:
    with owned(server.database.address) as connection:
        waiting = connection.execute(
            b"SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
            b" WHERE NOT l.granted AND a.datname = current_database()"
        )
        return waiting.fetchone() is not None


def test_vectors_have_their_index_over_there(
    source: Server, postgres_databases: PostgresDatabases
) -> None:
    """Made before they come: made with the next vector, it would keep all writers waiting."""
    elsewhere = postgres_databases.migrated()
    moves(source).move(ALICE.org, elsewhere)
    store = open_store(elsewhere, SteppingClock())
    assert store.vector_indexes() == source.store.vector_indexes() == 1
    store.close()


def test_an_org_that_has_gone_does_not_come_back_with_a_backup(
    source: Server, target: Server, postgres_databases: PostgresDatabases, tmp_path: Path
) -> None:
    clock = SteppingClock()
    here = PostgresBackups(source.database.address, clock)
    here.back_up(tmp_path / "before", "1.2.3")
    moves(source).move(ALICE.org, target.database.address)
    here.back_up(tmp_path / "after", "1.2.3")
    elsewhere = postgres_databases.migrated()
    PostgresBackups(elsewhere, clock).restore(tmp_path / "after", replace=False)
    source.database.close()
    here.restore(tmp_path / "before", replace=True)
    for address in (elsewhere, source.database.address):
        store = open_store(address, clock)
        assert store.orgs() == [EVE.org]
        with pytest.raises(OrgMoved), store.read(ALICE):
            raise AssertionError("the transaction opened")
        store.close()


def _move(address: str, to: str) -> None:
    PostgresMoves(address, wall_clock).move(ALICE.org, to)


@pytest.mark.parametrize("at", ["copying", "verified", "gone"])
def test_it_may_be_killed_and_is_done_again(source: Server, target: Server, at: str) -> None:
    before = canonical(source, ALICE.org)
    process = FORKS.Process(
        target=_killed_at, args=(at, source.database.address, target.database.address)
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    moves(source).move(ALICE.org, target.database.address)
    assert canonical(target, ALICE.org) == before
    with pytest.raises(OrgMoved), source.store.read(ALICE):
        raise AssertionError("the transaction opened")


def _killed_at(at: str, address: str, to: str) -> None:
    """Ends this process where the move has come to a point."""

    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    where = {"copying": "_remove_gone", "verified": "_verified"}
    if at in where:
        setattr(moving._Move, where[at], die)
    else:
        moving._erase_source = die
    _move(address, to)


def test_what_cannot_be_moved_is_refused(
    source: Server, target: Server, postgres_databases: PostgresDatabases
) -> None:
    with pytest.raises(InvalidArgument, match="same database"):
        moves(source).move(ALICE.org, source.database.address)
    with pytest.raises(Conflict, match="of its own"):
        moves(source).move(EVE.org, target.database.address)
    with pytest.raises(NotFound):
        moves(source).move("nobody", target.database.address)
    with pytest.raises(InvalidArgument, match="system"):
        moves(source).move("system", target.database.address)
    old = postgres_databases.migrated()
    with owned(old) as connection:
        connection.execute(b"DELETE FROM migrations WHERE version > 5")
    with pytest.raises(InvalidArgument, match="different schemas"):
        moves(source).move(ALICE.org, old)
    with owned(source.database.address) as connection:
        assert execute(connection, "move_of", {"moved": ALICE.org}).fetchone() is None
