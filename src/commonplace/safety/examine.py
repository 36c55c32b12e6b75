"""Finds what is suspicious in a text, and decides whether it is too much.

Callers decide what happens to a suspicious text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonplace.errors import ContentRefused, Issue
from commonplace.safety import likeness
from commonplace.safety.disguise import readings
from commonplace.safety.folding import INVISIBLE, folded, mixed_words
from commonplace.safety.rulebook import REFUSE_AT, rules
from commonplace.text.markdown import without_code

_SHOWN = 60
_DISGUISED_WEIGHT = 0.3
_MIXED_WEIGHT = 0.2
# Joiners have a function in other scripts; between Latin letters they only hide words.
_CUT_WORDS = re.compile(r"[A-Za-z][\u200b-\u200d\u2060\ufeff\u00ad][A-Za-z]")
_REORDERED = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0020-\U000e007e]")
_FEW = 2
LIKENESS = "likeness"


@dataclass(frozen=True, slots=True)
class ExaminedText:
    """A text and its place in the contribution."""

    path: tuple[str | int, ...]
    text: str
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that matched, with what it matched."""

    rule: str
    weight: float
    issue: Issue


def examined(passages: Iterable[ExaminedText]) -> tuple[Issue, ...]:
    """Tolerable findings of the rules as warnings; ContentRefused if they are too many.

    The model is not used: it cannot tell a contributor what to correct.
    """
    found = [finding for finding in findings(passages) if finding.rule != LIKENESS]
    issues = tuple(finding.issue for finding in found)
    if suspicion(found) >= REFUSE_AT:
        told = " ".join(f"It {issue.message}" for issue in issues)
        raise ContentRefused(f"The text was refused. {told}", issues=issues)
    return issues


def suspicion(found: Sequence[Finding]) -> float:
    """The total weight of the distinct rules that matched."""
    return round(sum({finding.rule: finding.weight for finding in found}.values()), 9)


def findings(passages: Iterable[ExaminedText]) -> list[Finding]:
    """The findings, one per rule, at its first match."""
    found: dict[str, Finding] = {}
    for passage in passages:
        for finding in _in_passage(passage):
            found.setdefault(finding.rule, finding)
    return list(found.values())


def invisible_in(passages: Iterable[ExaminedText]) -> tuple[Issue, ...]:
    """The places of invisible characters."""
    issues = []
    for passage in passages:
        if found := INVISIBLE.search(passage.text):
            line = passage.text.count("\n", 0, found.start()) + 1
            name = f"U+{ord(found[0]):04X}"
            issues.append(
                Issue(passage.path, f"has an invisible character, {name}, in line {line}.")
            )
    return tuple(issues)


def _in_passage(passage: ExaminedText) -> Iterator[Finding]:
    plain = folded(passage.text)
    yield from _by_rules(passage, plain)
    yield from _by_letters(passage)
    for how, reading in readings(passage.text, plain):
        read = folded(reading)
        if said := _problem_with(read, comment=passage.comment):
            yield _finding("hidden.disguised", _DISGUISED_WEIGHT, passage, f"{said}, in {how}.")
    if likeness.suspicious(plain):
        says = "is similar to known attacks on agents."
        yield _finding(LIKENESS, 0.0, passage, says)


def _by_rules(passage: ExaminedText, plain: str) -> Iterator[Finding]:
    prose = _prose(passage.text, plain)
    for rule in rules():
        if rule.comment and not passage.comment:
            continue
        text = passage.text if rule.raw else prose if rule.prose else plain
        if (matched := rule.found_in(text)) is not None:
            shown = " ".join(matched.split())[:_SHOWN]
            yield _finding(rule.id, rule.weight, passage, f"{rule.says}: “{shown}”.")


def _prose(text: str, plain: str) -> str:
    """The folded text without code. Most texts have no code and are folded already."""
    return folded(without_code(text)) if "`" in text or "~~~" in text else plain


def _by_letters(passage: ExaminedText) -> Iterator[Finding]:
    if passage.text.isascii():
        return
    cut = len(_CUT_WORDS.findall(passage.text)) >= _FEW
    if cut or _REORDERED.search(passage.text):
        says = "has characters that hide or reorder text."
        yield _finding("hidden.characters", _MIXED_WEIGHT, passage, says)
    if len(mixed := mixed_words(passage.text)) >= _FEW:
        says = f"mixes alphabets that look alike: “{mixed[0][:_SHOWN]}”."
        yield _finding("hidden.mixed-alphabets", _MIXED_WEIGHT, passage, says)


def _problem_with(read: str, *, comment: bool) -> str | None:
    """What is wrong with another reading of a text; None if nothing is."""
    for rule in rules():
        if not rule.raw and (comment or not rule.comment) and rule.found_in(read) is not None:
            return rule.says
    return "hides text that reads like an attack" if likeness.suspicious(read) else None


def _finding(rule: str, weight: float, passage: ExaminedText, message: str) -> Finding:
    return Finding(rule, weight, Issue(passage.path, message))
