"""Masks keys, tokens and passwords in a text and leaves the rest readable; never keeps one.

What a secret looks like is data (`rules/secrets.toml`). A random string that neither has a known
shape nor stands after a telling name is left alone: it is far more often a hash than a secret.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from commonplace.capture.told import told_secrets
from commonplace.capture.values import (
    entropy,
    is_attribute,
    is_call,
    is_chosen,
    is_harmless,
    is_made,
    is_noise,
    is_scrambled,
    is_whole_call,
    is_word_row,
    secret_data,
    stands_for,
)
from commonplace.model.call import PLAIN_CALL

MASK = re.compile(r"\[secret removed: [^\]\n]{1,60}\]")
"""What stands in a text in place of a secret."""


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


class _Find(NamedTuple):
    """A part of the text to mask; `order` is the position of its rule in the file."""

    start: int
    end: int
    order: int


_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"^[ \t>|+]{0,8}+[A-Za-z0-9+/=]{8,80}+\s{1,2}\Z", re.MULTILINE)
_LONGEST_LINE = 90
_LONGEST_NAMING = 80
# A token begins after no letter or digit, unless that belongs to an escape (`\n`, `%3D`).
_START = re.compile(r"(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-F]{2})")
_FOLLOWING = re.compile(r"&(?:\w+=|nbsp|amp|quot|lt|gt)")
_CLOSING = ").]}:|*"
_STOPS = ",;"


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
    for start, end in _last_parts_of_keys(text):
        yield _Find(start, end, 0)
    check()
    told = {rule.id: order for order, rule in enumerate(_rules())}
    for secret in told_secrets(text):
        yield _Find(secret.start, secret.end, told[secret.rule])


def _last_parts_of_keys(text: str) -> Iterator[tuple[int, int]]:
    """The lines before each end of a private key, whose beginning may stand elsewhere."""
    for match in _KEY_END.finditer(text):
        start = match.start()
        while line := _KEY_LINE.search(text, max(0, start - _LONGEST_LINE), start):
            start = line.start()
        if start < match.start():
            yield start, match.end()


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
        fits = rule.entropy is None or (entropy(value) >= rule.entropy and not stands_for(value))
        return (start, end) if fits else None
    groups = match.groupdict()
    quoted = groups.get("quoted") is not None
    start, end = match.span("quoted" if quoted else "bare")
    value = match.string[start:end]
    if rule.judge is _Judge.SCRAMBLED:
        value = value.rstrip(_STOPS)
    elif not quoted and rule.judge is not _Judge.GIVEN:
        value = _trimmed(value)
    if is_harmless(groups.get("suffix") or "") or value == groups.get("user"):
        return None
    return (start, start + len(value)) if _is_secret(rule, value, quoted=quoted) else None


def _trimmed(bare: str) -> str:
    """A bare value ends before the next URL parameter, an HTML entity and closing signs."""
    return _FOLLOWING.split(bare, maxsplit=1)[0].rstrip(_CLOSING)


def _is_secret(rule: _Rule, value: str, *, quoted: bool) -> bool:
    if any(char.isspace() for char in value) or stands_for(value):
        return False
    if rule.judge is _Judge.SCRAMBLED:
        return is_scrambled(value)
    if not quoted and _is_code(value, rule.judge):
        return False
    if rule.judge is _Judge.MADE:
        return is_made(value) or is_scrambled(value)
    if rule.judge is _Judge.GIVEN or (rule.trust_quotes and quoted):
        return len(value) >= 3
    return is_chosen(value) or is_word_row(value)


def _is_code(value: str, judge: _Judge) -> bool:
    """Whether a value is code: a call such as `get_token()`, an attribute, or the next option.

    A value that runs to the next blank shows the whole call; others are cut at its first quote.
    """
    if judge is _Judge.MADE:
        return is_call(value) and not is_noise(value)
    call = is_whole_call(value) if judge is _Judge.GIVEN else is_call(value)
    return call or is_attribute(value)


@cache
def _rules() -> tuple[_Rule, ...]:
    data = secret_data()
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
