"""Verdicts on a contribution and on its contributor, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.verdict import UnitVerdict


@dataclass(frozen=True, slots=True)
class ContributionVerdicts:
    """`judged` counts the verdicts on all work of the contributor, `confirmed` those in favour."""

    contributor: str
    verdicts: tuple[UnitVerdict, ...]
    judged: int
    confirmed: int
