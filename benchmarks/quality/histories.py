"""Makes a judged set of a project's history: which files did the commit with this message change?

Chooses the commits and files, and cuts files into pieces; reads git directories only.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_ENDINGS = (".java", ".ts", ".js", ".py", ".go", ".rs", ".md", ".rst")
_LINES = 40
_MOST_FILES = 3
_MOST_COMMITS = 500
_LEAST_WORDS = 4
_LONGEST_FILE = 400_000
_TRAILER = re.compile(r"^[A-Z][\w-]+: .*$|\(?#\d+\)?", re.MULTILINE)
_CHORES = re.compile(r"bump|release|merge|revert|typo|version|changelog|lint|format", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Commit:
    id: str
    message: str
    paths: tuple[str, ...]


def source_files(git: Path) -> list[str]:
    listed = _output(git, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    return [path for path in listed if path.endswith(_ENDINGS)]


def text_of(git: Path, path: str) -> str:
    return _output(git, "show", f"HEAD:{path}")[:_LONGEST_FILE]


def pieces_of(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Pieces of 40 lines, each with the path in front."""
    lines = text.splitlines()
    for number, start in enumerate(range(0, len(lines), _LINES)):
        if text := "\n".join(lines[start : start + _LINES]).strip():
            yield f"{path}#{number}", f"{path}\n{text}"


def telling_commits(git: Path, paths: set[str]) -> Iterator[Commit]:
    """The newest commits with a meaningful message that changed few, still existing files."""
    log = _output(git, "log", "--no-merges", "--name-only", "--format=%x01%H%x02%B%x02")
    found = 0
    for entry in log.split("\x01")[1:]:
        id, message, names = entry.split("\x02")
        told = _TRAILER.sub("", message).strip()
        changed = [path for path in names.split("\n") if path.endswith(_ENDINGS)]
        kept = tuple(path for path in changed if path in paths)
        tells = len(told.split()) >= _LEAST_WORDS and not _CHORES.search(told.split("\n")[0])
        if tells and kept and len(changed) <= _MOST_FILES:
            yield Commit(id, " ".join(told.split())[:1000], kept)
            found += 1
            if found == _MOST_COMMITS:
                return


def _output(git: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(git), *arguments], check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")
