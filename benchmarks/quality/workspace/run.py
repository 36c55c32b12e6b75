"""Questions of developers to whole projects: the right file among the first hits, beside grep.

python -m benchmarks workspace [--data FOLDER] [--home FOLDER] [--stores sqlite] [--only tune]
    [--tuning]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.quality.datasets import DATA_VARIABLE
from benchmarks.quality.workspace.grep import Grep, read
from benchmarks.quality.workspace.questions import ASKED, OWN, TUNING, Question, Repository, load
from benchmarks.report import Cell, Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import running_application
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.call import PLAIN_CALL
from commonplace.surfaces.workspace.tools import KnowledgeArguments, pm_knowledge
from commonplace.workspace.projects.identity import NewProject

ACTOR = Actor("bench", "bench", ALL_SCOPES)
_AN_HOUR = 3600.0
# A person reads three hits and perhaps looks at ten.
_DEPTH = 10

Ask = Callable[[Question], list[str]]


@dataclass(frozen=True, slots=True)
class Score:
    """Of some questions: the share answered by the first hit, by the first three, and the MRR."""

    first: float
    three: float
    reciprocal: float


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks workspace", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA_VARIABLE))
    parser.add_argument("--home", type=Path, help="keep the database here, or use the one there")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--only", choices=("tune", "held"), help="some of the questions")
    parser.add_argument(
        "--tuning", action="store_true", help="ask about the projects that rules are chosen on"
    )
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit(f"Set {DATA_VARIABLE} or --data: benchmarks/quality/README.md says to what.")
    started = now()
    repositories, questions = load(TUNING if given.tuning else ASKED)
    if given.only:
        questions = [one for one in questions if one.held == (given.only == "held")]
    tables = [
        _measured(dialect, repositories, questions, given.data, given.home)
        for dialect in DIALECTS
        if dialect in given.stores.split(",")
    ]
    if given.only or given.tuning:
        print("\n".join(table.markdown() for group in tables for table in group))
        return
    Report(
        "workspace",
        tuple(table for group in tables for table in group),
        _NOTES,
        {"commit": _own_commit()},
    ).save(started)


def _measured(
    dialect: str,
    repositories: dict[str, Repository],
    questions: Sequence[Question],
    data: Path,
    home: Path | None,
) -> list[Table]:
    # A team's server reads only the folders that it is told.
    roots = ",".join(str(one.root(data).resolve()) for one in repositories.values())
    with (
        settings_for(dialect, home / dialect if home else None) as settings,
        running_application(
            settings.model_copy(update={"worker": False, "roots": roots})
        ) as application,
    ):
        return _tables(dialect, _Library(application, repositories, data), questions)


class _Library:
    """The projects in the product, and ways to ask it."""

    def __init__(
        self, application: Application, repositories: dict[str, Repository], data: Path
    ) -> None:
        self._application = application
        self.repositories = repositories
        self.data = data
        self.seconds: list[float] = []
        self._ids = {name: self._added(one) for name, one in repositories.items()}
        self._ask("ingest", scope="all", execution="inline")
        assert application.new_worker().drain(_AN_HOUR)
        self.counts = self._ask("status", scope="all", profile="summary")
        assert not self.counts["failedCount"], self.counts

    def search(self, question: Question, mode: str = "auto", scope: str = "project") -> list[str]:
        """The files of the hits, as often as they are hit."""
        within = {"projectId": self._ids[question.project]} if scope == "project" else {}
        started = time.perf_counter()
        found = self._ask(
            "search", query=question.text, scope=scope, retrievalMode=mode, topK=_DEPTH, **within
        )
        self.seconds.append(time.perf_counter() - started)
        return [self._named(hit, found) for hit in found["hits"]]

    def _named(self, hit: dict[str, Any], found: dict[str, Any]) -> str:
        """A file of another project is no answer, even if it has the same path."""
        project = found["attachments"][hit["effectiveAttachmentId"]]["projectKey"]
        return f"{project}:{hit['path']}"

    def _added(self, one: Repository) -> str:
        root = one.root(self.data).resolve()
        project = self._application.workspace.add_project(ACTOR, NewProject(one.name, (str(root),)))
        operations = [
            {
                "op": "add",
                "knowledgeType": source.type,
                "resourceKind": "folder",
                "locator": str(root / source.folder),
            }
            for source in one.sources
        ]
        scope = {"scope": "project", "projectId": project.id}
        self._ask("update_sources", operations=operations, **scope)
        return project.id

    def _ask(self, action: str, **arguments: Any) -> dict[str, Any]:
        given = KnowledgeArguments.model_validate({"action": action, **arguments})
        answer = pm_knowledge(self._application, ACTOR, given, PLAIN_CALL)
        document: dict[str, Any] = answer.model_dump(mode="json", by_alias=True)
        return document


def _tables(dialect: str, library: _Library, questions: Sequence[Question]) -> list[Table]:
    grep = {name: read(one, library.data) for name, one in library.repositories.items()}
    rankings: list[Ask] = [
        partial(_grepped, grep, Grep.by_number),
        partial(_grepped, grep, Grep.by_rarity),
    ]
    kinder = max(rankings, key=lambda ask: score(ask, questions).three)
    ways: dict[str, Ask] = {
        "grep, the kinder of two rankings": kinder,
        "words alone": cache(partial(library.search, mode="lexical")),
        "meaning alone": cache(partial(library.search, mode="semantic")),
        "search": cache(library.search),
        "search, scope all": cache(partial(library.search, scope="all")),
    }
    parts = _parts(questions, library.repositories)
    shown = {name: some for name, some in parts.items() if some}
    tables = [_table(dialect, name, some, ways) for name, some in shown.items()]
    counts = library.counts
    tables.append(
        Table(
            f"{dialect}: what was searched",
            ("chunks", "of code", "of docs", "median ms of a search"),
            (
                (
                    counts["chunkCount"],
                    counts["codeChunkCount"],
                    counts["docsChunkCount"],
                    median(library.seconds) * 1000,
                ),
            ),
            1,
        )
    )
    return [*tables, _missed(dialect, questions, ways["search"])]


def _parts(questions: Sequence[Question], names: Iterable[str]) -> dict[str, Sequence[Question]]:
    held = [q for q in questions if q.held]
    return {
        "all": questions,
        "held back": held,
        "held back, written first": [q for q in held if not q.later],
        "held back, written later": [q for q in held if q.later],
        **{name: [q for q in questions if q.project == name] for name in names},
    }


def _grepped(
    grep: dict[str, Grep], ranking: Callable[[Grep, str], list[str]], question: Question
) -> list[str]:
    found = ranking(grep[question.project], question.text)
    return [f"{question.project}:{path}" for path in found]


def _table(dialect: str, name: str, questions: Sequence[Question], ways: dict[str, Ask]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for way, ask in ways.items():
        got = score(ask, questions)
        rows.append((way, got.first, got.three, got.reciprocal))
    title = f"{dialect}: {name}, {len(questions)} questions"
    return Table(title, ("", "hit@1", "hit@3", "MRR"), tuple(rows))


def _missed(dialect: str, questions: Sequence[Question], ask: Ask) -> Table:
    """Questions of the tuning half, whose misses may be looked at."""
    rows: list[tuple[Cell, ...]] = [
        (one.text, one.project, rank or None)
        for one in questions
        if not one.held and not 1 <= (rank := rank_of(one, ask(one))) <= 3
    ]
    return Table(
        f"{dialect}: not among the first three", ("tuning questions", "", "rank"), tuple(rows)
    )


def score(ask: Ask, questions: Sequence[Question]) -> Score:
    ranks = [rank_of(question, ask(question)) for question in questions]
    return Score(
        fmean(rank == 1 for rank in ranks),
        fmean(1 <= rank <= 3 for rank in ranks),
        fmean(1 / rank if rank else 0.0 for rank in ranks),
    )


def rank_of(question: Question, found: Sequence[str]) -> int:
    """From 1; 0 where no right file is among the first ten."""
    right = {f"{question.project}:{path}" for path in question.files}
    return next((n for n, file in enumerate(found[:_DEPTH], start=1) if file in right), 0)


def _own_commit() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


_NOTES = (
    "Every second question was held back: what ranks was chosen on the others.",
    "It was also chosen on 173 questions about eleven more projects (`--tuning`).",
    "A rank is that of a hit; several hits may be of one file. grep ranks whole files.",
    f"The project {OWN} is read as it stands in the commit named above.",
)
