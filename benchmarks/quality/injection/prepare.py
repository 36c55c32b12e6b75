"""Takes attack texts and ordinary texts out of bare clones.

python -m benchmarks.quality.injection.prepare IN OUT; IN has a folder `owner+name` for each
repository in sources.toml, or that folder with the clone in `repo`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).with_name("sources.toml")
GROUPS = ("attacks", "ordinary", "trigger_words", "undecidable")
_SHORTEST, _LONGEST = 12, 40_000
_FENCED = re.compile(r"^ *```[a-z0-9]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_IN_LINE = re.compile(r"`([^`\n]{25,})`")

Row = dict[str, Any]


def main(clones: Path, data: Path) -> None:
    home = data / "injection"
    home.mkdir(parents=True, exist_ok=True)
    sources = tomllib.loads(SOURCES.read_text("utf-8"))
    for group in GROUPS:
        rows = [row for source in sources[group] for row in _rows(source, clones)]
        lines = (json.dumps(row, ensure_ascii=False) for row in _different(rows))
        (home / f"{group}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rows(source: Row, clones: Path) -> Iterator[Row]:
    texts = list(_texts(source, _clone(clones, source["repository"])))
    tie = int(source.get("tie", 1))
    if most := source.get("most"):
        step = max(1, len(texts) // int(most))
        texts = texts[::step][: int(most)]
    for number, text in enumerate(texts):
        cut = text.strip()[:_LONGEST]
        if len(cut) < _SHORTEST:
            continue
        key = f"{source['name']} {number // tie}" if tie > 1 else cut
        yield {
            "source": source["name"],
            "held": bool(source.get("held")) or sha256(key.encode()).digest()[0] % 2 == 1,
            "stranger": bool(source.get("held")),
            "text": cut,
        }


def _different(rows: list[Row]) -> list[Row]:
    return list({" ".join(row["text"].split()).casefold(): row for row in reversed(rows)}.values())


def _texts(source: Row, clone: Path) -> Iterator[str]:
    kind, _, field = str(source["take"]).partition(":")
    if kind == "messages":
        log = _git(clone, "log", "--format=%B%x00", "-n", "3000", source["commit"])
        yield from (message for message in log.split("\0") if len(message.strip()) > 40)
        return
    for path in _paths(clone, source["commit"], source["files"]):
        content = _git(clone, "show", f"{source['commit']}:{path}")
        yield from _TAKES[kind](content, field, source)


def _whole(content: str, _field: str, _source: Row) -> Iterator[str]:
    yield content


def _json(content: str, field: str, source: Row) -> Iterator[str]:
    yield from _values(json.loads(content), field, str(source.get("where", "")))


def _values(node: Any, field: str, where: str) -> Iterator[str]:
    """Every text under a name; without a name, every text there is."""
    if isinstance(node, dict):
        if where and "label" in node and not (node["label"] == 1 and where in node["source"]):
            return
        for name, value in node.items():
            if isinstance(value, str) and name == field:
                yield value
            elif not isinstance(value, str):
                yield from _values(value, field, where)
    elif isinstance(node, list):
        for value in node:
            if isinstance(value, str) and not field:
                yield value
            elif not isinstance(value, str):
                yield from _values(value, field, where)


def _field(content: str, field: str, source: Row) -> Iterator[str]:
    """The literals after a name in source code, put together where several follow each other."""
    if until := source.get("until"):
        content = re.split(str(until), content, maxsplit=1)[0]
    literal = r"(?:`(?:[^`\\]|\\.)*`|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    found = re.compile(rf"[\"']?\b{field}[\"']?:\s*((?:{literal}\s*\+?\s*)+)")
    for match in found.finditer(content):
        parts = re.findall(literal, match[1])
        yield "".join(_unquoted(part) for part in parts)


def _unquoted(literal: str) -> str:
    if literal.startswith("`"):
        return literal[1:-1].replace("\\`", "`").replace("\\n", "\n")
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):
        return literal[1:-1]


def _quoted(content: str, _field: str, source: Row) -> Iterator[str]:
    content = content.partition(str(source.get("after", "")))[2] or content
    yield from (match[1] for match in _FENCED.finditer(content))
    yield from (match[1] for match in _IN_LINE.finditer(_FENCED.sub("", content)))


_TAKES: dict[str, Callable[[str, str, Row], Iterator[str]]] = {
    "whole": _whole,
    "json": _json,
    "field": _field,
    "quoted": _quoted,
}


def _paths(clone: Path, commit: str, patterns: list[str]) -> list[str]:
    names = _git(clone, "ls-tree", "-r", "-z", "--name-only", commit).split("\0")
    return [name for name in names if any(re.fullmatch(one, name) for one in patterns)]


def _clone(clones: Path, repository: str) -> Path:
    named = clones / repository.replace("/", "+")
    return named / "repo" if (named / "repo").is_dir() else named


def _git(clone: Path, *arguments: str) -> str:
    command = ["git", f"--git-dir={clone}", *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
