"""Homes of one to thirty notes, as new ones are: what recall says of a question, and how rightly.

python -m benchmarks.recall.small [--tuning]
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.databases import settings_for
from benchmarks.recall import plan
from benchmarks.recall.home import SteppedClock, store
from benchmarks.recall.judged import JudgedHit, JudgedQuestion
from benchmarks.recall.measures import calibration_error
from benchmarks.recall.texts import Thing
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.memory.thoughts import title_in
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.entry import EntryKind
from commonplace.recall.values import MOST_HITS, Recalled, RecallRequest, Verdict

SIZES = (1, 2, 5, 30)
_TEXTS = Path(__file__).with_name("small.toml")
_IN_TASKS = {"answerable": "answerable, in a task", "foreign": "foreign, in a task"}
_SORTS = ("answerable", "open", "of another note", "foreign", *_IN_TASKS.values())
_IN_PLANS = {
    "answerable": plan.Sort.ANSWERABLE,
    "open": plan.Sort.REMOVED,
    "of another note": plan.Sort.FOREIGN,
    "foreign": plan.Sort.FOREIGN,
}
_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the home of an actor; `right` is the id of the note that answers it."""

    actor: Actor
    size: int
    sort: str
    text: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    asked: Asked
    answer: Recalled

    @property
    def is_right(self) -> tuple[bool, ...]:
        """Of each hit that is shown."""
        names = (hit.reference.partition(":")[2] for hit in self.answer.hits)
        return tuple(name == self.asked.right for name in names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tuning", action="store_true", help="print the tuning half; save nothing")
    tuning, started = parser.parse_args().tuning, now()
    answers = answered(held=not tuning)
    tables = (_verdicts(answers), _fit(answers))
    if tuning:
        print("\n".join(table.markdown() for table in tables))
    else:
        Report("small-homes", tables, _NOTES).save(started)


def answered(*, held: bool) -> list[Answered]:
    with _filled_homes(held=held) as (application, questions):
        return [
            Answered(one, application.recall.recall(one.actor, RecallRequest(one.text)))
            for one in questions
        ]


def judged_small() -> list[JudgedQuestion]:
    """The tuning half with all that recall finds, in the form of the large home's questions."""
    with _filled_homes(held=False) as (application, questions):
        return [_judged(application, one) for one in questions if one.sort in _IN_PLANS]


def _judged(application: Application, one: Asked) -> JudgedQuestion:
    hits = application.recall.everything(one.actor, RecallRequest(one.text, limit=MOST_HITS))
    found = (
        JudgedHit(hit.evidence, hit.kind.value, hit.reference.partition(":")[2] == one.right)
        for hit in hits
    )
    family, right = f"small-{one.size}", frozenset({one.right} - {""})
    return JudgedQuestion(plan.Asked(one.text, _IN_PLANS[one.sort], family, right), tuple(found))


@contextmanager
def _filled_homes(*, held: bool) -> Iterator[tuple[Application, list[Asked]]]:
    clock = SteppedClock()
    with settings_for("sqlite") as settings:
        application = build(settings.model_copy(update={"worker": False}), clock)
        try:
            asked = [
                each
                for one in _filled(application, clock, held=held)
                for each in (one, *_in_task(one))
            ]
            clock.at += timedelta(days=1)
            assert application.new_worker().drain(_HOUR), "embedded in an hour"
            yield application, asked
        finally:
            application.close()


def _filled(application: Application, clock: SteppedClock, *, held: bool) -> Iterator[Asked]:
    """Every home is an org; its notes are a day apart, so that none stands around another."""
    texts = tomllib.loads(_TEXTS.read_text(encoding="utf-8"))
    own, others = texts["note"][held::2], texts["note"][not held :: 2]
    foreign = texts["foreign"][held::2]
    for size in SIZES:
        for first in range(0, len(own), size):
            actor = Actor(f"home-{size}-{first}", "bench", ALL_SCOPES)
            notes = own[first : first + size]
            for number, note in enumerate([*notes, *others[: size - len(notes)]]):
                clock.at += timedelta(days=1)
                store(application, actor, _thing(number, note))
            for number, note in enumerate(notes):
                for text in note["asked"]:
                    yield Asked(actor, size, "answerable", text, f"note-{number}")
                yield from (Asked(actor, size, "open", text) for text in note["open"])
            if len(notes) < len(own):
                another = own[(first + size) % len(own)]["asked"]
                yield from (Asked(actor, size, "of another note", text) for text in another)
            yield from (Asked(actor, size, "foreign", text) for text in foreign)


def _in_task(one: Asked) -> Iterator[Asked]:
    """The question with a whole task around it."""
    if one.sort in _IN_TASKS:
        task = tomllib.loads(_TEXTS.read_text(encoding="utf-8"))["task"]
        text = f"{one.text[0].upper()}{one.text[1:]}"
        yield replace(one, sort=_IN_TASKS[one.sort], text=task.replace("{question}", text))


def _thing(number: int, note: dict[str, Any]) -> Thing:
    title = note.get("title") or title_in(note["text"])
    tags = (note["kind"],) if "kind" in note else ()
    return Thing(f"note-{number}", EntryKind.NOTE, title, note["text"], tags=tags)


def _verdicts(answers: Sequence[Answered]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size in SIZES:
        for sort in _SORTS:
            some = [one for one in answers if (one.asked.size, one.asked.sort) == (size, sort)]
            if some:
                said = [one.answer.verdict for one in some]
                shares = (fmean(verdict is each for verdict in said) for each in Verdict)
                shown = fmean(len(one.answer.hits) for one in some)
                rows.append((f"{size}, {sort}", len(some), *shares, shown))
    columns = ("notes, questions", "asked", *map(str, Verdict), "hits shown")
    return Table("what is said of a question", columns, tuple(rows))


def _fit(answers: Sequence[Answered]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size in SIZES:
        own = [one for one in answers if one.asked.size == size and one.asked.sort in _IN_PLANS]
        some = [one for one in own if one.answer.hits]
        hits = [
            (hit.probability, right)
            for one in some
            for hit, right in zip(one.answer.hits, one.is_right, strict=True)
        ]
        firsts = [(one.answer.hits[0].probability, one.is_right[0]) for one in some]
        questions = [(one.answer.probability, any(one.is_right)) for one in some]
        apart = fmean(_apart(one.answer) > 0.01 for one in some)
        rows.append((size, *map(calibration_error, (hits, firsts, questions)), apart))
    columns = ("notes", "of every hit", "of the first", "of the question", "hits say less")
    return Table("expected calibration error where hits are shown", columns, tuple(rows))


def _apart(answer: Recalled) -> float:
    """By how much the question is likelier answered than that one of its hits answers it."""
    missed = 1.0
    for hit in answer.hits:
        missed *= 1 - hit.probability
    return answer.probability - (1 - missed)


_NOTES = (
    "Every second note and foreign question is held back: nothing was chosen on them.",
    "Open questions are about a note that does not say what is asked for; `of another note` are",
    "questions that a note answers which is not in the home.",
    "Probabilities are those of questions without a task around them.",
    "`hits say less` is the share of questions called likelier answered than their hits together.",
)

if __name__ == "__main__":
    main()
