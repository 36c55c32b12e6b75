"""A purge in an SQLite file lets others write between its steps, and erases nevertheless."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from commonplace.model.chunk import Owner, OwnerType
from commonplace.storage.sqlite import connections, erasing
from commonplace.storage.sqlite.store import SqliteStore
from tests.generate import ALICE, put_chunk
from tests.stores import ExactIndexes, SteppingClock

SECRET = "zqxvutsr"
FILES = 4_000
AT_ONCE = 400
MOST_STEPS = 200
Arrange = Callable[[Callable[[], object]], list[float]]


class Home:
    """A file with two processes' worth of stores, one of which purges while the other writes."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.purging, self.writing = (
            SqliteStore(file, SteppingClock(), indexes=ExactIndexes) for _ in range(2)
        )
        self.owners = count(FILES)

    def write(self, owner: int, text: str) -> None:
        with self.writing.write(ALICE) as tx:
            put_chunk(tx, owner, text)

    def fill(self) -> None:
        for start in range(0, FILES, AT_ONCE):
            with self.writing.write(ALICE) as tx:
                for owner in range(start, start + AT_ONCE):
                    words = " ".join(f"w{owner * number % 9973}" for number in range(1, 40))
                    put_chunk(tx, owner, f"{words} {SECRET}" if owner % 500 == 7 else words)

    def remove_secret(self) -> None:
        with self.purging.write(ALICE) as tx:
            for owner in range(7, FILES, 500):
                tx.chunks.remove(Owner(OwnerType.DOCUMENT, owner))

    def has_secret(self) -> bool:
        files = self.file.parent.iterdir()
        return any(SECRET[1:].encode() in file.read_bytes() for file in files)

    def check_index(self) -> None:
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('integrity-check')")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "store.db")
    yield home
    home.writing.close()
    home.purging.close()


@pytest.fixture
def in_pauses(monkeypatch: pytest.MonkeyPatch) -> Arrange:
    """Lets something happen in each pause of a purge, instead of waiting."""

    def arrange(happen: Callable[[], object]) -> list[float]:
        pauses: list[float] = []

        def paused(seconds: float) -> None:
            pauses.append(seconds)
            happen()

        monkeypatch.setattr(erasing, "pause", paused)
        return pauses

    return arrange


def test_others_write_while_words_are_erased(home: Home, in_pauses: Arrange) -> None:
    home.fill()
    assert home.has_secret()
    home.remove_secret()

    def write() -> None:
        for _ in range(3):
            home.write(next(home.owners), f"added {next(home.owners)}")

    steps = in_pauses(write)
    home.purging.scrub()
    assert 4 < len(steps) < MOST_STEPS
    assert not home.has_secret()
    home.check_index()


def test_a_second_purge_amid_the_first_erases_too(home: Home, in_pauses: Arrange) -> None:
    home.fill()
    home.remove_secret()
    second = iter([home.writing.scrub])

    def purge_once() -> None:
        for scrub in second:
            scrub()

    in_pauses(purge_once)
    home.purging.scrub()
    assert not home.has_secret()
    home.check_index()


def test_others_write_while_a_reader_keeps_the_log(
    home: Home, in_pauses: Arrange, caplog: pytest.LogCaptureFixture
) -> None:
    home.write(7, SECRET)
    home.remove_secret()
    with closing(sqlite3.connect(home.file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        turns = iter(range(20))

        def write_and_then_stop_reading() -> None:
            if next(turns) < 10:
                home.write(next(home.owners), "added")
            elif reader.in_transaction:
                reader.execute("ROLLBACK")

        in_pauses(write_and_then_stop_reading)
        home.purging.scrub()
    assert caplog.records == []
    assert not home.has_secret()
    with home.purging._pool.connection(write=True) as connection:
        patience = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    assert patience == connections.BUSY_SECONDS * 1000, "as before"
