"""Everything that a store holds, read past the product: to prove that something is not there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import psycopg

from commonplace.settings import Settings

_SQLITE_TABLES = """
    SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
"""
_POSTGRES_TABLES = """
    SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema')
"""


def stored_rows(settings: Settings) -> str:
    """All rows of all tables."""
    return "\n".join(_postgres_rows(settings) if settings.database_url else _sqlite_rows(settings))


def stored_text(settings: Settings) -> str:
    """All rows of all tables, and all files of the home."""
    return "\n".join([stored_rows(settings), *_files(settings)])


def _sqlite_rows(settings: Settings) -> Iterator[str]:
    with closing(sqlite3.connect(settings.database_file)) as connection:
        for (table,) in connection.execute(_SQLITE_TABLES).fetchall():
            yield from map(repr, connection.execute(f'SELECT * FROM "{table}"'))


def _postgres_rows(settings: Settings) -> Iterator[str]:
    assert settings.database_url
    with psycopg.connect(settings.database_url.get_secret_value()) as connection:
        for (table,) in connection.execute(_POSTGRES_TABLES).fetchall():
            yield from map(repr, connection.execute(f"SELECT * FROM {table}".encode()).fetchall())


def _files(settings: Settings) -> Iterator[str]:
    for path in settings.home.rglob("*"):
        if path.is_file():
            yield path.read_bytes().decode("latin-1")
