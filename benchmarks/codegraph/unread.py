"""How many files of whole projects the grammars read whole, and how many lines they do not.

The data folder holds the sources of projects in `src/<name>`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from benchmarks.quality.datasets import DATA_VARIABLE
from benchmarks.report import Report, Table, now
from commonplace.codegraph.extraction.extract import as_utf8, unreadable
from commonplace.codegraph.extraction.languages import language_of, tools_of
from commonplace.codegraph.extraction.parsing import parse

_NOT_OURS = frozenset({"node_modules", ".git"})


@dataclass(slots=True)
class _Read:
    """Files of one language, those with lines unread, those not read at all, and lines."""

    files: int = 0
    partly: int = 0
    refused: int = 0
    lines: int = 0
    unread: int = 0


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks unread", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA_VARIABLE))
    parser.add_argument("projects", nargs="*", help="names; all of the folder without any")
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit(f"Set {DATA_VARIABLE} or --data: benchmarks/codegraph/README.md says to what.")
    started, sources = now(), Path(given.data) / "src"
    names = given.projects or sorted(path.name for path in sources.iterdir())
    found: dict[str, _Read] = defaultdict(_Read)
    broken: list[tuple[str, str]] = []
    for name in names:
        for path in _files(sources / name):
            problem = _count(path, found)
            if problem:
                broken.append((str(path.relative_to(sources)), problem))
    Report(
        "unread", (_by_language(found), _broken(broken)), (f"Projects: {', '.join(names)}.",)
    ).save(started)


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        ours = _NOT_OURS.isdisjoint(path.parts) and path.is_file() and not path.is_symlink()
        if ours and language_of(path.name):
            yield path


def _count(path: Path, found: dict[str, _Read]) -> str:
    """Counts a file, and says what is wrong with it."""
    language = language_of(path.name)
    assert language, "only files of known languages are counted"
    source, read = path.read_bytes(), found[language.name]
    read.files += 1
    read.lines += source.count(b"\n") + 1
    reason = unreadable(source)
    parsed = parse(language, tools_of(language).grammar, as_utf8(b"" if reason else source))
    if reason or parsed.problem:
        read.refused += 1
        return reason or parsed.problem
    read.unread += len(parsed.unread)
    read.partly += bool(parsed.unread)
    return f"{len(parsed.unread)} lines unread" if parsed.unread else ""


def _by_language(found: dict[str, _Read]) -> Table:
    counts = {name: astuple(each) for name, each in sorted(found.items())}
    counts["all"] = tuple(map(sum, zip(*counts.values(), strict=True)))
    columns = ("language", "files", "read in part", "not read", "lines", "lines unread")
    rows = tuple((name, *each) for name, each in counts.items())
    return Table("Files and lines that grammars do not read", columns, rows)


def _broken(broken: Sequence[tuple[str, str]]) -> Table:
    return Table("Which, and why", ("file", "problem"), tuple(broken))


if __name__ == "__main__":
    main(sys.argv[1:])
