"""Training texts as one long row of tokens, and the batches of pieces drawn from it.

Decides where a piece may begin and end, how many come from each kind of text, and what is asked of
it. Knows nothing of models.
"""

from __future__ import annotations

import importlib
import multiprocessing
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tools.model.gather import DIVIDER

torch: Any = importlib.import_module("torch")
Array = NDArray[Any]
BEGIN, PAD, END = 0, 1, 2
# How many pieces of a batch are of a kind, in hundredths. What has too few of a length gives none.
SHARES = {
    "science": 16,
    "prose": 10,
    "talk": 14,
    "docs": 17,
    "commits": 9,
    "code": 14,
    "packages": 9,
    "sketches": 11,
}
# Up to this width a piece is one line: a turn of talk, a heading, a statement.
_LINE = 48
_LEAST = 5
_HELD_BACK = 100
_SKETCHED_LINES = 40
_SKETCHED_CHARACTERS = 600
_NAME = re.compile(r"[^\W\d_]\w+")
_tokenizer: Any = None


def read_texts(folder: Path) -> dict[str, list[str]]:
    """What gather.py wrote, by kind."""
    files = sorted(folder.glob("*.txt"))
    return {file.stem: file.read_text(encoding="utf-8").split(DIVIDER) for file in files}


def sketches(texts: Sequence[str], keywords: str) -> Iterator[str]:
    """Long pieces of code as the product embeds them: their names, each once, no keywords."""
    common = frozenset(keywords.split())
    for text in texts:
        lines = text.splitlines()
        for start in range(0, len(lines), _SKETCHED_LINES):
            piece = "\n".join(lines[start : start + _SKETCHED_LINES])
            if len(piece) > _SKETCHED_CHARACTERS:
                names = dict.fromkeys(_NAME.findall(piece))
                yield " ".join(name for name in names if name.lower() not in common)


def _start_tokenizer(definition: str) -> None:
    global _tokenizer  # noqa: PLW0603 - one for each process of the pool
    _tokenizer = Tokenizer.from_str(definition)


def _tokens(text: str) -> Array:
    return np.array(_tokenizer.encode(text, add_special_tokens=False).ids, np.uint16)


def tokenised(definition: str, texts: dict[str, list[str]]) -> dict[str, list[Array]]:
    with multiprocessing.Pool(initializer=_start_tokenizer, initargs=(definition,)) as pool:
        return {kind: pool.map(_tokens, found, chunksize=64) for kind, found in texts.items()}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a token is in a text, by its number."""

    breaks: Array
    blank: Array
    ends_sentence: Array
    begins_word: Array
    capital: Array
    bare: Array

    @classmethod
    def of(cls, definition: str) -> Vocabulary:
        numbers = Tokenizer.from_str(definition).get_vocab()
        names = [""] * (max(numbers.values()) + 1)
        for name, number in numbers.items():
            names[number] = name
        told = [name.replace("Ġ", " ").replace("Ċ", "\n") for name in names]
        bare = [numbers.get(name.removeprefix("Ġ"), n) for n, name in enumerate(names)]
        return cls(
            breaks=np.array(["\n" in name for name in told]),
            blank=np.array([not name.strip() for name in told]),
            ends_sentence=np.array([name.endswith((".", "?", "!")) for name in told]),
            begins_word=np.array([name[:1] == " " and name.strip().isalnum() for name in told]),
            capital=np.array([name[:1] == " " and name[1:2].isupper() for name in told]),
            bare=np.array(bare),
        )


class Lessons:
    """Tokens on the device, the places where a piece may begin, and batches of pieces."""

    def __init__(self, kinds: dict[str, list[Array]], vocabulary: Vocabulary, device: str) -> None:
        documents = [document for found in kinds.values() for document in found]
        lengths = np.array([len(document) for document in documents])
        row = np.concatenate(documents).astype(np.int64)
        ends = np.repeat(np.cumsum(lengths), lengths)
        first = np.zeros(len(row), bool)
        first[np.cumsum(lengths)[:-1][lengths[1:] > 0]] = True
        first[0] = True
        starts = np.flatnonzero(_beginnings(row, first, vocabulary))
        lines = np.append(np.flatnonzero(vocabulary.breaks[row]), len(row))
        line_ends = np.minimum(lines[np.searchsorted(lines, starts)], ends[starts])
        sizes = [sum(map(len, found)) for found in kinds.values()]
        self._kinds = list(kinds)
        self._device = device
        self._row = self._put(row)
        self._bare = self._put(vocabulary.bare)
        self._words = self._put(np.flatnonzero(vocabulary.begins_word[row] | first))
        self._starts = self._put(starts)
        self._ends = self._put(ends[starts])
        self._line_ends = self._put(line_ends)
        self._kind_of = self._put(np.searchsorted(np.cumsum(sizes), starts, side="right"))
        held = np.repeat(np.arange(len(lengths)), lengths)[starts] % _HELD_BACK == 0
        self._held = self._put(held)
        self._candidates: dict[tuple[int, str, bool], Any] = {}
        self.tokens = len(row)

    def batch(self, width: int, pieces: int, *, held: bool = False, only: str = "") -> Any:
        """So many pieces of all kinds, each filling at least half of the width: begin and end."""
        found = {k: self._fitting(width, k, held) for k in ([only] if only else self._kinds)}
        found = {kind: fitting for kind, fitting in found.items() if len(fitting)}
        whole = sum(SHARES[kind] for kind in found)
        chosen = []
        for kind, fitting in found.items():
            count = pieces if only else max(1, pieces * SHARES[kind] // whole)
            chosen.append(fitting[torch.randint(len(fitting), (count,), device=self._device)])
        picked = torch.cat(chosen)
        starts, ends = self._starts[picked], self._ends_for(width)[picked]
        return starts, torch.minimum(ends, starts + width - 2)

    def inputs(self, starts: Any, ends: Any, width: int) -> tuple[Any, Any]:
        """The tokens of the pieces between the signs of beginning and end, and their number."""
        ends = torch.minimum(ends, starts + width - 2)
        counts = ends - starts
        places = torch.arange(width, device=self._device) - 1
        at = (starts[:, None] + places).clamp(0, self.tokens - 1)
        tokens = torch.where(places < counts[:, None], self._row[at], PAD)
        tokens[:, 1] = self._bare[tokens[:, 1]]
        tokens[:, 0] = BEGIN
        tokens.scatter_(1, (counts + 1)[:, None], END)
        return tokens, counts + 2

    def further(self, starts: Any, ends: Any, width: int) -> Any:
        """Where the pieces would end if they might be so wide."""
        at = torch.searchsorted(self._starts, starts)
        return torch.maximum(ends, torch.minimum(self._ends[at], starts + width - 2))

    def questions(self, starts: Any, ends: Any, width: int) -> tuple[Any, Any]:
        """For each piece its first words, and some words from anywhere in it."""
        room = (ends - starts - 4).clamp(min=0)
        anywhere = starts + (torch.rand(len(starts), device=self._device) * room).long()
        at = torch.searchsorted(self._words, anywhere).clamp(max=len(self._words) - 1)
        anywhere = torch.minimum(self._words[at], ends - 1)
        begins = torch.cat([starts, anywhere])
        sizes = torch.randint(4, width - 1, begins.shape, device=self._device)
        return self.inputs(begins, torch.minimum(begins + sizes, torch.cat([ends, ends])), width)

    def _fitting(self, width: int, kind: str, held: bool) -> Any:
        key = (width, kind, held)
        if key not in self._candidates:
            sizes = self._ends_for(width) - self._starts
            right = (self._kind_of == self._kinds.index(kind)) & (self._held == held)
            enough = sizes >= max(_LEAST, width // 2)
            self._candidates[key] = torch.nonzero(right & enough).flatten()
        return self._candidates[key]

    def _ends_for(self, width: int) -> Any:
        return self._line_ends if width <= _LINE else self._ends

    def _put(self, values: Array) -> Any:
        return torch.from_numpy(np.ascontiguousarray(values)).to(self._device)


def _beginnings(row: Array, first: Array, vocabulary: Vocabulary) -> Array:
    """A piece begins with a text, a line or a sentence."""
    before = np.roll(row, 1)
    broken = vocabulary.breaks[before]
    indented = vocabulary.blank[before] & np.roll(broken, 1)
    sentence = vocabulary.ends_sentence[before] & vocabulary.capital[row]
    return (first | broken | indented | sentence) & ~vocabulary.blank[row]
