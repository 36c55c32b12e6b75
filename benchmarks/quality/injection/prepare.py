"""Takes attack texts and ordinary texts out of bare clones.

python -m benchmarks.quality.injection.prepare IN OUT; IN has a folder `owner+name` for each
repository in sources.toml, or that folder with the clone in `repo`.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from benchmarks.quality.injection.copies import Ties, join_copies
from benchmarks.quality.injection.texts import Text

SOURCES = Path(__file__).with_name("sources.toml")
GROUPS = ("attacks", "ordinary", "trigger_words", "undecidable", "fresh")
_SHORTEST, _LONGEST = 12, 40_000
_FENCED = re.compile(r"^ *```[a-z0-9]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
_IN_LINE = re.compile(r"`([^`\n]{25,})`")
_MESSAGE = re.compile(r'^(msgid|msgstr)(?:\[0\])? ((?:".*"\n?)+)', re.MULTILINE)
_LITERAL = re.compile(r'".*"')

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Taken:
    """A text as its source has it; those of one `document` are translations of each other."""

    source: Row
    document: str
    text: str


def main(clones: Path, data: Path) -> None:
    home = data / "injection"
    home.mkdir(parents=True, exist_ok=True)
    sources = tomllib.loads(SOURCES.read_text("utf-8"))
    for group in GROUPS:
        taken = [text for source in sources[group] for text in _taken(source, clones)]
        lines = (json.dumps(asdict(row), ensure_ascii=False) for row in _halved(_different(taken)))
        (home / f"{group}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _taken(source: Row, clones: Path) -> Iterator[Taken]:
    texts = list(_texts(source, _clone(clones, source["repository"])))
    if most := source.get("most"):
        step = max(1, len(texts) // int(most))
        texts = texts[::step][: int(most)]
    for number, (key, text) in enumerate(texts):
        cut = text.strip()[:_LONGEST]
        if len(cut) >= int(source.get("least", _SHORTEST)):
            yield Taken(source, _document(source, number, key, cut), cut)


def _document(source: Row, number: int, key: str, text: str) -> str:
    """What a text is one translation of, by its row, its file or its key; else the text itself."""
    if rows := source.get("rows"):
        start, each = max(pair for pair in rows if pair[0] <= number)
        return f"{source['of']} {(number - start) // each}"
    if pattern := source.get("document"):
        found = re.search(pattern, key)
        return f"{source['repository']} {found[1] if found else key}"
    return text


def _different(taken: Sequence[Taken]) -> list[Taken]:
    found: dict[str, Taken] = {}
    for one in taken:
        found.setdefault(" ".join(one.text.split()).casefold(), one)
    return list(found.values())


def _halved(taken: Sequence[Taken]) -> Iterator[Text]:
    """Translations and copies share a half; where one of them is held back, all are.

    What is only learned from has no say in that: it is left out where it is tied to what is held.
    """
    judged = [one for one in taken if not one.source.get("tuned")]
    held = {one.text for members in _tied(judged) if _is_held(members) for one in members}
    for document, members in enumerate(_tied(taken)):
        tainted = any(one.text in held for one in members)
        for one in members:
            if not (tainted and one.source.get("tuned")):
                yield Text(
                    source=one.source["name"],
                    kind=one.source.get("kind", ""),
                    document=document,
                    held=one.text in held,
                    stranger=bool(one.source.get("held")),
                    text=one.text,
                )


def _tied(taken: Sequence[Taken]) -> list[list[Taken]]:
    """Texts with their copies and translations."""
    ties = Ties(len(taken))
    join_copies([one.text for one in taken], ties)
    documents: dict[str, int] = {}
    for number, one in enumerate(taken):
        ties.join(number, documents.setdefault(one.document, number))
    sets: dict[int, list[Taken]] = defaultdict(list)
    for number, one in enumerate(taken):
        sets[ties.first(number)].append(one)
    return list(sets.values())


def _is_held(members: Sequence[Taken]) -> bool:
    if any(one.source.get("held") for one in members):
        return True
    return sha256(members[0].text.encode()).digest()[0] % 2 == 1


def _texts(source: Row, clone: Path) -> Iterator[tuple[str, str]]:
    """Texts, each with the path that it stands at or the key that it stands under."""
    kind, _, field = str(source["take"]).partition(":")
    if kind == "messages":
        log = _git(clone, "log", "--format=%B%x00", "-n", "3000", source["commit"])
        yield from (("", message) for message in log.split("\0") if len(message.strip()) > 40)
        return
    paths = _paths(clone, source["commit"], source["files"])
    if kind == "whole" and (most := source.get("most")):
        paths = paths[:: max(1, len(paths) // int(most))]
    for path in paths:
        content = _git(clone, "show", f"{source['commit']}:{path}")
        yield from _TAKES[kind](path, content, field, source)


def _whole(path: str, content: str, _field: str, _source: Row) -> Iterator[tuple[str, str]]:
    yield path, content


def _json(_path: str, content: str, field: str, source: Row) -> Iterator[tuple[str, str]]:
    yield from _under(source, _values("", json.loads(content), field, str(source.get("where", ""))))


def _yaml(_path: str, content: str, field: str, source: Row) -> Iterator[tuple[str, str]]:
    yield from _under(source, _values("", yaml.safe_load(content), field, ""))


def _under(source: Row, found: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Those texts whose keys have a certain part."""
    part = str(source.get("under", ""))
    return ((key, text) for key, text in found if part in key)


def _lines(path: str, content: str, field: str, source: Row) -> Iterator[tuple[str, str]]:
    for line in filter(None, content.splitlines()):
        yield from _json(path, line, field, source)


def _talks(path: str, content: str, field: str, _source: Row) -> Iterator[tuple[str, str]]:
    """Conversations, a line for each turn; one to a line of the file, or all in one document."""
    if path.endswith(".jsonl"):
        talks = [json.loads(line) for line in filter(None, content.splitlines())]
    else:
        document = json.loads(content)
        talks = list(document.values()) if isinstance(document, dict) else document
    for talk in talks:
        yield path, "\n".join(text for _, text in _values("", talk, field, ""))


def _docstrings(path: str, content: str, _field: str, _source: Row) -> Iterator[tuple[str, str]]:
    """What a module says of itself and its parts."""
    named = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(content)) if isinstance(node, named))
    yield path, "\n".join(filter(None, map(ast.get_docstring, nodes)))


def _table(_path: str, content: str, field: str, _source: Row) -> Iterator[tuple[str, str]]:
    yield from (("", row[field]) for row in csv.DictReader(io.StringIO(content)))


def _values(key: str, node: Any, field: str, where: str) -> Iterator[tuple[str, str]]:
    """Every text under a name; without a name, every text of a list; with `*`, every text."""
    if isinstance(node, dict):
        if where and "label" in node and not (node["label"] == 1 and where in node["source"]):
            return
        for name, value in node.items():
            if isinstance(value, str) and field in {name, "*"}:
                yield f"{key}/{name}", value
            elif not isinstance(value, str):
                yield from _values(f"{key}/{name}", value, field, where)
    elif isinstance(node, list):
        for value in node:
            if isinstance(value, str) and not field:
                yield key, value
            elif not isinstance(value, str):
                yield from _values(key, value, field, where)


def _translated(_path: str, content: str, _field: str, _source: Row) -> Iterator[tuple[str, str]]:
    """The messages of a catalogue of translations, each under what it translates."""
    for entry in content.split("\n\n"):
        said = dict(_MESSAGE.findall(entry))
        given, shown = (
            "".join(map(_unquoted, _LITERAL.findall(said.get(name, ""))))
            for name in ("msgid", "msgstr")
        )
        if given and shown:
            yield given, shown


def _field(_path: str, content: str, field: str, source: Row) -> Iterator[tuple[str, str]]:
    """The literals after a name in source code, put together where several follow each other."""
    if until := source.get("until"):
        content = re.split(str(until), content, maxsplit=1)[0]
    literal = r"(?:`(?:[^`\\]|\\.)*`|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    found = re.compile(rf"[\"']?\b{field}[\"']?(?::|=\()\s*((?:f?{literal}\s*\+?\s*)+)")
    for match in found.finditer(content):
        parts = re.findall(literal, match[1])
        yield "", "".join(_unquoted(part) for part in parts)


def _unquoted(literal: str) -> str:
    if literal.startswith("`"):
        return literal[1:-1].replace("\\`", "`").replace("\\n", "\n")
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError):
        return literal[1:-1]


def _quoted(_path: str, content: str, _field: str, source: Row) -> Iterator[tuple[str, str]]:
    content = content.partition(str(source.get("after", "")))[2] or content
    yield from (("", match[1]) for match in _FENCED.finditer(content))
    yield from (("", match[1]) for match in _IN_LINE.finditer(_FENCED.sub("", content)))


_TAKES: dict[str, Callable[[str, str, str, Row], Iterator[tuple[str, str]]]] = {
    "whole": _whole,
    "json": _json,
    "yaml": _yaml,
    "lines": _lines,
    "talks": _talks,
    "docstrings": _docstrings,
    "table": _table,
    "translated": _translated,
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
