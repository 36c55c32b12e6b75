"""Trains the model that detects attacks on agents: python -m tools.safety.train; see README.md."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import commonplace.safety
from commonplace.safety.likeness import (
    BUCKETS,
    FEWEST,
    HASHES,
    HEADER,
    LENGTHS,
    MODEL,
    STEP,
    WINDOW,
)
from tools.safety.examples import Example, Examples, Words, meanings, read

SEED = 7
FOLDS = 3
ROUNDS, EPOCHS, BATCH = 5, 2, 256
RATE, DROPPED = 0.3, 0.6
# So often a window is shown by what its words mean alone, as one in an unknown language would be.
BARE = 0.25
PRIOR = 4.0
POSITIVE_SHARE = 0.06
# Which share of ordinary texts of each length may raise an alarm: what finds most attacks of the
# folds where an alarm costs the same at each length, among whole texts, passages and lines alike.
ALARMS = (0.005, 0.012, 0.0255, 0.018, 0.0205, 0.0175, 0.0045)
# What is not known scores 0 and is never suspicious; neither are a word or two of an attack, and of
# a few words it takes more: an order to people has the words of an attack.
LEAST = (1.8, 1.4, 0.9, 0.9, 0.9, 0.9, 0.9)
_MOST_WINDOWS, _MOST_OF_AN_ATTACK, _SHORT_ONES, _SHORTEST = 40, 6, 4, 6
_TIMES = 4
_PASSAGES, _PASSAGE = 2, (25, 400)

Weights = NDArray[np.float64]
# Where each begins, how wide it is, and how much it counts.
Windows = NDArray[np.float64]


@dataclass(slots=True)
class Learned:
    """A weight for each hash, the last one that of no feature; `squares` slow what has moved."""

    weights: Weights
    squares: Weights = field(default_factory=lambda: np.zeros(0))

    def score(self, words: Words) -> float:
        return self.best(words)[1]

    def best(self, words: Words) -> tuple[int, float]:
        """Where the window begins that is most like an attack, and its score."""
        width = min(WINDOW, len(words))
        sums = np.concatenate([[0.0], np.cumsum(self.weights[words].sum(axis=1))])
        last = len(words) - width
        starts = np.array([*range(0, last, STEP), last])
        gains = sums[starts + width] - sums[starts]
        return int(starts[np.argmax(gains)]), float(gains.max()) / np.sqrt(max(width, FEWEST))


def main() -> None:
    given = read()
    least = thresholds(given)
    scale, weights, checks = packed(learn(given))
    target = Path(str(commonplace.safety.__file__)).with_name(MODEL)
    target.write_bytes(HEADER.pack(scale, *least) + weights.tobytes() + checks.tobytes())
    told = ", ".join(f"{one:.2f}" for one in least)
    print(f"{target.name}: {target.stat().st_size} bytes; suspicious from {told} on, by length")


def thresholds(given: Examples) -> list[float]:
    """For each length, where the wanted share of unseen ordinary texts raises an alarm."""
    ordinary: list[list[float]] = [[] for _ in range(len(LENGTHS) + 1)]
    attacks: list[tuple[int, float]] = []
    for number in range(FOLDS):
        learned = kept(learn(given.fold(number, FOLDS, inside=False)))
        unseen = given.fold(number, FOLDS, inside=True)
        chance = np.random.default_rng(SEED + number)
        passages = [cut for one in unseen.ordinary for cut in _passages(one.words, chance)]
        texts = [one.words for one in (*unseen.ordinary, *unseen.sentences)]
        for words in (*texts, *passages):
            ordinary[bisect_left(LENGTHS, len(words))].append(learned.score(words))
        attacks += [
            (bisect_left(LENGTHS, len(one.words)), learned.score(one.words))
            for one in unseen.attacks
        ]
    least = [
        max(lowest, float(np.quantile(scores, 1 - share)))
        for scores, share, lowest in zip(ordinary, ALARMS, LEAST, strict=True)
    ]
    print(f"unseen: {np.mean([score >= least[at] for at, score in attacks]):.3f} of the attacks")
    return least


def packed(learned: Learned) -> tuple[float, NDArray[np.int8], NDArray[np.uint8]]:
    """The heaviest feature of each bucket, its weight in a byte, and by what it is known."""
    known = np.flatnonzero(learned.weights)
    known = known[np.argsort(-np.abs(learned.weights[known]), kind="stable")]
    buckets, first = np.unique(known % BUCKETS, return_index=True)
    scale = float(np.abs(learned.weights).max()) / 127
    weights, checks = np.zeros(BUCKETS, np.int8), np.zeros(BUCKETS, np.uint8)
    weights[buckets] = np.round(learned.weights[known[first]] / scale)
    checks[buckets] = known[first] // BUCKETS
    return scale, weights, checks


def kept(learned: Learned) -> Learned:
    """What is left of it when it was packed."""
    scale, weights, checks = packed(learned)
    left = np.zeros(HASHES + 1)
    left[np.arange(BUCKETS) + checks.astype(np.int64) * BUCKETS] = weights * scale
    return Learned(left)


def learn(given: Examples) -> Learned:
    """Only what occurs in attacks has a weight: the rest says nothing for or against."""
    seen = np.unique(np.concatenate([one.words.ravel() for one in given.attacks]))
    seen = seen[seen < HASHES]
    places = np.full(HASHES + 1, len(seen), dtype=np.int32)
    places[seen] = np.arange(len(seen), dtype=np.int32)
    texts = _Texts(places)
    chance = np.random.default_rng(SEED)
    negative = _windows_of_ordinary(texts, given, chance)
    positive = [
        (*window, one.weight)
        for one in given.attacks
        for window in texts.windows(one, _MOST_OF_AN_ATTACK)
    ]
    starts = [texts.whole(one)[0] for one in given.attacks]
    rows = texts.rows()
    meant = np.append(np.isin(seen, meanings()), False)
    learned = Learned(np.zeros(len(seen) + 1), np.full(len(seen) + 1, 1e-3))
    for number in range(ROUNDS):
        if number:
            at = [learned.best(places[one.words])[0] for one in given.attacks]
            positive = [
                (start + begin, min(WINDOW, len(one.words)), one.weight)
                for start, begin, one in zip(starts, at, given.attacks, strict=True)
            ]
        _descend(learned, rows, meant, (np.array(positive), np.array(negative)), chance)
    full = np.zeros(HASHES + 1)
    full[seen] = learned.weights[:-1]
    return Learned(full)


def _windows_of_ordinary(
    texts: _Texts, given: Examples, chance: np.random.Generator
) -> list[tuple[int, int, float]]:
    found = [
        (*window, 1.0)
        for one in given.ordinary
        for window in texts.windows(one, _MOST_WINDOWS) + texts.short(one, chance)
    ]
    found += [(*texts.whole(one), 1.0) for one in given.sentences]
    return found + [(*texts.whole(one), _TIMES * one.weight) for one in given.requests]


class _Texts:
    """Texts one after the other as rows of features; a window is where it begins and its width."""

    def __init__(self, places: NDArray[np.int32]) -> None:
        self._places = places
        self._begins: dict[int, int] = {}
        self._rows: list[Words] = []
        self._length = 0

    def rows(self) -> Words:
        return np.concatenate(self._rows)

    def whole(self, text: Example) -> tuple[int, int]:
        return self._begin(text), min(WINDOW, len(text.words))

    def windows(self, text: Example, most: int) -> list[tuple[int, int]]:
        begin, length = self._begin(text), len(text.words)
        if length <= WINDOW:
            return [(begin, length)]
        half = WINDOW // 2
        ends = [(at, min(WINDOW, length - at)) for at in range(0, length - half, half)]
        return [(begin + at, width) for at, width in ends[:most]]

    def short(self, text: Example, chance: np.random.Generator) -> list[tuple[int, int]]:
        """Ordinary text comes in short pieces too: messages, titles, single sentences."""
        begin, length = self._begin(text), len(text.words)
        found = []
        for _ in range(_SHORT_ONES):
            width = min(length, int(chance.integers(_SHORTEST, WINDOW + 1)))
            found.append((begin + int(chance.integers(0, length - width + 1)), width))
        return found

    def _begin(self, text: Example) -> int:
        if id(text) not in self._begins:
            self._begins[id(text)] = self._length
            self._rows.append(self._places[text.words])
            self._length += len(text.words)
        return self._begins[id(text)]


def _passages(words: Words, chance: np.random.Generator) -> Sequence[Words]:
    """Searches show parts of texts, of any length."""
    if len(words) <= _PASSAGE[0]:
        return ()
    found = []
    for _ in range(_PASSAGES):
        width = min(len(words), int(np.exp(chance.uniform(*np.log(_PASSAGE)))))
        at = int(chance.integers(0, len(words) - width + 1))
        found.append(words[at : at + width])
    return found


def _descend(
    learned: Learned,
    rows: Words,
    meant: NDArray[np.bool_],
    given: tuple[Windows, Windows],
    chance: np.random.Generator,
) -> None:
    """Logistic regression by gradient descent in batches, each weight at a rate of its own."""
    positive, negative = given
    begins, widths = np.concatenate(given)[:, :2].astype(np.int64).T
    none = len(learned.weights) - 1
    labels = np.repeat([1.0, 0.0], [len(positive), len(negative)])
    share = POSITIVE_SHARE * negative[:, 2].sum() / positive[:, 2].sum()
    attention = np.concatenate([positive[:, 2] * share, negative[:, 2]])
    shares = 1 / np.sqrt(np.maximum(widths, FEWEST))
    for _ in range(EPOCHS):
        order = chance.permutation(len(labels))
        for batch in np.split(order, range(BATCH, len(order), BATCH)):
            parts = [rows[begins[one] : begins[one] + widths[one]].ravel() for one in batch]
            features = np.concatenate(parts)
            of = np.repeat(np.arange(len(batch)), [len(part) for part in parts])
            bare = chance.random(len(batch)) < BARE
            shown = (features < none) & (meant[features] | ~bare[of])
            features, of = features[shown], of[shown]
            sums = np.bincount(of, learned.weights[features], len(batch))
            logits = np.clip(sums * shares[batch] - PRIOR, -30, 30)
            errors = (1 / (1 + np.exp(-logits)) - labels[batch]) * attention[batch] * shares[batch]
            used = chance.random(len(features)) > DROPPED
            step = np.bincount(features[used], errors[of[used]], none + 1)
            learned.squares += step * step
            learned.weights -= RATE * step / np.sqrt(learned.squares)


if __name__ == "__main__":
    main()
