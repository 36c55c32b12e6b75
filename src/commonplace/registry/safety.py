"""Whether a text tries to deceive its readers: what is refused, what is accepted with a warning.

The rules are data, in `safety.toml`; who may contribute at all is not decided here.
"""

from __future__ import annotations

import base64
import binascii
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from commonplace.errors import ContentRefused, Issue
from commonplace.registry.markdown import without_code

_SHOWN = 60
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,20000}={0,2}")
_ENCODED_WEIGHT = 0.3
_MOST_ENCODED = 200
_SPACES = re.compile(r"[^\S\n]+")

# Zero-width and direction marks, line separators, invisible operators, annotations and tags.
INVISIBLE = re.compile(
    "[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064"
    "\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """`raw` rules look at the text as it was written, `prose` rules not at its code."""

    id: str
    family: str
    weight: float
    says: str
    pattern: re.Pattern[str]
    raw: bool
    prose: bool


@dataclass(frozen=True, slots=True)
class Rulebook:
    refuse_at: float
    lookalikes: dict[int, str]
    rules: tuple[Rule, ...]
    comment_rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text and where in the contribution it stands."""

    path: tuple[str | int, ...]
    text: str
    comment: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule that matched, with what it matched."""

    rule: str
    weight: float
    issue: Issue


@cache
def rulebook() -> Rulebook:
    source = files("commonplace.registry").joinpath("safety.toml").read_text(encoding="utf-8")
    data = tomllib.loads(source)
    return Rulebook(
        refuse_at=data["refuse_at"],
        lookalikes={ord(letter): plain for letter, plain in data["lookalikes"].items()},
        rules=tuple(map(_rule, data["rule"])),
        comment_rules=tuple(map(_rule, data["comment_rule"])),
    )


def _rule(row: dict[str, str | float | bool]) -> Rule:
    return Rule(
        id=str(row["id"]),
        family=str(row["family"]),
        weight=float(row["weight"]),
        says=str(row["says"]),
        pattern=re.compile(str(row["pattern"])),
        raw=bool(row.get("raw", False)),
        prose=bool(row.get("prose", False)),
    )


def examined(passages: Iterable[Passage]) -> tuple[Issue, ...]:
    """What is suspicious but tolerable, as warnings; too much of it raises ContentRefused."""
    found = findings(passages)
    issues = tuple(finding.issue for finding in found)
    if suspicion(found) >= rulebook().refuse_at:
        told = " ".join(f"It {issue.message}" for issue in issues)
        raise ContentRefused(f"The text was refused. {told}", issues=issues)
    return issues


def suspicion(found: Sequence[Finding]) -> float:
    """The weight of the different rules that matched."""
    return round(sum({finding.rule: finding.weight for finding in found}.values()), 9)


def findings(passages: Iterable[Passage]) -> list[Finding]:
    """Each rule once, where it matched first."""
    found: dict[str, Finding] = {}
    for passage in passages:
        for finding in _in_passage(passage):
            found.setdefault(finding.rule, finding)
    return list(found.values())


def invisible_in(passages: Iterable[Passage]) -> tuple[Issue, ...]:
    """Where characters stand that nobody can see."""
    issues = []
    for passage in passages:
        if found := INVISIBLE.search(passage.text):
            line = passage.text.count("\n", 0, found.start()) + 1
            name = f"U+{ord(found[0]):04X}"
            issues.append(
                Issue(passage.path, f"has an invisible character, {name}, in line {line}.")
            )
    return tuple(issues)


def _in_passage(passage: Passage) -> Iterator[Finding]:
    book = rulebook()
    folded, prose = _folded(passage.text), _folded(without_code(passage.text))
    rules = (*book.rules, *book.comment_rules) if passage.comment else book.rules
    for rule in rules:
        text = passage.text if rule.raw else prose if rule.prose else folded
        if found := rule.pattern.search(text):
            shown = " ".join(found[0].split())[:_SHOWN]
            yield _finding(rule.id, rule.weight, passage, f"{rule.says}: “{shown}”.")
    for decoded in _decoded(passage.text):
        for rule in rules:
            if rule.pattern.search(_folded(decoded)):
                says = f"{rule.says}, in encoded text."
                yield _finding("hidden.encoded", _ENCODED_WEIGHT, passage, says)


def _finding(rule: str, weight: float, passage: Passage, message: str) -> Finding:
    return Finding(rule, weight, Issue(passage.path, message))


def _folded(text: str) -> str:
    """The text as the rules expect it."""
    visible = INVISIBLE.sub("", text)
    plain = unicodedata.normalize("NFKC", visible).casefold().translate(rulebook().lookalikes)
    plain = plain.replace("’", "'").replace("*", "")
    return _SPACES.sub(" ", plain)


def _decoded(text: str) -> Iterator[str]:
    """Readable texts that are written in base64."""
    for count, found in enumerate(_ENCODED.finditer(text)):
        if count >= _MOST_ENCODED:
            return
        letters = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            data = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
            decoded = data.decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if sum(map(str.isprintable, decoded)) > 0.9 * len(decoded):
            yield decoded
