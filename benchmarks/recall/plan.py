"""What a home holds and what is asked of it: which texts, which questions, which are held back.

Pure but for reading the texts. Every second question of a family is held back: nothing is fitted
or chosen on those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from benchmarks.quality.workspace.questions import ASKED, TUNING, Repository, load
from benchmarks.recall.texts import (
    Mirrors,
    Thing,
    abstracts,
    answers,
    commits,
    explained,
    procedures,
    skills,
    talks,
)
from commonplace.model.entry import EntryKind

_HERE = Path(__file__).parent
PROJECTS = {
    "gson": "google/gson",
    "got": "sindresorhus/got",
    "httpx": "encode/httpx",
    "click": "pallets/click",
}
COMMITTED = ("caddyserver/caddy", "pallets/flask", "tokio-rs/mio", "fastapi/fastapi")
# Conversations that are stored; of the others only questions are asked.
TOLD = 8


class Sort(StrEnum):
    """Whether a question has an answer here; REMOVED ones are about something that is here."""

    ANSWERABLE = "answerable"
    FOREIGN = "foreign"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Asked:
    """`right` are ids of things, or `project:path` of files; empty where there is no answer."""

    text: str
    sort: Sort
    family: str
    right: frozenset[str] = frozenset()
    held: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """`stored` things of the org that is asked, `others` of another org on the same server."""

    stored: tuple[Thing, ...]
    documents: tuple[Thing, ...]
    others: tuple[Thing, ...]
    projects: dict[str, Repository] = field(default_factory=dict)
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class Inputs:
    mirrors: Mirrors
    talks: Path
    scifact: Path
    # How much of what is not asked about comes in; 1 makes a home of more than 20,000 things.
    filling: float = 1.0


def planned(inputs: Inputs) -> Plan:
    stored: list[Thing] = []
    others: list[Thing] = []
    asked: list[Asked] = []
    for name, (things, wanted, withheld) in families(inputs).items():
        questions = _chosen([one for one in things if one.asked], wanted + withheld)
        gone = {one.id for one in questions[:withheld]}
        stored += [one for one in things if one.id not in gone]
        others += [one for one in things if one.id in gone]
        asked += [_about(one, name, removed=one.id in gone) for one in questions]
    documents = [one for one in stored if one.id.startswith("scifact-")][::2]
    taken = {one.id for one in documents}
    filling, elsewhere = _filling(inputs, {one.id for one in (*stored, *others)})
    stored = [one for one in stored if one.id not in taken] + filling
    projects, of_code = _code()
    asked += [*of_code, *_talked(inputs), *_skilled(filling), *_used(filling), *_foreign()]
    everything = (*stored, *_copies(stored))
    return Plan(everything, tuple(documents), (*others, *elsewhere), projects, _divided(asked))


def families(inputs: Inputs) -> dict[str, tuple[Sequence[Thing], int, int]]:
    """Things that were written as answers: how many are asked for, of how many the answer goes."""
    mirrors, most = inputs.mirrors, int(600 * inputs.filling)
    js, react = "sudheerj/javascript-interview-questions", "sudheerj/reactjs-interview-questions"
    told = [one for name in COMMITTED for one in explained(mirrors, name, 60)]
    return {
        "js": (answers(mirrors, js, EntryKind.NOTE, "js"), 40, 20),
        "react": (answers(mirrors, react, EntryKind.NOTEBOOK_NOTE, "react"), 40, 20),
        "scifact": (abstracts(inputs.scifact, max(150, most)), 30, 15),
        "commits": (told, 30, 10),
    }


def _filling(inputs: Inputs, known: set[str]) -> tuple[list[Thing], list[Thing]]:
    """What hardly anybody asks about; every twentieth commit lies with the other org, too."""
    mirrors, share = inputs.mirrors, inputs.filling
    names = (*COMMITTED, *PROJECTS.values(), "kubernetes/website")
    every = (one for name in names for one in commits(mirrors, name, int(900 * share)))
    learned = [one for one in every if f"explained-{one.id}" not in known]
    spoken = [turn for talk in talks(inputs.talks)[:TOLD] for turn in talk.turns]
    used = procedures(mirrors, int(2_500 * share))
    return [*learned, *spoken, *used, *skills(mirrors)], learned[::20]


def _copies(stored: Sequence[Thing]) -> list[Thing]:
    """Every fortieth entry a second time, as somebody else keeps it: nearly equal."""
    return [
        Thing(f"{one.id}-again", EntryKind.NOTE, one.title, f"{one.body}\n\n(kept by another)")
        for one in stored[::40]
        if not one.id.startswith("talk")
    ]


def _about(one: Thing, family: str, *, removed: bool) -> Asked:
    if removed:
        return Asked(one.asked, Sort.REMOVED, family)
    right = frozenset({one.id, f"{one.id}-again"})
    return Asked(one.asked, Sort.ANSWERABLE, family, right)


def _code() -> tuple[dict[str, Repository], list[Asked]]:
    projects: dict[str, Repository] = {}
    asked: list[Asked] = []
    for file in (ASKED, TUNING):
        repositories, questions = load(file)
        projects |= {name: one for name, one in repositories.items() if name in PROJECTS}
        for one in questions:
            if one.project in PROJECTS:
                right = frozenset(f"{one.project}:{path}" for path in one.files)
                asked.append(Asked(one.text, Sort.ANSWERABLE, "code", right))
    return projects, chosen_asked(asked, 85)


def _talked(inputs: Inputs) -> list[Asked]:
    told, untold = talks(inputs.talks)[:TOLD], talks(inputs.talks)[TOLD:]
    known = [
        Asked(text, Sort.ANSWERABLE, "talk", right)
        for talk in told
        for text, right in talk.questions
    ]
    foreign = [Asked(t, Sort.FOREIGN, "talk") for talk in untold for t, _ in talk.questions]
    return [*chosen_asked(known, 40), *chosen_asked(foreign, 25)]


def _skilled(filling: Sequence[Thing]) -> list[Asked]:
    named: dict[str, set[str]] = {}
    for one in filling:
        if one.kind is EntryKind.SKILL:
            named.setdefault(one.title, set()).add(one.id)
    lines = (_HERE / "skills.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t") for line in lines]
    return [
        Asked(text, Sort.ANSWERABLE, "skills", frozenset(named[title]))
        for title, text in pairs
        if title in named
    ]


def _used(filling: Sequence[Thing]) -> list[Asked]:
    """How a command does something, in the words of its page; the command is not named."""
    pages = [one for one in filling if one.kind is EntryKind.UNIT]
    asked = []
    for one in pages:
        uses = [line[2:].rstrip(":") for line in one.body.splitlines() if line.startswith("- ")]
        longest = max(uses, key=len, default="")
        if len(longest.split()) >= 8 and one.title not in longest.casefold():
            right = frozenset({one.id, f"{one.id}-again"})
            text = f"how do I {longest[0].lower()}{longest[1:]}"
            asked.append(Asked(text, Sort.ANSWERABLE, "tldr", right))
    return chosen_asked(asked, 24)


def _foreign() -> list[Asked]:
    lines = (_HERE / "foreign.txt").read_text(encoding="utf-8").splitlines()
    return [Asked(line, Sort.FOREIGN, "life") for line in lines if line]


def _chosen(things: Sequence[Thing], most: int) -> list[Thing]:
    return sorted(things, key=lambda one: digest(one.asked))[:most]


def chosen_asked(asked: Sequence[Asked], most: int) -> list[Asked]:
    return sorted(asked, key=lambda one: digest(one.text))[:most]


def _divided(asked: Iterable[Asked]) -> tuple[Asked, ...]:
    """Every second one of a family and sort is held back, in an order that nobody chose."""
    groups: dict[tuple[str, str], list[Asked]] = {}
    for one in {one.text: one for one in asked}.values():
        groups.setdefault((one.family, one.sort), []).append(one)
    divided = []
    for group in groups.values():
        ordered = sorted(group, key=lambda one: digest(one.text))
        divided += [
            Asked(one.text, one.sort, one.family, one.right, held=bool(number % 2))
            for number, one in enumerate(ordered)
        ]
    return tuple(divided)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
