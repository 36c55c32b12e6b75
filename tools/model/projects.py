"""What the history and the comments of a project ask, and its code as the product embeds it.

A commit asks for the files that it changed, a comment for the code below it.
"""

from __future__ import annotations

import ast
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from commonplace.text.parts import parts_to_embed
from tools.model.gather import Repository

_ENDINGS = (
    *(".py", ".js", ".mjs", ".ts", ".tsx", ".java", ".kt", ".go", ".rs", ".rb", ".php", ".cs"),
    *(".swift", ".c", ".h", ".cc", ".cpp", ".md", ".rst"),
)
_PROSE = (".md", ".rst")
_FOREIGN = re.compile(
    r"(^|/)(vendor|node_modules|third_party|dist|testdata|fixtures?)/"
    r"|\.min\.js|CHANGE|HISTORY|\.d\.ts$|generated|\.pb\.go$",
    re.IGNORECASE,
)
_SHORTEST_FILE, _LONGEST_FILE, _CHARACTERS = 200, 60_000, 900_000
_MOST_CHANGED, _MOST_COMMITS, _MOST_COMMENTS = 4, 1500, 1500
_LEAST_WORDS, _MOST_WORDS = 4, 60
_MOST_PIECES = 40
_TRAILER = re.compile(r"^[A-Z][\w-]+: .*$|\(?#\d+\)?", re.MULTILINE)
_CHORES = re.compile(r"bump|release|merge|revert|typo|version|changelog|lint|format", re.IGNORECASE)
_COMMENTED = re.compile(
    r"(?P<comment>(?:^[ \t]*/\*\*(?:.|\n)*?\*/[ \t]*\n)|(?:(?:^[ \t]*(?://|#)[^\n]*\n){1,30}))"
    r"(?P<indent>[ \t]*)(?P<line>[A-Za-z@\[][^\n]*)\n",
    re.MULTILINE,
)
_DEFINES = re.compile(
    r"\b(func|fn|function|def|class|struct|interface|trait|enum|impl|fun|public|private|protected"
    r"|static|export|const|void|int|bool)\b|\)\s*\{?\s*$"
)
_ENDS = re.compile(r"\s*(\}|end\b)")
_MARKS = re.compile(r"^\s*(/\*+|\*+/|\*|///?!?|#+)\s?")
_MARKUP = re.compile(r"\{@\w+ ([^}]*)\}|<[^>]+>")
_BEHIND = ("@", ":param", "Args", "Parameters", "Returns", ":return", ">>>", "```", "<p>")
Question = tuple[str, list[int]]


class Asked(NamedTuple):
    """`documents` in their passages, and which of them answer each question."""

    documents: list[list[str]]
    questions: list[Question]


def project(repository: Repository, copied: Callable[[str], bool]) -> tuple[Asked, Asked]:
    """What its commits and what its comments ask; what was `copied` is left out."""
    chance = random.Random(repository.name)
    sizes = {
        path: size
        for path, size in repository.sizes().items()
        if path.endswith(_ENDINGS)
        and _SHORTEST_FILE < size < _LONGEST_FILE
        and not _FOREIGN.search(path)
    }
    commits = list(_telling(repository, sizes))
    files = dict(repository.contents(_most_changed(commits, sizes)))
    places = {path: place for place, path in enumerate(files)}
    documents, commented = [], []
    for path, text in files.items():
        pieces = [one for one in _pieces(path, text, chance) if not copied(one)]
        documents.append(pieces[:_MOST_PIECES])
        commented += [
            (asked, parts_to_embed(_context(path), code, "code")[0])
            for asked, code in _comments(path, text, chance)
            if not copied(asked) and not copied(code)
        ]
    questions = []
    for message, paths in commits:
        changed = [places[path] for path in paths if path in places and documents[places[path]]]
        if changed and not copied(message):
            questions.append((message, changed))
    taken = chance.sample(commented, min(_MOST_COMMENTS, len(commented)))
    below = Asked([[code] for _, code in taken], [(one, [n]) for n, (one, _) in enumerate(taken)])
    return Asked(documents, questions[:_MOST_COMMITS]), below


def _telling(repository: Repository, sizes: dict[str, int]) -> Iterator[tuple[str, list[str]]]:
    for message, paths in repository.changes():
        told = _TRAILER.sub("", message).strip()
        changed = [path for path in paths if path.endswith(_ENDINGS)]
        kept = [path for path in changed if path in sizes]
        tells = len(told.split()) >= _LEAST_WORDS and not _CHORES.search(told.split("\n")[0])
        if tells and kept and len(changed) <= _MOST_CHANGED:
            yield " ".join(told.split())[:600], kept


def _most_changed(commits: list[tuple[str, list[str]]], sizes: dict[str, int]) -> list[str]:
    """Of a large project only some files can be taken: those that are asked for often."""
    times = Counter(path for _, paths in commits for path in paths)
    left, chosen = _CHARACTERS, []
    for path in sorted(sizes, key=lambda one: (-times[one] / (1 + sizes[one] / 8000), one)):
        if sizes[path] <= left:
            left -= sizes[path]
            chosen.append(path)
    return chosen


def _context(path: str) -> str:
    return "/".join(path.split("/")[-2:])


def _pieces(path: str, text: str, chance: random.Random) -> Iterator[str]:
    lines = text.splitlines()
    language = None if path.endswith(_PROSE) else "code"
    starts = [0]
    while starts[-1] < len(lines):
        starts.append(starts[-1] + chance.choice((20, 40, 40) if language else (40,)))
    for start, end in pairwise(starts):
        if piece := "\n".join(lines[start:end]).strip():
            yield from parts_to_embed(_context(path), piece, language)


def _comments(path: str, text: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """What comments say of code, and that code, mostly without them."""
    if path.endswith(_PROSE):
        return
    found = _docstrings(text, chance) if path.endswith(".py") else _comments_above(text)
    for comment, lines in found:
        asked = _said(comment)
        licence = "icense" in asked or "opyright" in asked
        if len(lines) >= 3 and not licence and _LEAST_WORDS <= len(asked.split()) <= _MOST_WORDS:
            yield asked, "\n".join(lines)


def _docstrings(text: str, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return  # written for another Python
    lines = text.splitlines()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        told, first = ast.get_docstring(node), node.body[0]
        if told:
            body = lines[node.lineno - 1 : node.end_lineno]
            if chance.random() >= 0.25:
                body = lines[node.lineno - 1 : first.lineno - 1]
                body += lines[first.end_lineno : node.end_lineno]
            yield told, body[:60]


def _comments_above(text: str) -> Iterator[tuple[str, list[str]]]:
    lines = text.splitlines()
    for found in _COMMENTED.finditer(text):
        if _DEFINES.search(found["line"]):
            start = text.count("\n", 0, found.start("indent"))
            yield found["comment"], _block(lines[start : start + 60], len(found["indent"]))


def _block(lines: list[str], indent: int) -> list[str]:
    """As far as a line that closes what the first one began."""
    for place, line in enumerate(lines[1:], start=1):
        if line.strip() and len(line) - len(line.lstrip()) <= indent and _ENDS.match(line):
            return lines[: place + 1]
    return lines[:25]


def _said(comment: str) -> str:
    """Its first paragraph, without the signs of comments."""
    said: list[str] = []
    for line in comment.splitlines():
        words = _MARKS.sub("", line).rstrip(" */").strip()
        if words and not words.startswith(_BEHIND):
            said.append(_MARKUP.sub(lambda found: found[1] or "", words))
        elif said:
            break
    return " ".join(" ".join(said).split())[:300]
