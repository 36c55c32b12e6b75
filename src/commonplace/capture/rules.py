"""The word lists that capturing uses: `rules/extraction.toml`, read once."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

# A lead-in is no part of a longer word or name: "well-known", "summary.md".
_WHOLE_WORD = r"(?!(?<=\w)[-.]\w)"


class Words(NamedTuple):
    not_projects: frozenset[str]
    not_files: frozenset[str]
    address_endings: frozenset[str]
    turn: re.Pattern[str]
    """The beginning of a turn: a role before a colon."""
    output: re.Pattern[str]
    """The beginning of a turn that holds a program's output."""
    opening: re.Pattern[str]
    """A lead-in that says nothing of its own."""
    announcement: re.Pattern[str]
    """A lead-in that begins another moment."""
    announced_types: tuple[tuple[str, re.Pattern[str]], ...]
    """Types of moments, each with the lead-ins that name it."""
    filler: re.Pattern[str]
    """A whole sentence that says nothing of its own."""
    common_names: frozenset[str]
    not_speakers: frozenset[str]


@cache
def words() -> Words:
    source = files("commonplace.capture").joinpath("rules/extraction.toml")
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    return Words(
        not_projects=frozenset(data["not_projects"]),
        not_files=frozenset(data["not_files"]),
        address_endings=frozenset(data["address_endings"]),
        turn=_turn((*data["roles"], *data["outputs"])),
        output=_turn(data["outputs"]),
        opening=re.compile(
            rf"(?:{_either(data['openings'])})\s{{0,3}}{_WHOLE_WORD}[,:;.!-]+\s*"
            rf"|(?:{_either(data['unpunctuated_openings'])})\s+",
            re.IGNORECASE,
        ),
        announcement=_announcing(data["announcements"]),
        announced_types=tuple(
            (told, _announcing(phrases)) for told, phrases in data["typed_announcements"].items()
        ),
        filler=re.compile(
            rf"(?:(?:{_either(data['fillers'])})\b[\s,.!:-]{{0,9}}){{1,9}}\Z", re.IGNORECASE
        ),
        common_names=frozenset(data["common_names"]),
        not_speakers=frozenset(data["not_speakers"]),
    )


def _turn(roles: tuple[str, ...] | list[str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?:\[[^\]\n]{{1,30}}\][ ]?)?[*_<]{{0,3}}(?:{'|'.join(roles)})[>*_]{{0,3}}:[*_]{{0,3}}",
        re.IGNORECASE,
    )


def _announcing(phrases: list[str]) -> re.Pattern[str]:
    return re.compile(
        rf"[\s*_>-]{{0,9}}(?:{_either(phrases)})[*_]{{0,3}}\s{{0,3}}"
        rf"{_WHOLE_WORD}[:!\u2013\u2014-]",
        re.IGNORECASE,
    )


def _either(phrases: list[str]) -> str:
    return "|".join(phrases).replace(" ", r"\s{1,3}")
