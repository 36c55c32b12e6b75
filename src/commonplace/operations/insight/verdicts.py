"""What others found of a contribution and of whoever made it, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.verdict import UnitVerdict


@dataclass(frozen=True, slots=True)
class ContributionVerdicts:
    """`judged` are the verdicts on all that the contributor made, `confirmed` those in favour."""

    contributor: str
    verdicts: tuple[UnitVerdict, ...]
    judged: int
    confirmed: int
