"""What somebody finds who greps for the words of a question and opens the files with most of them.

Two ways to rank, and the kinder one is reported: by how many of the words a file has, and by how
rare those are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.quality.workspace.questions import Repository
from commonplace.text.filenames import is_made_by_tools, is_not_text, is_skipped_folder
from commonplace.text.lexicon import lexicon

_WORD = re.compile(r"[a-z0-9]{3,}")


@dataclass(frozen=True, slots=True)
class Grep:
    """The text of every file of a project's sources, in lower case."""

    files: Mapping[str, str]

    def by_number(self, question: str) -> list[str]:
        words = words_of(question)
        return self._ranked(words, lambda counts: (sum(map(bool, counts)), sum(counts)))

    def by_rarity(self, question: str) -> list[str]:
        words = words_of(question)
        rarity = [self._rarity(word) for word in words]
        return self._ranked(
            words,
            lambda counts: (
                sum(rare for rare, count in zip(rarity, counts, strict=True) if count),
                sum(counts),
            ),
        )

    def _rarity(self, word: str) -> float:
        having = sum(word in text for text in self.files.values())
        return math.log((len(self.files) + 1) / (having + 1))

    def _ranked(
        self, words: Sequence[str], worth: Callable[[list[int]], tuple[float, int]]
    ) -> list[str]:
        found = {
            path: worth([text.count(word) for word in words]) for path, text in self.files.items()
        }
        matching = (path for path, (_, total) in found.items() if total)
        return sorted(matching, key=lambda path: (*(-part for part in found[path]), path))


def words_of(question: str) -> list[str]:
    found = dict.fromkeys(_WORD.findall(question.lower()))
    return [word for word in found if word not in lexicon().stop_words]


def read(repository: Repository, data: Path) -> Grep:
    root = repository.root(data)
    files: dict[str, str] = {}
    for source in repository.sources:
        for file in sorted((root / source.folder).rglob("*")):
            if file.is_file() and _is_searched(file.relative_to(root)):
                text = file.read_text(encoding="utf-8", errors="ignore").lower()
                files[file.relative_to(root).as_posix()] = text
    return Grep(files)


def _is_searched(path: Path) -> bool:
    *folders, name = path.parts
    skipped = any(map(is_skipped_folder, folders)) or is_made_by_tools(name) or is_not_text(name)
    return not skipped and name != "tokenizer.json"
