"""Checks that one file begins all SQLite transactions, and that writes begin immediate."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.architecture.tree import RULES, Module, Problem, dotted

GATE: str = RULES["transactions"]["gate"]
MODE = r"(?:IMMEDIATE|DEFERRED|EXCLUSIVE|TRANSACTION)"
BEGIN = re.compile(rf"(?i:^\s*BEGIN(\s+{MODE})*\s*;?\s*$)|\bBEGIN\s+{MODE}\b|\bBEGIN\s*;")
SQL_BEGIN = re.compile(rf"\bBEGIN\s*{MODE}?\s*;", re.IGNORECASE)
EAGER = re.compile(r"\bBEGIN\s+(IMMEDIATE|EXCLUSIVE)\b")


def transactions(module: Module) -> Iterator[Problem]:
    """Only the gate begins transactions, and no connection begins one implicitly."""
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _statement(module, node, node.value)
        elif isinstance(node, ast.Call) and dotted(node.func) == "sqlite3.connect":
            yield from _connection(module, node)
        elif isinstance(node, ast.Attribute) and node.attr == "isolation_level":
            yield module.problem(node, "transactions", "the isolation level is given to connect()")


def sql_transactions(path: str, text: str) -> Iterator[Problem]:
    """A .sql file begins no transaction."""
    for number, line in enumerate(text.splitlines(), 1):
        if SQL_BEGIN.search(line.split("--", 1)[0]):
            yield Problem(path, number, "transactions", "a .sql file begins no transaction")


def _statement(module: Module, node: ast.AST, text: str) -> Iterator[Problem]:
    if not BEGIN.search(text):
        return
    if module.place != GATE:
        yield module.problem(node, "transactions", f"only {GATE} begins a transaction")
    elif not EAGER.search(text) and node not in _deferred_for_reading(module):
        yield module.problem(
            node, "transactions", 'write `"BEGIN IMMEDIATE" if write else "BEGIN"`'
        )


def _deferred_for_reading(module: Module) -> list[ast.AST]:
    """The `"BEGIN"` of `... if write else "BEGIN"`."""
    return [
        node.orelse
        for node in module.nodes
        if isinstance(node, ast.IfExp) and dotted(node.test) == "write"
    ]


def _connection(module: Module, call: ast.Call) -> Iterator[Problem]:
    explicit = any(
        keyword.arg == "isolation_level"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is None
        for keyword in call.keywords
    )
    if not explicit:
        yield module.problem(
            call, "transactions", "connect(isolation_level=None): the default begins deferred"
        )
