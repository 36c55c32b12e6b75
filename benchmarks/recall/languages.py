"""Notes in languages that the model reads badly: sections of documentation, and their headings.

python -m benchmarks.recall.languages --mirrors DIR [--tuning]
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean

from benchmarks.databases import settings_for
from benchmarks.recall.home import store
from benchmarks.recall.judged import JudgedHit, JudgedQuestion
from benchmarks.recall.measures import calibration_error
from benchmarks.recall.plan import Asked, Sort, digest
from benchmarks.recall.texts import Mirrors, Thing
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.entry import EntryKind
from commonplace.recall.values import MOST_HITS, Recalled, RecallRequest, Verdict

# Languages whose letters the bundled model does not know.
UNREAD = ("ru", "zh-cn", "ja")
_SOURCE = "kubernetes/website"
_UNSPACED = ("zh-cn", "ja")
_MOST = 120
_PER_PAGE = 3
_SHORTEST = 120
_LONGEST = 400
_HOUR = 3600.0
_NOT_PROSE = re.compile(r"<!--.*?-->|```.*?```|\{\{.*?\}\}|\{#.*?\}|\A---\n.*?\n---\n", re.DOTALL)
_SECTION = re.compile(r"^##+ (?P<title>.+?)\n(?P<body>.*?)(?=^##|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Told:
    asked: Asked
    answer: Recalled

    @property
    def rank(self) -> int:
        """Of the right hit, from 1; 0 where it is not shown."""
        names = [_name(hit.reference) for hit in self.answer.hits]
        return next((n for n, name in enumerate(names, 1) if name in self.asked.right), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--tuning", action="store_true", help="print the tuning half; save nothing")
    given, started = parser.parse_args(), now()
    with _filled(Mirrors(given.mirrors), tuple(_foreign())) as (application, asked):
        table = _table(application, asked, held=not given.tuning)
    if given.tuning:
        print(table.markdown())
    else:
        Report("languages", (table,), _NOTES).save(started)


def judged_unread(mirrors: Mirrors) -> list[JudgedQuestion]:
    """The tuning half of questions in languages that the model does not read."""
    with _filled(mirrors, UNREAD) as (application, asked):
        return [
            _judged(application, language, one)
            for language, questions in asked.items()
            for one in questions
            if not one.held
        ]


def _judged(application: Application, language: str, asked: Asked) -> JudgedQuestion:
    request = RecallRequest(asked.text, limit=MOST_HITS)
    found = application.recall.everything(_actor(language), request)
    hits = (JudgedHit(h.evidence, h.kind.value, _name(h.reference) in asked.right) for h in found)
    return JudgedQuestion(asked, tuple(hits))


@contextmanager
def _filled(
    mirrors: Mirrors, languages: Sequence[str]
) -> Iterator[tuple[Application, Mapping[str, list[Asked]]]]:
    """Every language is an org."""
    with settings_for("sqlite") as settings:
        application = build(settings.model_copy(update={"worker": False}))
        try:
            asked = {name: list(_stored(application, mirrors, name)) for name in languages}
            assert application.new_worker().drain(_HOUR), "embedded in an hour"
            yield application, asked
        finally:
            application.close()


def _stored(application: Application, mirrors: Mirrors, language: str) -> Iterator[Asked]:
    """Stores the sections; every second question of a sort is held back."""
    for number, thing in enumerate(_sections(mirrors, language)):
        store(application, _actor(language), thing)
        right = frozenset({thing.id})
        yield Asked(thing.asked, Sort.ANSWERABLE, language, right, held=bool(number % 2))
    for number, text in enumerate(_foreign()[language]):
        yield Asked(text, Sort.FOREIGN, language, held=bool(number % 2))


def _sections(mirrors: Mirrors, language: str) -> list[Thing]:
    """Sections whose heading says something, from pages in an order that nobody chose."""
    paths = mirrors.paths(_SOURCE, rf"content/{language}/docs/(?:concepts|tasks)/.*\.md")
    found: dict[str, str] = {}
    for path in sorted(paths, key=digest):
        page = _NOT_PROSE.sub("", mirrors.file(_SOURCE, path))
        telling = (one for one in _SECTION.finditer(page) if _is_telling(language, one))
        found |= {
            re.sub(r"[*_`]", "", one["title"]).strip(): one["body"].strip()[:_LONGEST]
            for one in islice(telling, _PER_PAGE)
        }
        if len(found) >= _MOST:
            break
    return [
        Thing(f"{language}-{n}", EntryKind.NOTE, " ".join(body.split()[:6])[:60], body, title)
        for n, (title, body) in enumerate(found.items())
    ]


def _is_telling(language: str, section: re.Match[str]) -> bool:
    title = section["title"].strip()
    telling = len(title) >= 6 if language in _UNSPACED else len(title.split()) >= 3
    return telling and len(section["body"].strip()) >= _SHORTEST


def _foreign() -> dict[str, list[str]]:
    file = Path(__file__).with_suffix(".toml")
    questions: dict[str, list[str]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return questions


def _actor(language: str) -> Actor:
    return Actor(f"org-{language}", "bench", ALL_SCOPES)


def _name(reference: str) -> str:
    return reference.partition(":")[2].partition("#")[0]


def _table(application: Application, asked: Mapping[str, list[Asked]], *, held: bool) -> Table:
    rows = []
    for language, questions in asked.items():
        told = [
            Told(one, application.recall.recall(_actor(language), RecallRequest(one.text)))
            for one in questions
            if one.held is held
        ]
        rows.append(_row(language, told))
    columns = (
        "", "questions", "hit@1", "hit@3", *map(str, Verdict), "error", "foreign ones",
        *map(str, Verdict),
    )  # fmt: skip
    return Table("questions and foreign questions", columns, tuple(rows))


def _row(language: str, told: Sequence[Told]) -> tuple[Cell, ...]:
    known = [one for one in told if one.asked.sort is Sort.ANSWERABLE]
    foreign = [one for one in told if one.asked.sort is Sort.FOREIGN]
    return (
        language,
        len(known),
        fmean(one.rank == 1 for one in known),
        fmean(0 < one.rank <= 3 for one in known),
        *_shares(known),
        calibration_error([(one.answer.probability, one.rank > 0) for one in told]),
        len(foreign),
        *_shares(foreign),
    )


def _shares(told: Sequence[Told]) -> Iterator[float]:
    return (fmean(one.answer.verdict is verdict for one in told) for verdict in Verdict)


_NOTES = (
    "Stored are the first characters of sections of Kubernetes' documentation; their headings are",
    "asked, of which some say little of the section. Every second one is held back. Every language",
    "is a home of its own. `error` is the expected calibration error of the question.",
)

if __name__ == "__main__":
    main()
