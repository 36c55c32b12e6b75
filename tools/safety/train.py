"""Learns what attacks on agents read like: python -m tools.safety.train; see README.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import commonplace.safety
from benchmarks.quality.injection.texts import texts
from commonplace.safety.folding import folded
from commonplace.safety.likeness import (
    BUCKETS,
    FEATURES,
    FEWEST,
    HEADER,
    MODEL,
    WINDOW,
    buckets,
)

SEED = 7
FOLDS = 3
ROUNDS, EPOCHS = 3, 2
RATE, DROPPED, DECAY = 0.1, 0.4, 1e-4
PRIOR = 3.0
POSITIVE_SHARE = 0.08
ALARMS = 0.01
_STEP = 8
_MOST_CHARS = 20_000
_SENTENCES = 10
_MOST_WINDOWS, _MOST_OF_AN_ATTACK, _SHORT_ONES, _SHORTEST = 40, 6, 4, 6
_TIMES = 8

Words = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(slots=True)
class Learned:
    """A text of which nothing is known scores 0; it takes evidence to be suspicious."""

    weights: Weights

    def score(self, words: Words) -> float:
        return self.best(words)[1]

    def best(self, words: Words) -> tuple[Words, float]:
        """The window that is most like an attack."""
        width = min(WINDOW, len(words))
        sums = np.concatenate([[0.0], np.cumsum(self.weights[words].sum(axis=1))])
        last = len(words) - width
        starts = np.array([*range(0, last, _STEP), last])
        gains = sums[starts + width] - sums[starts]
        at = int(starts[np.argmax(gains)])
        score = float(gains.max()) / np.sqrt(max(width, FEWEST) * FEATURES)
        return words[at : at + width], float(score)


@dataclass(frozen=True, slots=True)
class Texts:
    """`sentences` are those of ordinary texts, `requests` harmless ones with words of attacks."""

    attacks: Sequence[Words]
    ordinary: Sequence[Words]
    sentences: Sequence[Words]
    requests: list[Words]

    def fold(self, number: int, *, inside: bool) -> Texts:
        def part(texts: Sequence[Words]) -> list[Words]:
            return [text for at, text in enumerate(texts) if (at % FOLDS == number) == inside]

        parts = (self.attacks, self.ordinary, self.sentences, self.requests)
        return Texts(*map(part, parts))


def main() -> None:
    given = Texts(
        attacks=_read("attacks"),
        ordinary=_read("ordinary"),
        sentences=_sentences("ordinary"),
        requests=_read("trigger_words") + _read("undecidable"),
    )
    short, long = _thresholds(given)
    learned = _learn(given)
    scale = float(np.abs(learned.weights).max()) / 127
    weights = np.round(learned.weights / scale).astype(np.int8)
    target = Path(str(commonplace.safety.__file__)).with_name(MODEL)
    target.write_bytes(HEADER.pack(scale, short, long) + weights.tobytes())
    told = f"suspicious from {short:.3f} on, long texts from {long:.3f} on"
    print(f"{target.name}: {target.stat().st_size} bytes, {told}")


def _read(group: str) -> list[Words]:
    return _words([text.text[:_MOST_CHARS] for text in texts(group) if not text.held])


def _sentences(group: str) -> list[Words]:
    """Lines that could stand alone as a note, evenly from each text."""
    found: list[str] = []
    for text in texts(group):
        if not text.held:
            lines = [line for line in text.text[:_MOST_CHARS].splitlines() if 24 < len(line) < 300]
            found += lines[:: max(1, len(lines) // _SENTENCES)][:_SENTENCES]
    return _words(found)


def _words(given: Sequence[str]) -> list[Words]:
    found = (np.array(buckets(folded(text)), dtype=np.int64) for text in given)
    return [words for words in found if len(words)]


def _thresholds(given: Texts) -> tuple[float, float]:
    """Where the wanted share of sentences and of texts raises an alarm; none was learned from."""
    scores: dict[bool, list[float]] = {False: [], True: []}
    attacks: list[tuple[bool, float]] = []
    for number in range(FOLDS):
        learned = _learn(given.fold(number, inside=False))
        unseen = given.fold(number, inside=True)
        for words in (*unseen.ordinary, *unseen.sentences):
            scores[len(words) > WINDOW].append(learned.score(words))
        attacks += [(len(words) > WINDOW, learned.score(words)) for words in unseen.attacks]
    short, long = (float(np.quantile(scores[is_long], 1 - ALARMS)) for is_long in (False, True))
    found = [score >= (long if is_long else short) for is_long, score in attacks]
    print(f"unseen: {np.mean(found):.3f} of the attacks found")
    return short, long


def _learn(given: Texts) -> Learned:
    chance = np.random.default_rng(SEED)
    learned = Learned(np.zeros(BUCKETS))
    negative = [w for words in given.ordinary for w in _windows(words)[:_MOST_WINDOWS]]
    negative += [w for words in given.ordinary for w in _short(words, chance)]
    negative += [words[:WINDOW] for words in (*given.sentences, *given.requests * _TIMES)]
    positive = [w for words in given.attacks for w in _windows(words)[:_MOST_OF_AN_ATTACK]]
    for number in range(ROUNDS):
        if number:
            positive = [learned.best(words)[0] for words in given.attacks]
        _descend(learned, positive, negative, chance)
    return learned


def _windows(words: Words) -> list[Words]:
    if len(words) <= WINDOW:
        return [words]
    half = WINDOW // 2
    return [words[at : at + WINDOW] for at in range(0, len(words) - half, half)]


def _short(words: Words, chance: np.random.Generator) -> list[Words]:
    """Ordinary text comes in short pieces too: messages, titles, single sentences."""
    found = []
    for _ in range(_SHORT_ONES):
        width = int(chance.integers(_SHORTEST, WINDOW + 1))
        at = int(chance.integers(0, max(1, len(words) - width + 1)))
        found.append(words[at : at + width])
    return found


def _descend(
    learned: Learned,
    positive: Sequence[Words],
    negative: Sequence[Words],
    chance: np.random.Generator,
) -> None:
    """Logistic regression by stochastic gradient descent, each weight at a rate of its own."""
    items = [(w.ravel(), 1.0) for w in positive] + [(w.ravel(), 0.0) for w in negative]
    attention = POSITIVE_SHARE * len(negative) / len(positive)
    squares = np.full(BUCKETS, 1e-3)
    for _ in range(EPOCHS):
        for at in chance.permutation(len(items)):
            words, label = items[at]
            share = 1 / np.sqrt(max(len(words), FEWEST * FEATURES))
            logit = float(learned.weights[words].sum()) * share - PRIOR
            error = (1 / (1 + np.exp(-np.clip(logit, -30, 30))) - label) * (
                attention if label else 1.0
            )
            if abs(error) < 1e-3:
                continue
            kept = words[chance.random(len(words)) > DROPPED]
            step = error * share + DECAY * learned.weights[kept]
            squares[kept] += step * step
            learned.weights[kept] -= RATE * step / np.sqrt(squares[kept])


if __name__ == "__main__":
    main()
