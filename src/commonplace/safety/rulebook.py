"""Loads the rules from files below `rules/`; each rule has an example of what it detects."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

REFUSE_AT = 0.6
_CLAUSE = 100
_BORDER = re.compile(r"[.!?,;:\n]")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule matches, its weight, and its message.

    `raw` rules apply to the original text, `prose` rules not to code, `comment` rules only to
    hidden comments. A rule can only match text that has one of the words in `needs`. After a word
    in `unless` in the same clause, the meaning is reversed: *never push without approval*.
    """

    id: str
    family: str
    weight: float
    says: str
    pattern: re.Pattern[str]
    example: str
    needs: tuple[str, ...]
    unless: re.Pattern[str] | None
    raw: bool
    prose: bool
    comment: bool

    def found_in(self, text: str) -> str | None:
        # A plain loop for speed: every rule checks every text that is shown.
        for word in self.needs:
            if word in text:
                break
        else:
            if self.needs:
                return None
        for found in self.pattern.finditer(text):
            before = text[max(0, found.start() - _CLAUSE) : found.start()]
            if self.unless is None or not self.unless.search(_BORDER.split(before)[-1]):
                return found[0]
        return None


@cache
def rules() -> tuple[Rule, ...]:
    """The rules of all files, in the order of the file names."""
    folder = files("commonplace.safety").joinpath("rules")
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return tuple(
        _rule(row)
        for name in names
        for row in tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8"))["rule"]
    )


def _rule(row: dict[str, Any]) -> Rule:
    return Rule(
        id=row["id"],
        family=row["family"],
        weight=float(row["weight"]),
        says=row["says"],
        pattern=re.compile(row["pattern"]),
        example=row["example"],
        needs=tuple(row.get("needs", ())),
        unless=re.compile(row["unless"]) if "unless" in row else None,
        raw=row.get("raw", False),
        prose=row.get("prose", False),
        comment=row.get("comment", False),
    )
