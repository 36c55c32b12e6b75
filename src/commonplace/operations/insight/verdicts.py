"""Verdicts on a contribution and on its contributor, as values."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.verdict import UnitVerdict


@dataclass(frozen=True, slots=True)
class ContributionVerdicts:
    """The verdicts on a contribution; the counts cover all work of its contributor.

    `judged` counts all verdicts, `confirmed` those in favour.
    """

    contributor: str
    verdicts: tuple[UnitVerdict, ...]
    judged: int
    confirmed: int
