"""Whether two short texts say the same, or seem to contradict each other; pure, by words alone.

A guess is only ever shown, with its reason: nothing is merged, lowered or refused because of it.
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
_TURNING = frozenset(
    {
        "not", "no", "never", "none", "cannot", "without", "avoid", "stop", "don't", "doesn't",
        "isn't", "won't", "can't", "shouldn't", "mustn't", "aren't", "wasn't", "didn't",
    }
)  # fmt: skip
_SMALL = frozenset(
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
# "ruff, not black", "ruff instead of black": what is chosen, and what is chosen no longer.
_CHOSEN = re.compile(
    r"""\b(?P<chosen>[^\W_][\w.+\#/-]{0,40})
    (?:[,;]\s{1,3}(?:and\s)?(?:not|no\slonger|never)|,?\s{1,3}(?:instead\sof|rather\sthan))\s
    (?:(?:the|a|an|any|with|by|in|on|to|use|using)\s){0,3}
    (?P<dropped>[^\W_][\w+\#/-]{0,40})""",
    re.VERBOSE | re.IGNORECASE,
)
_MOST_CHOICES = 20
# Of two texts on the same matter at least so much of the shorter one's words are in the other.
_SAME_MATTER = 0.6
_LEAST_SHARED = 3
# Two short sentences that differ in a word or two are about the same thing.
_MOST_SWAPPED = 2
_LONGEST_SWAPPED = 40
# Of what two texts do not begin and end with alike, no more is compared word by word: that takes as
# long as the lengths multiplied, and more where words repeat.
_MOST_WORDS = 150


@dataclass(frozen=True, slots=True)
class Difference:
    """Why two texts may contradict each other, in a few words."""

    reason: str


def says_the_same(new: str, known: str) -> bool:
    """Whether the new text says nothing that the known one does not.

    Rows of words forgive one at either end. In a short text that may be all that it says.
    """
    if not is_duplicate(fingerprint(new), fingerprint(known)):
        return False
    mine = _words(new)
    if len(mine) > _LONGEST_SWAPPED:
        return True
    news = {*analyse(new)} - {*analyse(known)}
    about = [words for part in _SENTENCE.split(known) if _same_matter(mine, words := _words(part))]
    return not news and all(bool(_TURNING & {*mine}) == bool(_TURNING & {*each}) for each in about)


def contradiction(new: str, known: str) -> Difference | None:
    """What a reader should look at before both are kept."""
    mine, theirs = _words(new), _words(known)
    if (dropped := _dropped(new, known) or _dropped(known, new)) is not None:
        return Difference(f"one of them chooses something else over {dropped!r}")
    if not _same_matter(mine, theirs):
        return None
    turned = _TURNING & {*mine}, _TURNING & {*theirs}
    if bool(turned[0]) != bool(turned[1]):
        return Difference(f"one of them says {min(turned[0] or turned[1])!r}")
    for pair in _OPPOSITES:
        here, there = pair & {*mine}, pair & {*theirs}
        if len(here) == len(there) == 1 and here != there:
            return Difference(f"it says {min(there)!r} where this says {min(here)!r}")
    return _swapped(mine, theirs)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


def _same_matter(mine: list[str], theirs: list[str]) -> bool:
    one, other = {*mine} - _SMALL - _TURNING, {*theirs} - _SMALL - _TURNING
    shared = len(one & other)
    return shared >= _LEAST_SHARED and shared >= _SAME_MATTER * min(len(one), len(other))


def _dropped(text: str, other: str) -> str | None:
    """What a text drops for something that the other, which has it, does not know of.

    A word of what is done with it must be in both: "not black" alone says little.
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
    """The terms of what is chosen and of what is dropped for it, and how the latter is written."""
    found = islice(_CHOSEN.finditer(text), _MOST_CHOICES)
    named = (
        ({*analyse(one["chosen"])}, {*analyse(one["dropped"])}, one["dropped"]) for one in found
    )
    # What both names have a part of, as MySQL and PostgreSQL have of SQL, tells neither.
    choices = ((chosen - dropped, dropped - chosen, name) for chosen, dropped, name in named)
    return [choice for choice in choices if choice[0] and choice[1]]


def _swapped(mine: list[str], theirs: list[str]) -> Difference | None:
    """Other values in the same sentence: other numbers always, other words where it is short."""
    begin = _alike(mine, theirs)
    end = _alike(mine[begin:][::-1], theirs[begin:][::-1])
    here, there = mine[begin : len(mine) - end], theirs[begin : len(theirs) - end]
    if max(len(here), len(there)) > _MOST_WORDS:
        return None
    found = SequenceMatcher(None, there, here, autojunk=False).get_opcodes()
    changes = [(there[a:b], here[c:d]) for tag, a, b, c, d in found if tag == "replace"]
    short = max(len(mine), len(theirs)) <= _LONGEST_SWAPPED
    for old, new in changes:
        numbers = any(map(_NUMBER.search, old)) and any(map(_NUMBER.search, new))
        few = short and len(changes) == 1 and max(len(old), len(new)) <= _MOST_SWAPPED
        if numbers or (few and not {*old, *new} <= _SMALL):
            return Difference(f"it says {' '.join(old)!r} where this says {' '.join(new)!r}")
    return None


def _alike(one: list[str], other: list[str]) -> int:
    """How many equal words both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
