"""What words mean, as far as attacks are made of them: one concept for a word in 22 languages.

`words/*.txt` has a line for each concept: its name and the words for it. `*` stands for any
ending, `_` joins words that follow each other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from commonplace.safety.folding import folded

# Scripts without spaces are read letter by letter, and so is Korean, whose words have many endings.
LETTERS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_LETTER = re.compile(f"[{LETTERS}]")
# Articles, prepositions and "and" are written together with the word in Arabic.
_ATTACHED = re.compile("^(?:و|ف)?(?:ال|لل|بال|كال|ب|ل)(?=...)|^(?:و|ف)(?=...)")
_SHORTEST_STEM = 2


@dataclass(frozen=True, slots=True)
class ConceptLexicon:
    """`runs` are words of scripts without spaces, by their first letter, the longest first;
    `endings` are the last words of phrases."""

    words: dict[str, str]
    stems: dict[str, str]
    phrases: dict[str, str]
    endings: frozenset[str]
    runs: dict[str, tuple[tuple[str, str], ...]]
    longest: int

    def of_word(self, word: str) -> str | None:
        """The concept of a word, or of what it begins with."""
        known = self._found(word)
        if known is None and (bare := _ATTACHED.sub("", word)) != word:
            known = self._found(bare)
        return known

    def _found(self, word: str) -> str | None:
        if (known := self.words.get(word)) is not None:
            return known
        for length in range(min(len(word), self.longest), _SHORTEST_STEM - 1, -1):
            if (known := self.stems.get(word[:length])) is not None:
                return known
        return None

    def of_letters(self, text: str, at: int) -> str | None:
        """The concept of the longest word that begins here, where words are not parted."""
        for run, concept in self.runs.get(text[at], ()):
            if text.startswith(run, at):
                return concept
        return None


@cache
def lexicon() -> ConceptLexicon:
    words: dict[str, str] = {}
    stems: dict[str, str] = {}
    phrases: dict[str, str] = {}
    runs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for concept, word in _entries():
        if _LETTER.match(word):
            runs[word[0]].append((word.replace(" ", ""), concept))
        elif " " in word:
            phrases.setdefault(word, concept)
        elif word.endswith("\0"):
            stems.setdefault(word[:-1], concept)
        else:
            words.setdefault(word, concept)
    ordered = {
        first: tuple(sorted(found, key=lambda run: -len(run[0]))) for first, found in runs.items()
    }
    endings = frozenset(phrase.split()[-1] for phrase in phrases)
    return ConceptLexicon(words, stems, phrases, endings, ordered, max(map(len, stems)))


def _entries() -> Iterator[tuple[str, str]]:
    folder = files("commonplace.safety").joinpath("words")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        for line in file.read_text(encoding="utf-8").splitlines():
            concept, *words = line.split()
            for word in words:
                ending = "\0" if word.endswith("*") and "_" not in word else ""
                yield concept, folded(word.rstrip("*").replace("_", " ")) + ending
