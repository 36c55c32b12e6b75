"""The mutants: small faults that tests must detect, as data in `mutants/*.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SOURCE = Path("src") / "commonplace"
_LISTS = Path(__file__).parent / "mutants"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One small fault: `before` becomes `after`. `tests`, filtered by the expression `only`, must
    detect it; `explained` says why no test can."""

    id: str
    part: str
    says: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    only: str = ""
    postgres: bool = False
    explained: str = ""

    @property
    def path(self) -> Path:
        return SOURCE / self.file

    def applied_to(self, text: str) -> str:
        found = text.count(self.before)
        if found != 1:
            raise ValueError(f"{self.id}: the text before stands {found} times in {self.file}")
        return text.replace(self.before, self.after)

    @property
    def expression(self) -> str:
        """The filter expression for pytest; on PostgreSQL only if the fault is specific to it."""
        store = "postgres" if self.postgres else "not postgres"
        return f"({self.only}) and {store}" if self.only else store


def all_mutants() -> list[Mutant]:
    return [
        Mutant(part=list_.stem, **{**row, "tests": tuple(row["tests"])})
        for list_ in sorted(_LISTS.glob("*.toml"))
        for row in tomllib.loads(list_.read_text(encoding="utf-8"))["mutant"]
    ]
