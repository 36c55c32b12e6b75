"""Texts made to be slow for one expression: from its own parts, repeated where it repeats."""

from __future__ import annotations

import random
import re
import re._constants as sre  # type: ignore[import-not-found]  # how `re` reads expressions
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

LETTERS = tuple("aAbz09_ \n\t-.=:;,\"'`/\\<>()[]{}|*#@%$&!?~é中\u0301")
_REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_COUNTS = (0, 1, 1, 3, 20)


class Pump(NamedTuple):
    """What is repeated, and what stands before and behind that."""

    before: str
    part: str
    behind: str

    def text(self, length: int) -> str:
        times = max(1, (length - len(self.before) - len(self.behind)) // len(self.part))
        return self.before + self.part * times + self.behind


def pumps(pattern: re.Pattern[Any], count: int, seed: int = 1) -> Iterator[Pump]:
    chance = random.Random(seed)
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    made = _Sampler(chance, sorted(set(_literals(tree)))[:30])
    for _ in range(count):
        pump = _pump(chance, made.text(tree), made.text(tree), made.letters)
        if pump.part:
            yield pump


def _pump(chance: random.Random, one: str, other: str, letters: Sequence[str]) -> Pump:
    begun = one[: chance.randint(0, len(one))]
    letter, last = chance.choice(letters), chance.choice(letters)
    at = chance.randint(0, len(one))
    step = chance.choice((1, 1, 2, 4, 8))
    return chance.choice((
        Pump("", begun, ""),
        Pump(one[:at], one[at : at + step], letter),
        Pump(begun, letter, last),
        Pump("", letter + last, letter),
        Pump("", begun + other[chance.randint(0, len(other)) :], letter),
        Pump("", begun + letter * chance.choice((1, 5, 40, 300)), ""),
    ))  # fmt: skip


class _Sampler:
    """Texts that an expression could match."""

    def __init__(self, chance: random.Random, literals: Sequence[str]) -> None:
        self._chance = chance
        self._groups: dict[int | None, str] = {}
        self.letters = (*LETTERS, *literals)

    def text(self, items: Any) -> str:
        return "".join(self._one(kind, given) for kind, given in items)

    def _one(self, kind: Any, given: Any) -> str:
        if kind in (sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN):
            return self._letter(kind, given)
        if kind is sre.BRANCH:
            return self.text(self._chance.choice(given[1]))
        if kind is sre.SUBPATTERN:
            self._groups[given[0]] = self.text(given[3])
            return self._groups[given[0]]
        if kind in _REPEATS:
            return self._repeated(*given)
        if kind is sre.ATOMIC_GROUP:
            return self.text(given)
        return self._groups.get(given, "") if kind is sre.GROUPREF else ""

    def _letter(self, kind: Any, given: Any) -> str:
        if kind is sre.LITERAL:
            return chr(given)
        if kind is sre.NOT_LITERAL:
            return self._any(lambda letter: ord(letter) != given)
        if kind is sre.ANY:
            return self._any(lambda letter: letter != "\n")
        return self._any(lambda letter: _is_in(given, letter))

    def _repeated(self, least: int, most: int, body: Any) -> str:
        times = min(int(most), least + self._chance.choice(_COUNTS))
        if self._chance.random() < 0.5:
            return self.text(body) * times
        return "".join(self.text(body) for _ in range(times))

    def _any(self, fits: Callable[[str], bool]) -> str:
        found = [letter for letter in self.letters if fits(letter)]
        return self._chance.choice(found or [_first(fits)])


def _first(fits: Callable[[str], bool]) -> str:
    return next((chr(code) for code in range(1, 0x3100) if fits(chr(code))), "a")


def _is_in(given: Any, letter: str) -> bool:
    code, negated, found = ord(letter), False, False
    for kind, value in given:
        if kind is sre.NEGATE:
            negated = True
        elif kind is sre.LITERAL:
            found |= value == code
        elif kind is sre.RANGE:
            found |= value[0] <= code <= value[1]
        elif kind is sre.CATEGORY:
            found |= _is_of(str(value), letter)
    return found != negated


def _is_of(category: str, letter: str) -> bool:
    kinds = {
        "DIGIT": letter.isdigit(),
        "SPACE": letter.isspace(),
        "WORD": letter.isalnum() or letter == "_",
    }
    return kinds.get(category.rpartition("_")[2], False) != ("NOT" in category)


def _literals(tree: Any) -> Iterator[str]:
    for kind, given in tree:
        if kind is sre.LITERAL:
            yield chr(given)
        elif kind is sre.BRANCH:
            for branch in given[1]:
                yield from _literals(branch)
        elif kind is sre.SUBPATTERN:
            yield from _literals(given[3])
        elif kind in _REPEATS:
            yield from _literals(given[2])
        elif kind is sre.ATOMIC_GROUP:
            yield from _literals(given)
        elif kind in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _literals(given[1])
