"""What peers' verdicts do to a unit: its quality, who is named as validator, when it is set aside.

Each validator has one live verdict on a unit; the contributor's own never gets here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model.verdict import UnitVerdict

QUARANTINE_AT = 3
# What a unit's own content says counts as much as this many verdicts.
CONTENT_WEIGHT = 20
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Opinion:
    """What all live verdicts together make of a unit."""

    quality: float
    validators: tuple[str, ...]
    quarantined: bool


def opinion(computed: float, verdicts: Sequence[UnitVerdict]) -> Opinion:
    approving = [verdict for verdict in verdicts if verdict.valid]
    quality = (computed * CONTENT_WEIGHT + len(approving)) / (CONTENT_WEIGHT + len(verdicts))
    return Opinion(
        quality=round(quality, _DIGITS),
        validators=tuple(sorted({verdict.validator.agent for verdict in approving})),
        quarantined=len(verdicts) - len(approving) >= QUARANTINE_AT,
    )
