"""One home with everything, judged questions of which a third have no answer: recall and dialects.

python -m benchmarks recall --mirrors DIR --talks FILE --scifact DIR --home DIR [--filling 0.1]
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

from benchmarks.recall.accepted import completed
from benchmarks.recall.asking import SEARCHES, Ask, by_all_dialects, by_dialect, by_recall
from benchmarks.recall.home import Home, filled
from benchmarks.recall.measures import (
    Answered,
    calibration_error,
    found,
    of_hits,
    of_questions,
    share,
)
from benchmarks.recall.plan import Inputs, Sort
from benchmarks.recall.texts import Mirrors
from benchmarks.report import Cell, Report, Table, now
from commonplace.recall.values import Verdict


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks recall", description=__doc__)
    for name in ("mirrors", "talks", "scifact", "home"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--filling", type=float, default=1.0)
    parser.add_argument("--stores", default="sqlite")
    parser.add_argument("--tuning", action="store_true", help="print the tuning half; save nothing")
    given = parser.parse_args(arguments)
    inputs = Inputs(Mirrors(given.mirrors), given.talks, given.scifact, given.filling)
    started = now()
    tables: list[Table] = []
    for dialect in given.stores.split(","):
        with filled(dialect, inputs, given.home) as home:
            tables += _tables(dialect, home, held=not given.tuning)
    if given.tuning or given.filling != 1.0:
        print("\n".join(table.markdown() for table in tables))
        return
    Report("recall", tuple(tables), _NOTES).save(started)


def _tables(dialect: str, home: Home, *, held: bool) -> list[Table]:
    asked = [one for one in home.plan.asked if one.held == held]
    recall = by_recall(home)
    answered = [(one, recall(one)) for one in asked]
    dialects = {name: by_dialect(home, name) for name in SEARCHES}
    ways: dict[str, Ask] = {
        **dialects,
        "all four, asked in turn": by_all_dialects([*dialects.values()]),
    }
    answerable = [one for one in asked if one.sort is Sort.ANSWERABLE]
    rows: list[tuple[Cell, ...]] = [_row("recall", answered)]
    rows += [
        _row(name, [(one, way(completed(one))) for one in answerable]) for name, way in ways.items()
    ]
    columns = ("", *_FOUND, "characters per answered question")
    count = f"{len(answerable)} answerable questions held back" if held else "tuning"
    return [
        Table(f"{dialect}: {count}", columns, tuple(rows)),
        _families(dialect, answered),
        _verdicts(dialect, answered),
        _fit(dialect, answered),
    ]


def _row(name: str, answered: Answered) -> tuple[Cell, ...]:
    got = found(answered)
    pooled = found([(completed(asked), given) for asked, given in answered])
    return (
        name,
        got.three,
        pooled.three,
        got.five,
        pooled.five,
        got.gain,
        round(got.characters) if math.isfinite(got.characters) else None,
    )


def _families(dialect: str, answered: Answered) -> Table:
    names = sorted({asked.family for asked, _ in answered if asked.sort is Sort.ANSWERABLE})
    rows = [_row(name, [pair for pair in answered if pair[0].family == name]) for name in names]
    columns = ("recall by family", *_FOUND, "characters")
    return Table(f"{dialect}: by family", columns, tuple(rows))


def _verdicts(dialect: str, answered: Answered) -> Table:
    rows = [(sort.value, *(share(answered, sort, verdict) for verdict in Verdict)) for sort in Sort]
    return Table(f"{dialect}: what is said of a question", ("", *map(str, Verdict)), tuple(rows))


def _fit(dialect: str, answered: Answered) -> Table:
    pooled = [(completed(asked), given) for asked, given in answered]
    rows: list[tuple[Cell, ...]] = [
        (name, *(calibration_error(pairs(some)) for some in (answered, pooled)))
        for name, pairs in _PROBABILITIES.items()
    ]
    columns = ("probability", "expected calibration error", "completed")
    return Table(f"{dialect}: how well probabilities fit", columns, tuple(rows))


def _of_firsts(answered: Answered) -> list[tuple[float, bool]]:
    return [(g.likely[0], bool(g.names[0] & a.right)) for a, g in answered if g.likely]


_FOUND = ("hit@3", "completed", "hit@5", "completed", "nDCG@10")
_PROBABILITIES = {
    "of every hit that is shown": of_hits,
    "of the first hit": _of_firsts,
    "of the question being answered": of_questions,
}
_NOTES = (
    "Half of the questions of every family are held back: nothing was fitted or chosen on them.",
    "Foreign questions are about something the home does not know. Of removed ones the subject is",
    "there; the answer was taken out, and lies with another org on the same server.",
    "A dialect finds what was written in it; beside it stand all four, asked in turn.",
    "Completed: with the further answers of accepted.toml. Only questions that recall misses were",
    "pooled, so completed figures of the other searches are too low.",
)
