"""Applies the architecture checks to the repository; test_checks_bite tests the checks."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.architecture import bans, imports, purity, sizes, transactions
from tests.architecture.tree import CODE_FOLDERS, PACKAGE, REPOSITORY, Module, Problem, modules

Check = Callable[[Module], Iterator[Problem]]

OF_THE_PACKAGE: tuple[Check, ...] = (
    imports.direction,
    imports.ports,
    imports.port_without_driver,
    imports.package_owners,
    purity.purity,
    transactions.transactions,
    sizes.docstring_stands_alone,
    bans.stdout,
    bans.environment,
)
OF_ALL_CODE: tuple[Check, ...] = (
    sizes.file_size,
    sizes.function_size,
    sizes.file_name,
    sizes.opening_docstring,
    bans.swallowed_errors,
    bans.comments,
    bans.skipped_tests,
    bans.sleeping_tests,
)
TEXT_FOLDERS = (*CODE_FOLDERS, "docs", ".ci")
TEXT_SUFFIXES = {"", ".py", ".sql", ".toml", ".md", ".sh", ".txt", ".lock", ".html", ".css", ".js"}
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "exceptions.toml").read_text())


def text_files() -> Iterator[tuple[str, str]]:
    nested = (file for folder in TEXT_FOLDERS for file in (REPOSITORY / folder).rglob("*"))
    for file in sorted((*REPOSITORY.glob("*"), *nested)):
        ours = "node_modules" not in file.parts and file.name not in (".git", "tokenizer.json")
        if ours and file.is_file() and file.suffix in TEXT_SUFFIXES:
            yield file.relative_to(REPOSITORY).as_posix(), file.read_text(encoding="utf-8")


def excepted() -> set[tuple[str, str]]:
    return {(entry["rule"], entry["path"]) for entry in EXCEPTIONS.get("exception", [])}


def verdict(found: Iterable[Problem]) -> str:
    allowed = excepted()
    return "\n".join(str(p) for p in sorted(set(found)) if (p.rule, p.path) not in allowed)


@cache
def problems(check: Check) -> frozenset[Problem]:
    """The problems that a check finds, computed once."""
    folders = (PACKAGE,) if check in OF_THE_PACKAGE else CODE_FOLDERS
    return frozenset(problem for module in modules(*folders) for problem in check(module))


@pytest.mark.parametrize("check", OF_THE_PACKAGE, ids=lambda check: check.__name__)
def test_package(check: Check) -> None:
    found = verdict(problems(check))
    assert not found, f"\n{found}"


@pytest.mark.parametrize("check", OF_ALL_CODE, ids=lambda check: check.__name__)
def test_all_code(check: Check) -> None:
    found = verdict(problems(check))
    assert not found, f"\n{found}"


def test_the_table_itself_has_no_circle_and_no_unknown_name() -> None:
    assert imports.table_problems(imports.MAY_IMPORT) == []


def test_every_permission_is_used() -> None:
    assert imports.unused_permissions(modules(PACKAGE)) == []


def test_every_io_folder_has_its_port() -> None:
    assert imports.missing_ports({module.place for module in modules(PACKAGE)}) == []


def test_a_public_class_has_a_name_of_its_own() -> None:
    outside = (m for m in modules(PACKAGE) if m.folder != "surfaces")
    assert sizes.repeated_class_names(outside) == []


def test_sql_files_begin_no_transaction() -> None:
    found = verdict(
        problem
        for path, text in text_files()
        if path.endswith(".sql")
        for problem in transactions.sql_transactions(path, text)
    )
    assert not found, f"\n{found}"


def test_nothing_names_one_machine_or_a_registry() -> None:
    found = verdict(
        problem for path, text in text_files() for problem in bans.machine_words(path, text)
    )
    assert not found, f"\n{found}"


def test_nine_functions_in_ten_are_short() -> None:
    lengths = [lines for module in modules(PACKAGE) for _, lines in sizes.functions(module)]
    assert sizes.percentile(lengths, 0.9) <= sizes.SIZES["function_p90"]


def test_exceptions_only_shrink() -> None:
    everything = {
        (problem.rule, problem.path)
        for check in (*OF_THE_PACKAGE, *OF_ALL_CODE)
        for problem in problems(check)
    }
    fixed = excepted() - everything
    assert not fixed, f"fixed, so remove it from exceptions.toml: {sorted(fixed)}"
    assert len(excepted()) == EXCEPTIONS["at_most"], "lower `at_most` to the number of entries"
