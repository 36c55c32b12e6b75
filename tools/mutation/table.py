"""Writes results.md from the results of the runs.

python -m tools.mutation.table
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.docs.markdown import code, table
from tools.mutation.mutants import Mutant, all_mutants
from tools.mutation.run import results

PAGE = Path(__file__).parent / "results.md"
_TOP = """\
# What tests notice

Made by `python -m tools.mutation.table` from runs of `python -m tools.mutation.run`. The faults
were chosen and committed before the first run; tests run on SQLite unless a fault says PostgreSQL.
A test that was written for a survivor was seen to fail on it. Five gaps were seen by reading and
closed before their faults were run, so these count as noticed at first although no earlier test
would have: `reg-novelty-reach`, `reg-content-weight`, `reg-earlier-version`, `ws-language-names`
and `ws-ingest-disabled`. The last six of the registry and the eleven of the workspace before
`ws-c-` were run later. The faults of `memory`, of C and C++ (`ws-c-`, `ws-cpp-`), and
`core-derived-`, `core-outdated-` and `core-count-` were also added later, with their features.
"""

Runs = Mapping[str, Sequence[str]]


def main() -> None:
    PAGE.write_text(page(all_mutants(), results()), encoding="utf-8")


def page(mutants: Sequence[Mutant], runs: Runs) -> str:
    parts = list(dict.fromkeys(mutant.part for mutant in mutants))
    by_part = {part: [mutant for mutant in mutants if mutant.part == part] for part in parts}
    shares = [_share(part, some, runs) for part, some in (*by_part.items(), ("all", mutants))]
    survivors = [m for m in mutants if m.id in runs and not runs[m.id][-1]]
    at_first = [m for m in mutants if m.id in runs and not runs[m.id][0] and runs[m.id][-1]]
    sections = [
        _TOP,
        table(("part", "faults", "run", "noticed at first", "noticed in the end", "share"), shares),
        "",
        _section("Survivors", "why", ((m, m.explained) for m in survivors)),
        _section(
            "Noticed at a second look, mostly by a test that was written for it",
            "test",
            _told(at_first, runs),
        ),
        _section("All", "noticed by", _told(mutants, runs)),
    ]
    return "\n".join(sections)


def _share(name: str, mutants: Sequence[Mutant], runs: Runs) -> Sequence[str]:
    told = [runs[m.id] for m in mutants if m.id in runs]
    first, last = (sum(bool(each[place]) for each in told) for place in (0, -1))
    share = f"{last / len(told):.1%}" if told else ""
    return name, str(len(mutants)), str(len(told)), str(first), str(last), share


def _told(mutants: Iterable[Mutant], runs: Runs) -> list[tuple[Mutant, str]]:
    return [(m, _shown(runs[m.id][-1]) if m.id in runs else "not run yet") for m in mutants]


def _section(heading: str, last: str, rows: Iterable[tuple[Mutant, str]]) -> str:
    shown = [(code(mutant.id), mutant.says, told) for mutant, told in rows]
    body = table(("fault", "what it does", last), shown) if shown else "None."
    return f"## {heading}\n\n{body}\n"


def _shown(test: str) -> str:
    return code(test.removeprefix("tests/"))


if __name__ == "__main__":
    main()
