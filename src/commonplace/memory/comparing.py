"""Detects short texts that say the same or seem to contradict each other, by words alone. Pure.

The result is a guess: it is shown with its reason, but changes nothing by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from commonplace.capture.likeness import fingerprint, is_duplicate
from commonplace.text.analyse import analyse

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?(?:[.:/-][^\W_]+)*")
_SENTENCE = re.compile(r"[.!?;]\s|\n")
_NUMBER = re.compile(r"\d")
# Without "one", which rarely is a number.
_NUMBERS = "two three four five six seven eight nine ten eleven twelve"
_DIGITS = {name: str(number) for number, name in enumerate(_NUMBERS.split(), start=2)}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b", re.IGNORECASE)
_NEGATIONS = frozenset(
    {
        "not", "no", "never", "none", "cannot", "without", "avoid", "stop", "don't", "doesn't",
        "isn't", "won't", "can't", "shouldn't", "mustn't", "aren't", "wasn't", "didn't",
    }
)  # fmt: skip
_STOP_WORDS = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or",
        "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "these", "those",
        "as", "we", "you", "they", "i", "our", "your", "their", "will", "would", "should", "must",
        "can", "may", "do", "does",
    }
)  # fmt: skip
_OPPOSITES = tuple(
    frozenset(pair.split("/"))
    for pair in (
        "always/never", "enable/disable", "enabled/disabled", "allow/forbid", "allowed/forbidden",
        "on/off", "true/false", "before/after", "required/optional", "safe/unsafe", "use/avoid",
        "sync/async", "public/private", "increase/decrease", "first/last", "start/stop",
        "deprecated/supported", "working/broken", "fast/slow", "open/closed",
    )
)  # fmt: skip
# "ruff, not black", "ruff instead of black": the chosen and the dropped alternative.
_CHOSEN = re.compile(
    r"""\b(?P<chosen>[^\W_][\w.+\#/-]{0,40})
    (?:[,;]\s{1,3}(?:and\s)?(?:not|no\slonger|never)|,?\s{1,3}(?:instead\sof|rather\sthan))\s
    (?:(?:the|a|an|any|with|by|in|on|to|use|using)\s){0,3}
    (?P<dropped>[^\W_][\w+\#/-]{0,40})""",
    re.VERBOSE | re.IGNORECASE,
)
_MOST_CHOICES = 20
# Two texts on the same subject share at least this part of the shorter one's words.
_SAME_SUBJECT = 0.6
_LEAST_SHARED = 3
# Short sentences that differ in at most this many words are about the same thing.
_MOST_SWAPPED = 2
_LONGEST_SWAPPED = 40
# The most words compared one by one, between the common beginning and end of two texts. This takes
# time proportional to the product of the lengths, and more if words repeat.
_MOST_WORDS = 150


@dataclass(frozen=True, slots=True)
class Difference:
    """Why two texts may contradict each other, in a few words."""

    reason: str


def says_the_same(new: str, known: str) -> bool:
    """Whether the new text says nothing that the known one does not.

    Fingerprints of word sequences tolerate one different word at either end. In a short text that
    word may be the whole point, so short texts are also compared word by word.
    """
    new, known = _in_digits(new), _in_digits(known)
    if not is_duplicate(fingerprint(new), fingerprint(known)):
        return False
    mine = _words(new)
    if len(mine) > _LONGEST_SWAPPED:
        return True
    news = {*analyse(new)} - {*analyse(known)}
    about = [words for part in _SENTENCE.split(known) if _same_subject(mine, words := _words(part))]
    return not news and all(
        bool(_NEGATIONS & {*mine}) == bool(_NEGATIONS & {*each}) for each in about
    )


def contradiction(new: str, known: str) -> Difference | None:
    """The difference that suggests a contradiction, if any."""
    mine, theirs = _words(new), _words(known)
    if (dropped := _dropped(new, known) or _dropped(known, new)) is not None:
        return Difference(f"one of them chooses something else over {dropped!r}")
    if not _same_subject(mine, theirs):
        return None
    negated = _NEGATIONS & {*mine}, _NEGATIONS & {*theirs}
    if bool(negated[0]) != bool(negated[1]):
        return Difference(f"one of them says {min(negated[0] or negated[1])!r}")
    for pair in _OPPOSITES:
        here, there = pair & {*mine}, pair & {*theirs}
        if len(here) == len(there) == 1 and here != there:
            return Difference(f"it says {min(there)!r} where this says {min(here)!r}")
    return _swapped(mine, theirs)


def _in_digits(text: str) -> str:
    """The text with digits for small numbers that are written as words."""
    return _NUMBER_WORD.sub(lambda found: _DIGITS[found[0].lower()], text)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _same_subject(mine: list[str], theirs: list[str]) -> bool:
    one, other = {*mine} - _STOP_WORDS - _NEGATIONS, {*theirs} - _STOP_WORDS - _NEGATIONS
    shared = len(one & other)
    return shared >= _LEAST_SHARED and shared >= _SAME_SUBJECT * min(len(one), len(other))


def _dropped(text: str, other: str) -> str | None:
    """The alternative that one text drops and the other still uses without knowing the new one.

    The texts must share another word of the context: "not black" alone is too vague.
    """
    choices = _choices(text)
    if not choices:
        return None
    matter, has = {*analyse(text)}, {*analyse(other)}
    agreed = [dropped for _, dropped, _ in _choices(other)]
    for chosen, dropped, name in choices:
        is_known = dropped <= has and not chosen & has and dropped not in agreed
        if is_known and (matter - dropped - chosen) & has:
            return name
    return None


def _choices(text: str) -> list[tuple[set[str], set[str], str]]:
    """The terms of each chosen and dropped alternative, and the dropped one as written."""
    found = islice(_CHOSEN.finditer(text), _MOST_CHOICES)
    named = (
        ({*analyse(one["chosen"])}, {*analyse(one["dropped"])}, one["dropped"]) for one in found
    )
    # A part that both names share, as MySQL and PostgreSQL share SQL, identifies neither.
    choices = ((chosen - dropped, dropped - chosen, name) for chosen, dropped, name in named)
    return [choice for choice in choices if choice[0] and choice[1]]


def _swapped(mine: list[str], theirs: list[str]) -> Difference | None:
    """A different value in the same sentence: any different number, or, in a short text, a word."""
    short = max(len(mine), len(theirs)) <= _LONGEST_SWAPPED
    here, there = [*map(_in_digits, mine)], [*map(_in_digits, theirs)]
    begin = _common_prefix(here, there)
    end = _common_prefix(here[begin:][::-1], there[begin:][::-1])
    here, there = here[begin : len(here) - end], there[begin : len(there) - end]
    if max(len(here), len(there)) > _MOST_WORDS:
        return None
    found = SequenceMatcher(None, there, here, autojunk=False).get_opcodes()
    mine, theirs = mine[begin:], theirs[begin:]
    changes = [(theirs[a:b], mine[c:d]) for tag, a, b, c, d in found if tag == "replace"]
    for old, new in changes:
        numbers = any(map(_NUMBER.search, old)) and any(map(_NUMBER.search, new))
        few = short and len(changes) == 1 and max(len(old), len(new)) <= _MOST_SWAPPED
        if numbers or (few and not {*old, *new} <= _STOP_WORDS):
            return Difference(f"it says {' '.join(old)!r} where this says {' '.join(new)!r}")
    return None


def _common_prefix(one: list[str], other: list[str]) -> int:
    """The number of equal words at the beginning of both."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
