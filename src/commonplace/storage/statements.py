"""Reads named SQL statements from `.sql` files and fills in shared fragments.

`/* readable(c) */` in a statement stands for the fragment `readable`, applied to the alias `c`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FRAGMENT = re.compile(r"^-- fragment: (\w+)\((\w+)\)\n(?:--[^\n]*\n)*", re.MULTILINE)
_USE = re.compile(r"/\* (\w+)\((\w+)\) \*/")
_PLACEHOLDER = re.compile(r"(?<![:\w]):(\w+)")
# Comments and literals match first, so that nothing inside them counts as a parameter.
_PARAMETER = re.compile(r"--[^\n]*|'(?:[^']|'')*'|(?<![:\w]):([a-z]\w*)")
_NAME = re.compile(r"^-- name: (\w+)\n-- ([^\n]+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fragment:
    parameter: str
    sql: str

    def applied_to(self, alias: str) -> str:
        return re.sub(rf"\b{self.parameter}\.", f"{alias}.", self.sql)


@dataclass(frozen=True, slots=True)
class Statement:
    """The SQL below a `-- name:` line, with its parameters in order of appearance."""

    name: str
    parameters: tuple[str, ...]
    description: str
    sql: str

    def with_stable_plan(self) -> str:
        """The SQL with `= +:org`, so that SQLite reuses its plan for different orgs.

        Because partial indexes name an org, the plan could depend on the bound org, and SQLite
        would recompile the statement, which takes longer than most statements run. The sign
        prevents that.
        """
        return self.sql.replace("= :org", "= +:org")

    def percent_style(self) -> str:
        """The SQL with `%(name)s` instead of `:name`, as psycopg expects."""
        return _PLACEHOLDER.sub(r"%(\1)s", self.sql.replace("%", "%%"))


def folder_text(package: str) -> str:
    """All statements of a package's `queries` folder, with fragments filled in."""
    folder = files(package) / "queries"
    texts = {f.name: f.read_text("utf-8") for f in folder.iterdir() if f.name.endswith(".sql")}
    fragments = parse_fragments(texts.pop("fragments.sql"))
    joined = "\n".join(texts[name] for name in sorted(texts))
    return _USE.sub(lambda use: f"({fragments[use[1]].applied_to(use[2])})", joined)


def parse_fragments(text: str) -> dict[str, Fragment]:
    heads = list(_FRAGMENT.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head[1]: Fragment(head[2], text[head.end() : end].strip())
        for head, end in zip(heads, ends, strict=True)
    }


def declared(text: str) -> dict[str, Statement]:
    """Parse statements; returns them by name."""
    heads = list(_NAME.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    bodies = (text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True))
    return {
        head[1]: Statement(head[1], parameters_of(sql), head[2], sql)
        for head, sql in zip(heads, bodies, strict=True)
    }


def parameters_of(sql: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in _PARAMETER.findall(sql) if name))


@cache
def load(package: str) -> Mapping[str, Statement]:
    """The statements of a package by name, read once per process."""
    return declared(folder_text(package))
