"""Named SQL statements read from a folder of `.sql` files, with shared fragments filled in.

`/* readable(c) */` in a statement stands for the fragment of that name, applied to that alias.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

_FRAGMENT = re.compile(r"^-- fragment: (\w+)\((\w+)\)\n(?:--[^\n]*\n)*", re.MULTILINE)
_USE = re.compile(r"/\* (\w+)\((\w+)\) \*/")
_PLACEHOLDER = re.compile(r"(?<![:\w]):(\w+)")
_NAME = re.compile(r"^-- name: (\w+)\(([^)]*)\)(\S*)\n-- ([^\n]+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Fragment:
    parameter: str
    sql: str

    def applied_to(self, alias: str) -> str:
        return re.sub(rf"\b{self.parameter}\.", f"{alias}.", self.sql)


@dataclass(frozen=True, slots=True)
class Statement:
    """What a `-- name:` line declares."""

    name: str
    parameters: tuple[str, ...]
    suffix: str
    description: str
    sql: str

    def percent_style(self) -> str:
        """The SQL with `%(name)s` in place of `:name`, for drivers that want that."""
        return _PLACEHOLDER.sub(r"%(\1)s", self.sql.replace("%", "%%"))


def folder_text(package: str) -> str:
    """All statements of a package's `queries` folder, fragments filled in."""
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
    """The statements by name, as their name lines declare them."""
    heads = list(_NAME.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return {
        head[1]: Statement(
            name=head[1],
            parameters=tuple(part.strip() for part in head[2].split(",") if part.strip()),
            suffix=head[3],
            description=head[4],
            sql=text[head.end() : end].strip(),
        )
        for head, end in zip(heads, ends, strict=True)
    }


def load(package: str) -> dict[str, Statement]:
    """The statements of a package by name."""
    return declared(folder_text(package))
