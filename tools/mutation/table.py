"""Makes results.md of what a run found.

python -m tools.mutation.table
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tools.docs.markdown import code, table
from tools.mutation.mutants import Mutant, all_mutants
from tools.mutation.run import results

PAGE = Path(__file__).parent / "results.md"
_TOP = """\
# What tests notice

Made by `python -m tools.mutation.table` from a run of `python -m tools.mutation.run`; the faults
were chosen before the first run. SQLite unless a fault says PostgreSQL. There are {total} faults;
{counted} of them can be noticed, and {noticed} were: {share:.1%}.
"""


def main() -> None:
    PAGE.write_text(page(all_mutants(), results()), encoding="utf-8")


def page(mutants: Sequence[Mutant], by: dict[str, str]) -> str:
    parts = list(dict.fromkeys(mutant.part for mutant in mutants))
    shares = [
        (part, *map(str, _counts([m for m in mutants if m.part == part], by))) for part in parts
    ]
    _, counted, noticed = _counts(mutants, by)
    top = _TOP.format(total=len(mutants), counted=counted, noticed=noticed, share=noticed / counted)
    survivors = [(code(m.id), m.says, m.explained) for m in mutants if not by[m.id]]
    rows = [(code(m.id), m.says, _shown(by[m.id])) for m in mutants]
    return "\n".join(
        [
            top,
            table(("part", "faults", "can be noticed", "noticed"), shares),
            "",
            "## Survivors",
            "",
            table(("fault", "what it does", "why"), survivors) if survivors else "None.",
            "",
            "## All",
            "",
            table(("fault", "what it does", "noticed by"), rows),
            "",
        ]
    )


def _counts(mutants: Sequence[Mutant], by: dict[str, str]) -> tuple[int, int, int]:
    counted = [mutant for mutant in mutants if by[mutant.id] or not mutant.explained]
    return len(mutants), len(counted), sum(bool(by[mutant.id]) for mutant in counted)


def _shown(test: str) -> str:
    return code(test.removeprefix("tests/")) if test else ""


if __name__ == "__main__":
    main()
