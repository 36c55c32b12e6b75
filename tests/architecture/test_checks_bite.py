"""Each check finds a bad sample and accepts a good one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.architecture import bans, imports, purity, sizes, transactions
from tests.architecture.tree import PACKAGE, Module, Problem

Check = Callable[[Module], Iterator[Problem]]
GATE = transactions.GATE
LONG = "\n    x = 1" * 60

# (check, file below src/commonplace, bad source, words of the message)
BAD: tuple[tuple[Check, str, str, str], ...] = (
    (
        imports.direction,
        "model/entry.py",
        "from commonplace.storage.port import Store",
        "model may not import storage",
    ),
    (
        imports.direction,
        "knowledge/service.py",
        "def f():\n    from commonplace.surfaces import call",
        "knowledge may not import surfaces",
    ),
    (
        imports.direction,
        "text/analyse.py",
        "if TYPE_CHECKING:\n    import commonplace.settings",
        "text may not import settings",
    ),
    (imports.direction, "novelty/x.py", "", "has no row"),
    (
        imports.direction,
        "codegraph/extraction/x.py",
        "from commonplace.codegraph.resolution.names import Names",
        "codegraph/extraction may not import codegraph/resolution",
    ),
    (
        imports.ports,
        "knowledge/service.py",
        "from commonplace.storage.sqlite.store import SqliteStore",
        "only bootstrap/ imports an adapter",
    ),
    (
        imports.ports,
        "knowledge/rules.py",
        "from commonplace.storage.port import Store",
        "only its service touches ports",
    ),
    (imports.port_without_driver, "storage/port.py", "import sqlite3", "may not import sqlite3"),
    (
        imports.port_without_driver,
        "embedding/port.py",
        "from commonplace.embedding.bundled import Model",
        "none of its adapters",
    ),
    (imports.package_owners, "surfaces/call.py", "import mcp.types", "mcp is only for server"),
    (imports.package_owners, "model/entry.py", "from pydantic import BaseModel", "pydantic is"),
    (purity.purity, "retrieval/fuse.py", "import random", "may not import random"),
    (purity.purity, "knowledge/rules.py", "import os.path", "may not import os"),
    (purity.purity, "text/x.py", "from pathlib import Path", "PurePath"),
    (purity.purity, "retrieval/rank.py", "now = datetime.now(UTC)", "datetime.now()"),
    (purity.purity, "retrieval/rank.py", "now = datetime.datetime.now(UTC)", "datetime.now()"),
    (purity.purity, "analysis/x.py", "open('a')", "open()"),
    (purity.purity, "analysis/x.py", "folder().read_text()", ".read_text()"),
    (transactions.transactions, "storage/x.py", "execute('BEGIN IMMEDIATE')", "only storage"),
    (transactions.transactions, "storage/x.py", "execute('begin')", "only storage"),
    (transactions.transactions, GATE, "execute('BEGIN')", "BEGIN IMMEDIATE"),
    (transactions.transactions, GATE, "execute(f'BEGIN {mode}')", "BEGIN IMMEDIATE"),
    (transactions.transactions, GATE, "sqlite3.connect(path)", "isolation_level=None"),
    (transactions.transactions, GATE, "connection.isolation_level = ''", "given to connect"),
    (bans.stdout, "knowledge/service.py", "print('x')", "print outside"),
    (bans.stdout, "logs.py", "sys.stdout.write('x')", "sys.stdout outside"),
    (bans.environment, "embedding/x.py", "os.environ['A']", "settings/ only"),
    (bans.swallowed_errors, "x.py", "try:\n    f()\nexcept:\n    g()", "a bare except"),
    (bans.swallowed_errors, "x.py", "try:\n    f()\nexcept Exception:\n    pass", "does nothing"),
    (bans.swallowed_errors, "x.py", "with contextlib.suppress(Exception):\n    f()", "suppresses"),
    (bans.comments, "x.py", f"# {'TO'}DO later", "a leftover"),
    (bans.comments, "x.py", f"x = 1  # type: {'ignore'}", "name the code"),
    (bans.comments, "x.py", f"x = 1  # {'no'}qa", "name the code"),
    (bans.skipped_tests, "x.py", "@pytest.mark.skip\ndef test_x(): ...", "runs or it goes"),
    (bans.skipped_tests, "x.py", "def test_x():\n    pytest.skip('no')", "runs or it goes"),
    (sizes.file_size, "x.py", "x = 1\n" * 401, "401 lines"),
    (sizes.function_size, "x.py", f"def f():{LONG}", "61 lines"),
    (sizes.file_name, "knowledge/utils.py", "", "says nothing"),
    (
        sizes.docstring_stands_alone,
        "text/x.py",
        'def bring():\n    """Up to date."""',
        "needs the name",
    ),
    (
        sizes.docstring_stands_alone,
        "text/x.py",
        'class Cut:\n    """`start` is where it begins."""',
        "needs the name",
    ),
    (sizes.file_name, "common/x.py", "", "says nothing"),
    (sizes.opening_docstring, "x.py", "x = 1", "one to three lines"),
    (sizes.opening_docstring, "x.py", '"""a\nb\nc\nd"""', "4 lines"),
)

GOOD: tuple[tuple[Check, str, str], ...] = (
    (imports.direction, "capture/service.py", "from commonplace.knowledge.service import K"),
    (imports.direction, "model/entry.py", "from commonplace.errors import NotFound"),
    (imports.ports, "knowledge/service.py", "from commonplace.storage.port import Store"),
    (imports.ports, "knowledge/service/entries.py", "from commonplace.storage.port import Store"),
    (imports.direction, "workspace/search/x.py", "from commonplace.workspace.search.y import Z"),
    (imports.ports, "storage/sqlite/store.py", "from commonplace.storage.sqlite import gate"),
    (imports.ports, "bootstrap/x.py", "from commonplace.storage.sqlite.store import SqliteStore"),
    (imports.package_owners, "storage/sqlite/store.py", "import sqlite3"),
    (imports.package_owners, "settings/values.py", "import pydantic"),
    (purity.purity, "knowledge/service.py", "import os"),
    (purity.purity, "text/x.py", "import importlib.resources\nfiles('a').read_text()"),
    (purity.purity, "model/x.py", "from pathlib import PurePath\nfrom datetime import datetime"),
    (transactions.transactions, GATE, "execute('BEGIN IMMEDIATE' if write else 'BEGIN')"),
    (transactions.transactions, GATE, "execute('BEGIN IMMEDIATE')"),
    (transactions.transactions, GATE, "sqlite3.connect(path, isolation_level=None)"),
    (transactions.transactions, "storage/port.py", '"""Begin a transaction."""'),
    (bans.stdout, "cli/main.py", "print('x')"),
    (bans.swallowed_errors, "x.py", "try:\n    f()\nexcept KeyError:\n    pass"),
    (bans.comments, "x.py", "x = 1  # type: ignore[arg-type]  # why"),
    (sizes.function_size, "x.py", f"def f():{LONG[:-10]}"),
    (sizes.opening_docstring, "__init__.py", ""),
    (sizes.opening_docstring, "errors/__init__.py", '"""a\n\ntree\ntree\ntree\n"""'),
)


def problems(check: Check, place: str, source: str) -> list[Problem]:
    return list(check(Module(f"src/commonplace/{place}", source)))


@pytest.mark.parametrize(("check", "place", "source", "words"), BAD)
def test_a_bad_sample_is_found(check: Check, place: str, source: str, words: str) -> None:
    assert [p for p in problems(check, place, source) if words in str(p)]


@pytest.mark.parametrize(("check", "place", "source"), GOOD)
def test_a_good_sample_passes(check: Check, place: str, source: str) -> None:
    assert problems(check, place, source) == []


@pytest.mark.parametrize(
    "line",
    [
        f"cd {'/'}root/x",
        f"at {'/'}home/someone/x",
        f"https://{'pypi'}.org/x",
        f"{'files'}.pythonhosted",
    ],
)
def test_words_of_one_machine_are_found(line: str) -> None:
    assert [p.line for p in bans.machine_words("README.md", f"fine\n{line}\n")] == [2]


@pytest.mark.parametrize("line", ["docs/work/x", "./root/x", "https://example.org/home/a/b"])
def test_ordinary_paths_pass(line: str) -> None:
    assert list(bans.machine_words("README.md", line)) == []


def test_a_transaction_in_a_sql_file_is_found_and_a_function_body_is_not() -> None:
    assert list(transactions.sql_transactions("a.sql", "begin transaction;\n"))
    assert list(transactions.sql_transactions("a.sql", "BEGIN;\n"))
    body = "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  DELETE FROM b;\nEND; -- BEGIN;"
    assert not list(transactions.sql_transactions("a.sql", body))


def test_a_circle_and_an_unknown_name_in_the_table_are_found() -> None:
    assert "a -> b -> a" in imports.table_problems({"a": ["b"], "b": ["a"]})[0]
    assert "`c` is imported" in imports.table_problems({"a": ["c"]})[0]


def test_an_io_folder_without_port_is_found() -> None:
    assert imports.missing_ports({"storage/sqlite/store.py"})
    assert not imports.missing_ports({"storage/port.py", "storage/sqlite/store.py"})


def test_a_permission_that_nobody_uses_is_found() -> None:
    idle = imports.unused_permissions([Module(f"{PACKAGE}text/x.py", "")])
    assert "rules.toml: text may import model, but does not" in idle


def test_two_classes_of_one_name_are_found() -> None:
    twice = [Module(f"{PACKAGE}text/{name}.py", "class Passage: ...") for name in ("x", "y")]
    (found,) = sizes.repeated_class_names(twice)
    assert "class Passage is defined in text/x.py, text/y.py" in found
    assert not sizes.repeated_class_names(twice[:1])


@pytest.mark.parametrize("source", ["time.sleep(1)", "from asyncio import sleep\nsleep(1)"])
def test_sleep_in_a_test_is_found(source: str) -> None:
    assert list(bans.sleeping_tests(Module("tests/unit/x.py", source)))
    assert not list(bans.sleeping_tests(Module("tests/waiting.py", source)))
    assert not list(bans.sleeping_tests(Module(f"{PACKAGE}reading/x.py", source)))
