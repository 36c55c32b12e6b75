"""Whatever a home went through, what is exported of it comes back the same: any form, any store."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from commonplace.operations.transfer.markdown import read_file
from commonplace.operations.transfer.service.transfers import TransferService
from commonplace.storage.port.archive import Backups
from commonplace.storage.postgres.backups import PostgresBackups
from commonplace.storage.sqlite.backups import SqliteBackups
from tests.generate import ALICE
from tests.stores import DIALECTS, Database, PostgresDatabases, SteppingClock
from tests.transfer.lives import LIVES, Life, Step
from tests.transfer.places import canonical_rows

OpenDatabase = Callable[[str], AbstractContextManager[Database]]
# What lives have shown to go wrong: a gap in the keys before something that is referred to.
PURGED_BEFORE_A_SKILL = [
    Step("note", 0, 0, "a"),
    Step("purge", 0, 0, ""),
    Step("skill", 0, 1, "b"),
    Step("note", 0, 1, "c"),
    Step("hand_out", 0, 0, ""),
]
PURGED_BEFORE_A_SOURCE = [
    Step("source", 0, 1, "a"),
    Step("remove_source", 0, 0, ""),
    Step("source", 0, 1, "b"),
]
NOTEBOOK_AFTER_A_SOURCE = [
    Step("source", 0, 0, "a"),
    Step("remove_source", 0, 0, ""),
    Step("notebook", 0, 0, "b"),
    Step("edit", 0, 0, "c"),
]


@pytest.fixture(scope="session")
def open_database(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> OpenDatabase:
    """An empty one for each life, gone after it."""

    @contextmanager
    def opened(dialect: str) -> Iterator[Database]:
        if dialect == "sqlite":
            home = tmp_path_factory.mktemp("home")
            template: Path = request.getfixturevalue("sqlite_template")
            shutil.copyfile(template, home / "commonplace.db")
            yield Database(dialect, str(home / "commonplace.db"), SteppingClock())
            shutil.rmtree(home)
            return
        databases: PostgresDatabases = request.getfixturevalue("postgres_databases")
        address = databases.lend()
        yield Database(dialect, address, SteppingClock())
        databases.take_back(address)

    return opened


def transfer_of(database: Database) -> TransferService:
    return TransferService(canonical_rows(database), database.clock)


def backups_of(database: Database) -> Backups:
    if database.dialect == "sqlite":
        return SqliteBackups(Path(database.address), database.clock)
    return PostgresBackups(database.address, database.clock)


def knowledge_of(database: Database) -> list[str]:
    """The lines of an export, without who imported something when."""
    lines = transfer_of(database).lines()
    return [line for line in lines if '"entity":"import"' not in line]


def lived(database: Database, folder: Path, steps: list[Step]) -> None:
    life = Life(database, folder)
    try:
        life.live(steps)
    finally:
        life.close()


class Rounds:
    """Takes lives from one store to the other and back, in every form."""

    def __init__(self, dialect: str, folder: Path, open_database: OpenDatabase) -> None:
        self._dialect = dialect
        self._other = next(name for name in DIALECTS if name != dialect)
        self._folder = folder
        self._open = open_database
        self.lives = 0
        self.rows: Counter[str] = Counter()

    def go(self, steps: list[Step]) -> None:
        with self._open(self._dialect) as first:
            lived(first, self._folder, steps)
            exported = knowledge_of(first)
            with self._open(self._other) as second:
                self._rows_there_and_back(first, second, exported)
            with self._open(self._other) as second:
                self._files_there(first, second)
            with self._open(self._dialect) as second:
                self._backup_there(first, second, exported)
        self.lives += 1
        self.rows.update(line.split('"')[3] for line in exported[1:])

    def _rows_there_and_back(self, first: Database, second: Database, exported: list[str]) -> None:
        report = transfer_of(second).take_lines(ALICE, exported, dry_run=False)
        assert report.added.total() == len(exported) - 1
        there = knowledge_of(second)
        assert there == exported
        again = transfer_of(first).take_lines(ALICE, there, dry_run=False)
        assert (again.writes, again.kept.total()) == (0, 0), "all of it was there"
        with self._open(self._dialect) as third:
            transfer_of(third).take_lines(ALICE, there, dry_run=False)
            assert knowledge_of(third) == exported

    def _files_there(self, first: Database, second: Database) -> None:
        files = dict(transfer_of(first).files())
        transfer_of(second).take_files(ALICE, files.items(), read_file, dry_run=False)
        assert dict(transfer_of(second).files()) == files
        assert (
            transfer_of(first).take_files(ALICE, files.items(), read_file, dry_run=False).writes
            == 0
        )

    def _backup_there(self, first: Database, second: Database, exported: list[str]) -> None:
        file = self._folder / "life.backup"
        file.unlink(missing_ok=True)
        backups_of(first).back_up(file, "1")
        backups_of(second).restore(file, replace=False)
        assert knowledge_of(second) == exported


def _survive(rounds: Rounds, lives: int) -> None:
    @settings(
        max_examples=lives,
        suppress_health_check=list(HealthCheck),
        # A life takes seconds: a smaller one that fails too would take minutes to find.
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        report_multiple_bugs=False,
    )
    @example(steps=PURGED_BEFORE_A_SKILL)
    @example(steps=PURGED_BEFORE_A_SOURCE)
    @example(steps=NOTEBOOK_AFTER_A_SOURCE)
    @given(steps=LIVES)
    def survive(steps: list[Step]) -> None:
        rounds.go(steps)

    survive()
    told = f"{rounds.lives} lives, {rounds.rows.total()} rows: {dict(sorted(rounds.rows.items()))}"
    print(told)  # noqa: T201 - how much was tried is the answer here


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_few_lives_survive_every_move(
    dialect: str, tmp_path: Path, open_database: OpenDatabase
) -> None:
    rounds = Rounds(dialect, tmp_path, open_database)
    _survive(rounds, 8)


@pytest.mark.soak
@pytest.mark.parametrize("dialect", DIALECTS)
def test_many_lives_survive_every_move(
    dialect: str, tmp_path: Path, open_database: OpenDatabase
) -> None:
    rounds = Rounds(dialect, tmp_path, open_database)
    _survive(rounds, 400)
    assert rounds.lives >= 400
    tables = {"entries", "contributions", "verdicts", "feedback", "reviews", "blobs", "accesses"}
    assert rounds.rows.keys() >= tables | {"resources", "attachments", "projects", "documents"}
