"""The two folders of statements as tests look at them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from commonplace.storage import statements
from commonplace.storage.statements import Statement

PACKAGES = {
    "sqlite": "commonplace.storage.sqlite",
    "postgres": "commonplace.storage.postgres",
}
_ONLY_HERE = re.compile(r"^-- only here: \S.*$", re.MULTILINE)
_COMMENT = re.compile(r"--[^\n]*")
_LITERAL = re.compile(r"'(?:[^']|'')*'")


def load(dialect: str) -> Mapping[str, Statement]:
    return statements.load(PACKAGES[dialect])


def bare(statement: Statement) -> str:
    """The SQL without comments and literals."""
    return _LITERAL.sub("''", _COMMENT.sub("", statement.sql))


def shared() -> list[str]:
    """Statements that both folders must have alike."""
    both = [load(dialect) for dialect in PACKAGES]
    names = {name for found in both for name in found}
    only = {s.name for found in both for s in found.values() if _ONLY_HERE.search(s.sql)}
    return sorted(names - only)
