"""How many poisoned contributions pass, and how many real skills are suspected without reason.

python -m benchmarks safety
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from benchmarks.quality.datasets import DatasetMissingError, data_folder
from benchmarks.report import Cell, Report, Table, now
from commonplace.errors import ContentRefused, InvalidArgument
from commonplace.registry.contribution import ready_skill
from tests.unit.registry.attacks import ACCEPTED, FLAGGED, REFUSED, attacks, outcome

INVALID, CLEAN = "not valid", "clean"
GROUPS = {
    "repositories": "seen while the rules were written",
    "held": "read once afterwards",
}
_CAVEATS = (
    "The attacks were written together with the rules: none passes, but others might.",
    "HTML comments that say nothing to an agent are removed without a flag.",
)
Judged = dict[str, dict[str, tuple[str, str]]]
_REMOVED = "HTML comments were removed"


def main(arguments: Sequence[str]) -> None:
    argparse.ArgumentParser(prog="python -m benchmarks safety", description=__doc__).parse_args(
        arguments
    )
    started = now()
    groups = {group: _real_skills(group) for group in GROUPS}
    Report("safety", (_attack_table(), _real_table(groups)), _notes(groups)).save(started)


def _attack_table() -> Table:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for attack in attacks():
        for family in (attack.name.split(".")[0], "all"):
            found[family][outcome(attack)] += 1
    order = sorted(found, key=lambda family: (family == "all", family))
    rows: list[tuple[Cell, ...]] = [
        (
            family,
            found[family].total(),
            found[family][REFUSED],
            found[family][FLAGGED],
            found[family][ACCEPTED],
        )
        for family in order
    ]
    return Table("Attacks", ("family", "attacks", REFUSED, FLAGGED, "passed"), tuple(rows))


def _real_skills(group: str) -> Judged:
    """For each repository, what becomes of each different file, and why."""
    home = data_folder() / "skills" / group
    if not home.is_dir():
        raise DatasetMissingError(f"no skills in {home}; see benchmarks/quality/README.md")
    found: Judged = defaultdict(dict)
    seen: set[bytes] = set()
    for file in sorted(home.rglob("SKILL.md")):
        data = file.read_bytes()
        if data not in seen:
            seen.add(data)
            inside = file.relative_to(home)
            found[inside.parts[0]][inside.as_posix()] = _judged(data)
    return found


def _judged(data: bytes) -> tuple[str, str]:
    try:
        warnings = ready_skill(data.decode("utf-8-sig")).warnings
    except ContentRefused as error:
        return REFUSED, error.message
    except (InvalidArgument, UnicodeDecodeError) as error:
        return INVALID, str(error)
    told = [warning for warning in warnings if not warning.startswith(_REMOVED)]
    return (FLAGGED, "; ".join(told)) if told else (CLEAN, "")


def _real_table(groups: dict[str, Judged]) -> Table:
    rows = []
    for group, real in groups.items():
        first = [next(iter(files.values())) for files in real.values()]
        every = [judged for files in real.values() for judged in files.values()]
        name = f"{len(real)} repositories {GROUPS[group]}"
        rows.append(_row(f"{name}, all files", every))
        rows.append(_row(f"{name}, the first file of each", first))
    columns = ("real skills", "files", CLEAN, INVALID, FLAGGED, REFUSED, "false positives")
    return Table("Real skills", columns, tuple(rows), digits=4)


def _row(name: str, judged: Sequence[tuple[str, str]]) -> tuple[Cell, ...]:
    count = Counter(kind for kind, _ in judged)
    suspected = (count[FLAGGED] + count[REFUSED]) / len(judged)
    counts = [count[kind] for kind in (CLEAN, INVALID, FLAGGED, REFUSED)]
    return (name, len(judged), *counts, suspected)


def _notes(groups: dict[str, Judged]) -> tuple[str, ...]:
    """Everything that was suspected, so that a person can judge."""
    suspected = [
        f"{Path(path).parent.as_posix()}: {kind}: {why}"
        for real in groups.values()
        for files in real.values()
        for path, (kind, why) in files.items()
        if kind != CLEAN
    ]
    return (*_CAVEATS, *suspected)
