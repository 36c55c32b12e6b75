"""Port, tables and statements are cut alike: who has found one file has found the other three."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commonplace import storage
from tests.sql.folders import load

FOLDER = Path(next(iter(storage.__path__)))
# What a port has besides tables: values, leases, backups, rows as they are moved, searches anew.
BESIDE_TABLES = {"__init__", "archive", "canonical", "leases", "moving", "searches", "values"}
# What has no table: fragments of statements, what only upkeep asks, and what PostgreSQL alone asks.
WITHOUT_TABLE = {
    "sqlite": {"fragments", "postings"},
    "postgres": {"fragments", "postings", "catalogue", "connections"},
}
NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def tables() -> set[str]:
    return {file.stem for file in (FOLDER / "tables").glob("*.py")} - {"__init__"}


def homes(dialect: str) -> dict[str, str]:
    """The file that each statement stands in."""
    return {
        name: file.stem
        for file in (FOLDER / dialect / "queries").glob("*.sql")
        for name in NAME.findall(file.read_text(encoding="utf-8"))
    }


def test_the_port_has_a_file_for_each_of_the_tables() -> None:
    port = {file.stem for file in (FOLDER / "port").glob("*.py")}
    assert port - BESIDE_TABLES == tables()
    assert port >= BESIDE_TABLES


@pytest.mark.parametrize("dialect", WITHOUT_TABLE)
def test_a_folder_of_statements_has_a_file_for_each_of_the_tables(dialect: str) -> None:
    found = {file.stem for file in (FOLDER / dialect / "queries").glob("*.sql")}
    assert found - WITHOUT_TABLE[dialect] == tables()
    assert found >= WITHOUT_TABLE[dialect]


@pytest.mark.parametrize("table", sorted(tables()))
def test_a_protocol_is_implemented_in_the_file_of_its_name(table: str) -> None:
    implemented = re.findall(r'"""Implements port\.(\w+)', _text("tables", table))
    assert implemented
    assert all(f"class {name}(Protocol)" in _text("port", table) for name in implemented)


@pytest.mark.parametrize("dialect", WITHOUT_TABLE)
def test_a_statement_stands_where_the_table_that_runs_it_does(dialect: str) -> None:
    """Other tables may run it too, but not they alone."""
    used = {table: set(re.findall(r'"(\w+)"', _text("tables", table))) for table in tables()}
    stray = [
        name
        for name, home in homes(dialect).items()
        if any(name in names for names in used.values()) and name not in used.get(home, set())
    ]
    assert stray == []


def test_a_statement_stands_in_files_of_the_same_name() -> None:
    sqlite, postgres = homes("sqlite"), homes("postgres")
    assert sqlite.keys() == load("sqlite").keys()
    assert {n: sqlite[n] for n in sqlite.keys() & postgres.keys()}.items() <= postgres.items()


def _text(folder: str, table: str) -> str:
    return (FOLDER / folder / f"{table}.py").read_text(encoding="utf-8")
