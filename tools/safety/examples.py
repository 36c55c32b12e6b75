"""Training examples: the tuning half of the collected texts, and lines of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.injection.texts import Text, texts
from commonplace.safety.folding import folded
from commonplace.safety.lexicon import lexicon
from commonplace.safety.likeness import FEATURES, HASHES, features, meaning, together

# Sources that have more texts than all others together, each said in few words.
_LESS = {
    "ATR, examples of rules": 0.3,
    "ATR, variations": 0.3,
    "ATR, skills": 0.3,
    "deepset": 0.3,
    "ATR, harmless": 0.5,
}
OWN_ATTACKS = Path(__file__).with_name("attacks.txt")
OWN_ORDINARY = Path(__file__).with_name("ordinary.txt")
_MOST_CHARS = 20_000
_SENTENCES, _ORDERS = 20, 20
# Orders to people, which attacks are made of too: documentation, runbooks and manuals are full of
# them, but not in proportion to how often a note is one.
_ORDER = re.compile(
    r"(?:[-*>\d.) ]{0,6})(?:add|allow|always|answer|apply|ask|avoid|build|call|change|check|choose|"
    r"clean|clear|close|commit|configure|connect|copy|create|define|delete|deploy|disable|do not|"
    r"don't|drop|edit|enable|ensure|enter|execute|fix|follow|forget|generate|get|give|go|if you|"
    r"ignore|import|install|keep|let|list|log|make|merge|move|never|open|please|press|print|push|put|"
    r"read|reboot|remember|remove|rename|repeat|replace|reply|report|reset|restart|return|review|run|"
    r"save|say|see|select|send|set|show|sign|skip|specify|start|stop|switch|tell|test|try|turn|type|"
    r"update|upgrade|upload|use|verify|wait|when you|write|you (?:can|must|need|should|have))\b",
    re.IGNORECASE,
)

Words = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Example:
    """The features of each word of a text, a row for each; copies and translations share a fold."""

    source: str
    document: int
    words: Words
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Examples:
    """`sentences` are those of ordinary texts, `requests` harmless ones with words of attacks."""

    attacks: list[Example]
    ordinary: list[Example]
    sentences: list[Example]
    requests: list[Example]

    def fold(self, number: int, folds: int, *, inside: bool) -> Examples:
        def part(given: Sequence[Example]) -> list[Example]:
            return [one for one in given if (one.document % folds == number) == inside]

        return Examples(*map(part, (self.attacks, self.ordinary, self.sentences, self.requests)))


def read() -> Examples:
    requests = (*_tuning("trigger_words"), *_tuning("undecidable"), *_own(OWN_ORDINARY))
    return Examples(
        attacks=_examples([*_tuning("attacks"), *_own(OWN_ATTACKS)]),
        ordinary=_examples(_tuning("ordinary")),
        sentences=_examples(_sentences()),
        requests=_examples(requests),
    )


def _own(file: Path) -> list[Text]:
    lines = file.read_text("utf-8").splitlines()
    return [Text("own", "", number, False, False, line) for number, line in enumerate(lines)]


def _tuning(group: str) -> Iterator[Text]:
    return (text for text in texts(group) if not text.held)


def _sentences() -> Iterator[Text]:
    """Lines that could stand alone as a note, evenly from each text, each once; more of orders."""
    seen: set[str] = set()
    for text in _tuning("ordinary"):
        lines = [line for line in text.text[:_MOST_CHARS].splitlines() if 24 < len(line) < 300]
        orders = [line for line in lines if _ORDER.match(line)]
        for line in _evenly(lines, _SENTENCES) + _evenly(orders, _ORDERS):
            if line not in seen:
                seen.add(line)
                yield Text(text.source, text.kind, text.document, False, False, line)


def _evenly(lines: list[str], most: int) -> list[str]:
    return lines[:: max(1, len(lines) // most)][:most]


def _examples(given: Iterator[Text] | Sequence[Text]) -> list[Example]:
    found = (
        Example(one.source, one.document, _words(one.text), _LESS.get(one.source, 1.0))
        for one in given
    )
    return [one for one in found if len(one.words)]


def meanings() -> Words:
    """The features that say what words mean, and not how they are written."""
    known = lexicon()
    named = {*known.words.values(), *known.stems.values(), *known.phrases.values()}
    named |= {concept for runs in known.runs.values() for _, concept in runs}
    pairs = (together(one, other) for one in named for other in named)
    return np.array(sorted({*map(meaning, named), *pairs}), dtype=np.int32)


def _words(text: str) -> Words:
    rows = features(folded(text[:_MOST_CHARS]))
    filled = [(*row, *(HASHES,) * (FEATURES - len(row))) for row in rows]
    return np.array(filled, dtype=np.int32).reshape(-1, FEATURES)
