"""Concepts of words that attacks use: words in 22 languages mapped to one concept each.

`words/*.txt` has a line per concept: its name and its words. `*` matches any ending, `_` joins
consecutive words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from commonplace.safety.folding import folded

# Scripts without spaces are matched by letter; so is Korean, whose words have many endings.
LETTERS = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_LETTER = re.compile(f"[{LETTERS}]")
# Arabic attaches articles, prepositions and "and" to the word.
_ATTACHED = re.compile("^(?:و|ف)?(?:ال|لل|بال|كال|ب|ل)(?=...)|^(?:و|ف)(?=...)")
_SHORTEST_STEM = 2


@dataclass(frozen=True, slots=True)
class ConceptLexicon:
    """The words of many languages that stand for concepts of attacks.

    `runs` has words of scripts without spaces, by first letter, longest first; `endings` has the
    last words of phrases.
    """

    words: dict[str, str]
    stems: dict[str, str]
    phrases: dict[str, str]
    endings: frozenset[str]
    runs: dict[str, tuple[tuple[str, str], ...]]
    longest: int

    def of_word(self, word: str) -> str | None:
        """The concept of a word, or of its stem."""
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
        """The concept of the longest word that starts here, in scripts without spaces."""
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
