"""Turns of LoCoMo's conversations as notes, a thousand of them, and questions to what was said.

python -m benchmarks.recall.talk FILE [--turns 1000] [--questions 200]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from statistics import fmean

from benchmarks.databases import settings_for
from benchmarks.recall.home import ACME, SteppedClock, store
from benchmarks.recall.texts import Thing, talks
from benchmarks.report import Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.recall.values import RecallRequest

_HOUR = 3600.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--turns", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args()
    every = talks(given.file)
    turns = [turn for talk in every for turn in talk.turns][: given.turns]
    known = {turn.id for turn in turns}
    pairs = [pair for talk in every for pair in talk.questions if pair[1] <= known]
    started, ranks = now(), _ranks(turns, pairs[: given.questions])
    row = tuple(fmean(0 < rank <= most for rank in ranks) for most in (1, 3, 5, 10))
    title = f"recall over {len(turns)} turns, {len(ranks)} questions"
    columns = ("hit@1", "hit@3", "hit@5", "hit@10")
    Report("talk", (Table(title, columns, (row,)),), _NOTES).save(started)


def _ranks(turns: Sequence[Thing], pairs: Sequence[tuple[str, frozenset[str]]]) -> list[int]:
    clock = SteppedClock()
    with settings_for("sqlite") as settings:
        application = build(settings.model_copy(update={"worker": False}), clock)
        try:
            for turn in turns:
                clock.at += timedelta(seconds=1)
                store(application, ACME, turn)
            clock.at += timedelta(days=1)
            assert application.new_worker().drain(_HOUR), "embedded in an hour"
            return [_rank(application, *pair) for pair in pairs]
        finally:
            application.close()


def _rank(application: Application, question: str, right: frozenset[str]) -> int:
    """From 1, of the first right turn among ten; 0 where none is, whatever the verdict."""
    hits = application.recall.everything(ACME, RecallRequest(question))[:10]
    names = [hit.reference.partition(":")[2] for hit in hits]
    return next((n for n, name in enumerate(names, start=1) if name in right), 0)


_NOTES = (
    "Every turn is a note of one agent, a second apart; its title is who spoke, and when.",
    "The ranking alone, without verdicts: what an agent is shown ends where an answer is likely.",
)

if __name__ == "__main__":
    main()
