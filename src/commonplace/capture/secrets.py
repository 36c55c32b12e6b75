"""Masks keys, tokens and passwords in a text and leaves the rest readable; never keeps one.

What a secret looks like is data (`rules/secrets.toml`). A random string that neither has a known
shape nor stands after a telling name is left alone: it is far more often a hash than a secret.
"""

from __future__ import annotations

import math
import re
import string
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from commonplace.model.call import PLAIN_CALL


@dataclass(frozen=True, slots=True)
class Secret:
    """A kind of secret and its count; never the secret itself."""

    rule: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class Masked:
    text: str
    found: tuple[Secret, ...] = ()


class _Judge(StrEnum):
    """The tests of a value; `secrets.toml` describes them."""

    SHAPE = "shape"
    GIVEN = "given"
    CHOSEN = "chosen"
    MADE = "made"
    SCRAMBLED = "scrambled"


class _Rule(NamedTuple):
    id: str
    title: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    judge: _Judge
    entropy: float | None
    trust_quotes: bool


class _Placeholders(NamedTuple):
    words: frozenset[str]
    pattern: re.Pattern[str]
    harmless_suffixes: frozenset[str]


class _Find(NamedTuple):
    """A part of the text to mask; `order` is the position of its rule in the file."""

    start: int
    end: int
    order: int


_LONGEST_NAMING = 80
_LEAST_MADE = 12
_MADE_ENTROPY = 2.8
_LEAST_CHOSEN = 5
_LEAST_DIGITS = 6  # shorter numbers after a password's name are more often sizes and limits
_SHORT_PART = 4
_LEAST_MEAN_PIECE = 3.0  # letters in a row of one case; random strings have under two

# A token begins after no letter or digit, unless that belongs to an escape (`\n`, `%3D`).
_START = re.compile(r"(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2})")
_FOLLOWING = re.compile(r"&(?:\w+=|nbsp|amp|quot|lt|gt)")
_CLOSING = ").]}:|*"
_STOPS = ",;"
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+")
_CALL = re.compile(r"[(\[{]|--\w|[\w$.>:?-]+[(\[]")
_WHOLE_CALL = re.compile(r"[A-Za-z_$][\w$.>:?-]*[(\[].*[)\]][;,]?", re.DOTALL)
_PARTS = re.compile(r"[A-Za-z0-9]+")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIGN = re.compile(r"[!@#$%^&*+?~=]")
# Signs that words and code hardly mix; a generated key has them between any letters.
_ODD_SIGN = re.compile(r"[!@#$%^*~]")
_LEAST_ODD = 2
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_MOST_MEAN_PIECE = 2.0


def mask_secrets(text: str, check: Callable[[], None] = PLAIN_CALL.check) -> Masked:
    """The text with every secret replaced by `[secret removed: <title>]`, and what was found.

    `check` is called before each rule: it may raise to end the work.
    """
    finds = _merged(sorted(_finds(text, check)))
    if not finds:
        return Masked(text)
    rules = _rules()
    parts, position = [], 0
    for find in finds:
        parts += [text[position : find.start], f"[secret removed: {rules[find.order].title}]"]
        position = find.end
    counts = Counter(find.order for find in finds)
    found = (Secret(rules[order].id, rules[order].title, n) for order, n in sorted(counts.items()))
    return Masked("".join([*parts, text[position:]]), tuple(found))


def _finds(text: str, check: Callable[[], None]) -> Iterator[_Find]:
    lowered = text.lower()
    for order, rule in enumerate(_rules()):
        check()
        if any(keyword in lowered for keyword in rule.keywords):
            for start, end in _spans(rule, text):
                yield _Find(start, end, order)


def _spans(rule: _Rule, text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while match := rule.pattern.search(text, position):
        span = _secret_span(rule, match)
        if span:
            yield span
        # What is no value may be the name of the next: "the token secret: ...". Going back only
        # over short matches keeps the time linear.
        goes_back = span is None and match.end() - match.start() <= _LONGEST_NAMING
        position = match.start() + 1 if goes_back else match.end()


def _merged(finds: Iterable[_Find]) -> list[_Find]:
    """Merge overlapping finds; the first rule in the file names the result."""
    merged: list[_Find] = []
    for find in finds:
        if merged and find.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = _Find(last.start, max(last.end, find.end), min(last.order, find.order))
        else:
            merged.append(find)
    return merged


def _secret_span(rule: _Rule, match: re.Match[str]) -> tuple[int, int] | None:
    """The position of the secret in the match, if it is one."""
    if rule.judge is _Judge.SHAPE:
        if not _START.match(match.string, match.start()):
            return None
        start, end = match.span(match.lastgroup or 0)
        value = match.string[start:end]
        fits = rule.entropy is None or (_entropy(value) >= rule.entropy and not _stands_for(value))
        return (start, end) if fits else None
    groups = match.groupdict()
    quoted = groups.get("quoted") is not None
    start, end = match.span("quoted" if quoted else "bare")
    value = match.string[start:end]
    if rule.judge is _Judge.SCRAMBLED:
        value = value.rstrip(_STOPS)
    elif not quoted and rule.judge is not _Judge.GIVEN:
        value = _trimmed(value)
    if _is_harmless(groups.get("suffix") or "") or value == groups.get("user"):
        return None
    return (start, start + len(value)) if _is_secret(rule, value, quoted=quoted) else None


def _trimmed(bare: str) -> str:
    """A bare value ends before the next URL parameter, an HTML entity and closing signs."""
    return _FOLLOWING.split(bare, maxsplit=1)[0].rstrip(_CLOSING)


def _is_harmless(suffix: str) -> bool:
    """Whether a name such as `password_hash` or `tokens` holds something about a secret only."""
    pieces = _PIECES.findall(suffix)
    return bool(pieces) and pieces[-1].lower() in _placeholders().harmless_suffixes


def _is_secret(rule: _Rule, value: str, *, quoted: bool) -> bool:
    if any(char.isspace() for char in value) or _stands_for(value):
        return False
    if rule.judge is _Judge.SCRAMBLED:
        return _is_scrambled(value)
    if not quoted and _is_code(value, rule.judge):
        return False
    if rule.judge is _Judge.MADE:
        return _is_made(value) or _is_scrambled(value)
    if rule.judge is _Judge.GIVEN or (rule.trust_quotes and quoted):
        return len(value) >= 3
    return _is_chosen(value)


def _is_chosen(value: str) -> bool:
    """Whether a value looks like a password rather than like a word of the sentence."""
    if value.isdecimal():
        return len(value) >= _LEAST_DIGITS
    inner = value.rstrip("!?")
    signed = any(map(str.isdecimal, inner)) or _SIGN.search(inner)
    return (
        bool(signed)
        and any(map(str.isalpha, inner))
        and len(value) >= _LEAST_CHOSEN
        and not _DOTTED.fullmatch(value)
    )


def _is_made(value: str) -> bool:
    """Whether a value looks generated: no person writes it, no program names things so."""
    return (
        len(value) >= _LEAST_MADE
        and any(map(str.isdecimal, value))
        and any(map(str.isalpha, value))
        and "://" not in value
        and not _is_made_of_words(value)
        and _entropy(value) >= _MADE_ENTROPY
    )


def _is_scrambled(value: str) -> bool:
    """Whether letters of both cases, digits and signs stand together as only chance puts them.

    Code has such signs too, but it closes its brackets and its names are longer.
    """
    pieces = _PIECES.findall(value)
    return (
        len(value) >= _LEAST_MADE
        and not value.isalnum()
        and any(map(str.islower, value))
        and any(map(str.isupper, value))
        and sum(map(len, pieces)) <= _MOST_MEAN_PIECE * len(pieces)
        and not _closes_brackets(value)
        and _entropy(value) >= _MADE_ENTROPY
    )


def _closes_brackets(value: str) -> bool:
    """Whether there are brackets, each closed in its turn."""
    opened: list[str] = []
    found = False
    for char in value:
        if char in _BRACKETS.values():
            opened.append(char)
            found = True
        elif char in _BRACKETS and (not opened or opened.pop() != _BRACKETS[char]):
            return False
    return found and not opened


def _is_code(value: str, judge: _Judge) -> bool:
    """`get_token()`, `request.form["password"]`, `settings.password`, or the next option.

    A value that runs to the next blank shows the whole call; others are cut at its first quote.
    """
    if judge is _Judge.MADE:
        return bool(_CALL.match(value)) and not _is_noise(value)
    call = _WHOLE_CALL.fullmatch(value) if judge is _Judge.GIVEN else _CALL.match(value)
    return bool(call) or bool(_DOTTED.fullmatch(value))


def _is_made_of_words(value: str) -> bool:
    """`db-credentials-v2`, `arn:aws:iam::1234:role/reader`: every part can be read."""
    return all(map(_is_readable, _PARTS.findall(value))) and not _is_noise(value)


def _is_noise(value: str) -> bool:
    """Whether it mixes signs as only a generator does."""
    return len(set(_ODD_SIGN.findall(value))) >= _LEAST_ODD


def _is_readable(part: str) -> bool:
    """A number, something short, or words of one case with at most one number among them."""
    if part.isdecimal() or len(part) <= _SHORT_PART:
        return True
    pieces = _PIECES.findall(part.rstrip(string.digits))
    words = list(filter(str.isalpha, pieces))
    numbers = len(pieces) - len(words)
    least_mean = _LEAST_MEAN_PIECE + numbers
    return numbers <= 1 and sum(map(len, words)) >= least_mean * len(words)


def _stands_for(value: str) -> bool:
    """Whether a value only holds the place of a secret."""
    known = _placeholders()
    return value.lower() in known.words or bool(known.pattern.search(value))


def _entropy(value: str) -> float:
    """Shannon's, in bits per character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


@cache
def _data() -> dict[str, Any]:
    source = files("commonplace.capture").joinpath("rules/secrets.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


@cache
def _rules() -> tuple[_Rule, ...]:
    data = _data()
    tokens = (_rule(row, row["pattern"]) for row in data["tokens"])
    contexts = (_rule(row, _filled(row["pattern"], data["parts"])) for row in data["contexts"])
    return (*tokens, *contexts)


def _rule(row: dict[str, Any], pattern: str) -> _Rule:
    return _Rule(
        id=row["id"],
        title=row["title"],
        keywords=tuple(row["keywords"]),
        pattern=re.compile(pattern, re.VERBOSE),
        judge=_Judge(row.get("judge", "shape")),
        entropy=row.get("entropy"),
        trust_quotes=row.get("trust_quotes", False),
    )


def _filled(pattern: str, parts: dict[str, str]) -> str:
    for name, part in parts.items():
        pattern = pattern.replace(f"{{{name}}}", part)
    return pattern


@cache
def _placeholders() -> _Placeholders:
    data = _data()
    return _Placeholders(
        words=frozenset(data["placeholders"]["words"]),
        pattern=re.compile(
            "|".join(f"(?:{one})" for one in data["placeholders"]["patterns"]), re.IGNORECASE
        ),
        harmless_suffixes=frozenset(data["names"]["harmless_suffixes"]),
    )
