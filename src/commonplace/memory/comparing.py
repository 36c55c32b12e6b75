"""Detects short texts that say the same or seem to contradict each other, by words alone. Pure.

The result is a guess: it is shown with its reason, but changes nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, permutations

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
# Besides the analyser's stop words: these say nothing about the subject.
_PLAIN = _NEGATIONS | {"any", "anymore", "longer", "more", "must", "now"}
_ENVIRONMENTS = frozenset(
    {
        "canary", "ci", "demo", "dev", "development", "local", "locally", "preview", "prod",
        "production", "qa", "sandbox", "staging",
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
_ARTICLES = r"(?:(?:the|a|an|any|with|by|in|on|to|use|using)\s){0,3}"
_CHOSEN = rf"{_ARTICLES}(?P<chosen>[^\W_][\w.+\#/-]{{0,40}})"
_DROPPED = rf"{_ARTICLES}(?P<dropped>[^\W_][\w+\#/-]{{0,40}})"
# "ruff, not black", "moved from black to ruff", "we no longer use black": the alternative that is
# chosen, if there is one, and the one that is dropped.
_CHOICES = tuple(
    re.compile(rf"\b{pattern}", re.IGNORECASE)
    for pattern in (
        rf"{_CHOSEN}[,;]\s{{1,3}}(?:and\s)?(?:not|no\slonger|never)\s{_DROPPED}",
        rf"{_CHOSEN},?\s{{1,3}}(?:instead\sof|rather\sthan)\s{_DROPPED}",
        rf"(?:choose|chose|chosen|picked|prefer|preferred|selected)\s{_CHOSEN}\sover\s{_DROPPED}",
        rf"(?:moved|migrated|switched)\s(?:\w+\s){{0,3}}from\s{_DROPPED}\sto\s{_CHOSEN}",
        rf"replaced\s{_DROPPED}\s(?:with|by)\s{_CHOSEN}",
        rf"{_DROPPED}\s(?:is|was|were|(?:has|have)\sbeen)\sreplaced\s(?:with|by)\s{_CHOSEN}",
        rf"(?:no\slonger\suse|stopped\susing)\s{_DROPPED}(?P<chosen>)",
    )
)
_MOST_CHOICES = 20
# Two texts on the same subject share at least this part of the shorter one's words, and two
# sentences that state the same, but for a negation, this part.
_SAME_SUBJECT, _SAME_STATEMENT = 0.6, 0.8
_LEAST_SHARED = 2
# Short texts that differ in at most this many words are about the same thing.
_MOST_SWAPPED = 2
_SHORT = 40
_MOST_NUMBERS = 50


@dataclass(frozen=True, slots=True)
class Difference:
    """Why two texts may contradict each other, in a few words."""

    reason: str


@dataclass(frozen=True, slots=True)
class _Choice:
    """The terms of a chosen and a dropped alternative, the dropped one as written, and the terms of
    the sentence around them."""

    chosen: set[str]
    dropped: set[str]
    name: str
    matter: set[str]


def says_the_same(new: str, known: str) -> bool:
    """Whether the new text says nothing that the known one does not.

    Fingerprints of word sequences tolerate one different word at either end. In a short text that
    word may be the whole point, so short texts are also compared word by word.
    """
    new, known = _in_digits(new), _in_digits(known)
    if not is_duplicate(fingerprint(new), fingerprint(known)):
        return False
    mine = _words(new)
    if len(mine) > _SHORT:
        return True
    news = {*analyse(new)} - {*analyse(known)}
    about = [words for part in _SENTENCE.split(known) if _same_subject(mine, words := _words(part))]
    return not news and all(
        bool(_NEGATIONS & {*mine}) == bool(_NEGATIONS & {*each}) for each in about
    )


def contradiction(new: str, known: str) -> Difference | None:
    """The difference that suggests a contradiction, if any."""
    if (dropped := _dropped(new, known) or _dropped(known, new)) is not None:
        return Difference(f"one of them chooses something else over {dropped!r}")
    mine, theirs = _words(new), _words(known)
    if not _same_subject(mine, theirs) or _are_elsewhere({*mine}, {*theirs}):
        return None
    if (negation := _negated(new, known) or _negated(known, new)) is not None:
        return Difference(f"one of them says {negation!r}")
    for pair in _OPPOSITES:
        here, there = pair & {*mine}, pair & {*theirs}
        if len(here) == len(there) == 1 and here != there:
            return Difference(f"it says {min(there)!r} where this says {min(here)!r}")
    one_negates = bool(_NEGATIONS & {*mine}) != bool(_NEGATIONS & {*theirs})
    if one_negates and not _same_subject(mine, theirs, _SAME_STATEMENT):
        return None
    return _swapped(new, known)


def _in_digits(text: str) -> str:
    """The text with digits for small numbers that are written as words."""
    return _NUMBER_WORD.sub(lambda found: _DIGITS[found[0].lower()], text)


def _words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


@lru_cache(maxsize=1 << 14)
def _key(word: str) -> str:
    """What a word is compared by: its stem, or the whole of a compound; empty for one without
    meaning of its own."""
    terms = [] if word in _PLAIN else analyse(_in_digits(word))
    return terms[0] if len(terms) == 1 else word if terms else ""


def _same_subject(mine: Iterable[str], theirs: Iterable[str], part: float = _SAME_SUBJECT) -> bool:
    """Whether two texts share most words of the shorter one; numbers are values, not subjects."""
    one, other = (
        {key for word in words if (key := _key(word)) and not _NUMBER.search(key)}
        for words in (mine, theirs)
    )
    shared = len(one & other)
    return shared >= _LEAST_SHARED and shared >= part * min(len(one), len(other))


def _are_elsewhere(mine: set[str], theirs: set[str]) -> bool:
    """Whether two texts name different environments."""
    here, there = _ENVIRONMENTS & mine, _ENVIRONMENTS & theirs
    return bool(here and there and here != there)


def _negated(text: str, other: str) -> str | None:
    """The negation in a sentence of one text that a sentence of the other states without it."""
    known = [*map(_words, _SENTENCE.split(other))]
    stated = [words for words in known if not _NEGATIONS & {*words}]
    for words in map(_words, _SENTENCE.split(text)):
        negations = _NEGATIONS & {*words}
        if negations and any(_same_subject(words, each, _SAME_STATEMENT) for each in stated):
            return min(negations)
    return None


def _dropped(text: str, other: str) -> str | None:
    """The alternative that one text drops and the other still uses without knowing the new one, or
    prefers to it.

    Unless it is preferred, the sentences around it must share another word, as "not black" alone is
    too vague, or the dropped one must be a name.
    """
    choices = _choices(text)
    if not choices:
        return None
    sentences = [{*analyse(sentence)} for sentence in _SENTENCE.split(other)]
    has = set[str]().union(*sentences)
    theirs = [(one.chosen, one.dropped) for one in _choices(other)]
    agreed = [dropped for _, dropped in theirs]
    for one in choices:
        dropped, name = one.dropped, one.name
        if (dropped, one.chosen) in theirs:
            return name
        if not dropped <= has or one.chosen & has or dropped in agreed:
            continue
        is_name = f" {name}" in text and name[:1].isupper() and name in other
        if is_name or any(
            dropped <= each and _share_half(one.matter, each - dropped) for each in sentences
        ):
            return name
    return None


def _share_half(one: set[str], other: set[str]) -> bool:
    """Whether one shares at least half of the words of the other, whichever has fewer."""
    shared = len(one & other)
    return shared > 0 and 2 * shared >= min(len(one), len(other))


def _choices(text: str) -> list[_Choice]:
    found = islice((one for pattern in _CHOICES for one in pattern.finditer(text)), _MOST_CHOICES)
    choices = []
    for one in found:
        chosen, dropped = {*analyse(one["chosen"])}, {*analyse(one["dropped"])}
        # A part that both names share, as MySQL and PostgreSQL share SQL, identifies neither.
        if dropped - chosen and (chosen - dropped or not one["chosen"]):
            matter = {*analyse(_sentence_around(one))} - chosen - dropped
            choices.append(_Choice(chosen - dropped, dropped - chosen, one["dropped"], matter))
    return choices


def _sentence_around(found: re.Match[str]) -> str:
    text, (begin, end) = found.string, found.span()
    before = [one.end() for one in _SENTENCE.finditer(text, 0, begin)]
    after = _SENTENCE.search(text, end)
    return text[before[-1] if before else 0 : after.start() if after else len(text)]


def _swapped(new: str, known: str) -> Difference | None:
    """A different value: a number beside the same word or, in short texts, a word or two."""
    mine, theirs = _keyed(new), _keyed(known)
    shared = {*dict(mine)} & {*dict(theirs)}
    here, there = (
        {key: word for key, word in each if key not in shared} for each in (mine, theirs)
    )
    if not here or not there or _are_parallel(mine, theirs, shared):
        return None
    are_short = max(len(mine), len(theirs)) <= _SHORT
    if are_short and _differ_in_two_places(mine, theirs, shared):
        return None
    for old, prior in _numbers(theirs, there):
        for value, around in _numbers(mine, here):
            if _is_other_value(prior, around, are_short=are_short):
                return Difference(f"it says {old!r} where this says {value!r}")
    if not are_short or max(len(here), len(there)) > _MOST_SWAPPED:
        return None
    was, says = " ".join(there.values()), " ".join(here.values())
    return Difference(f"it says {was!r} where this says {says!r}")


def _keyed(text: str) -> list[tuple[str, str]]:
    """The words that have a key, with it, in order; an empty key ends each sentence."""
    words: list[tuple[str, str]] = []
    for sentence in _SENTENCE.split(text):
        words += [(key, word) for word in _words(sentence) if (key := _key(word))] + [("", "")]
    return words


def _are_parallel(
    mine: list[tuple[str, str]], theirs: list[tuple[str, str]], shared: set[str]
) -> bool:
    """Whether the texts tell of two things alike: each begins with another name, or has another
    number after its first word, and both go on with something else."""
    keys = [[key for key, _ in text] for text in (mine, theirs)]
    if any({*one[2:]} <= {*other[2:]} for one, other in permutations(keys)):
        return False
    named = keys[0][0] not in shared and keys[1][0] not in shared
    numbers = [one[1] for one in keys if _NUMBER.search(one[1])]
    return named or (len(numbers) == 2 and numbers[0] != numbers[1])


def _differ_in_two_places(
    mine: list[tuple[str, str]], theirs: list[tuple[str, str]], shared: set[str]
) -> bool:
    """Whether one statement is made of two subjects: with another subject here, another value
    there, and the same words before, between and behind them."""
    if len(mine) != len(theirs):
        return False
    pairs = [(one, other) for (one, _), (other, _) in zip(mine, theirs, strict=True)]
    places = [place for place, (one, other) in enumerate(pairs) if one != other]
    are_reordered = any(not shared.isdisjoint(pairs[place]) for place in places)
    return not are_reordered and places[-1] - places[0] >= len(places)


def _numbers(
    text: list[tuple[str, str]], only: dict[str, str]
) -> Iterator[tuple[str, tuple[str, str]]]:
    """The first numbers that only this text has, each with the keys before and after it."""
    around = zip([("", ""), *text], text, text[1:], strict=False)
    found = (
        (word, (before, after))
        for (before, _), (key, word), (after, _) in around
        if key in only and _NUMBER.search(key)
    )
    return islice(found, _MOST_NUMBERS)


def _is_other_value(one: tuple[str, str], other: tuple[str, str], *, are_short: bool) -> bool:
    """Whether numbers with these neighbours count the same: `30 days`, or `port 80` at the end."""
    same = one[0] == other[0] != "", one[1] == other[1] != ""
    if not are_short:
        return all(same)
    return same[1] or (same[0] and "" in (one[1], other[1]))
