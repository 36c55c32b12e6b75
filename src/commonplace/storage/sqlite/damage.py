"""Checks a database file for damage by reading all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from commonplace.errors import StorageError
from commonplace.storage.sqlite.connections import (
    SqliteConnection,
    gate,
    open_connection,
    transaction,
)

_TOLD = 5
_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
_TEXT_INDEX = (
    "INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)",
    "passages_fts: the text index does not match the texts; `commonplace rebuild` recreates it",
)


def found_damage(file: Path, *, deep: bool) -> list[str]:
    """A short description of each problem; empty if none was found.

    Always reads every page. With `deep`, also compares indexes with tables and the text index with
    its texts, and decodes every row.
    """
    try:
        with closing(open_connection(file)) as connection:
            found = _pages(connection, deep=deep)
            if deep and not found:
                found = [*_rows(connection), *_text_index(connection)]
    except StorageError as error:
        return [error.message]
    return found[:_TOLD]


def _pages(connection: sqlite3.Connection, *, deep: bool) -> list[str]:
    check = "integrity_check" if deep else "quick_check"
    with gate():
        rows = connection.execute(f"PRAGMA {check}({_TOLD})").fetchall()
    return [row[0] for row in rows if row[0] != "ok"]


def _rows(connection: sqlite3.Connection) -> Iterator[str]:
    """Read all rows, because invalid text only shows when it is decoded."""
    with gate():
        tables = [row["name"] for row in connection.execute(_TABLES)]
    for table in sorted(tables):
        try:
            with gate():
                for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a name from the catalogue
                    pass
        except StorageError:
            yield f"{table}: a row cannot be read"


def _text_index(connection: SqliteConnection) -> Iterator[str]:
    command, words = _TEXT_INDEX
    try:
        with transaction(connection, write=True), gate():
            connection.execute(command)
    except StorageError:
        yield words
