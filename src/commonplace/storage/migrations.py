"""Numbered migrations of a database: files `NNNN_name.sql`, applied in order."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from commonplace.errors import SchemaTooNew


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str
    sql: str


def migrations_of(package: str) -> list[Migration]:
    """The migrations of a package in order, numbered without gaps."""
    folder = files(package) / "migrations"
    found = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    migrations = [
        Migration(int(name[:4]), name[5:-4], (folder / name).read_text("utf-8")) for name in found
    ]
    assert [m.version for m in migrations] == list(range(1, len(migrations) + 1))
    return migrations


def outstanding(migrations: list[Migration], current: int) -> list[Migration]:
    """The migrations still to be applied; SchemaTooNew if the schema is newer than all of them."""
    refuse_newer(migrations[-1].version, current)
    return [migration for migration in migrations if migration.version > current]


def refuse_newer(known: int, current: int) -> None:
    if current > known:
        raise SchemaTooNew(
            f"The database has schema version {current}, and this Commonplace knows only "
            f"{known}. Upgrade Commonplace and start it again, or use another database."
        )
