"""What peers' verdicts do to a unit: its quality, who is named as validator, when it is set aside.

Each validator has one live verdict on a unit; the contributor's own never gets here. A verdict
counts as far as the org that reads the unit trusts who gave it: strangers move nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from commonplace.model.entry import Entry
from commonplace.model.verdict import Peer, UnitVerdict
from commonplace.registry.units import revalued

QUARANTINE_AT = 3
# What a unit's own content says counts as much as this many verdicts.
CONTENT_WEIGHT = 20
_DIGITS = 4
# Trust is a sum of shares: three full voices may miss three by a rounding error.
_ROUNDING = 1e-6

# How much a peer's word counts, from 0 to 1.
Weight = Callable[[Peer], float]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What all live verdicts together make of a unit."""

    quality: float
    validators: tuple[str, ...]
    quarantined: bool


def opinion(computed: float, verdicts: Sequence[UnitVerdict], weight: Weight) -> Opinion:
    approving = sum(weight(verdict.validator) for verdict in verdicts if verdict.valid)
    against = sum(weight(verdict.validator) for verdict in verdicts if not verdict.valid)
    quality = (computed * CONTENT_WEIGHT + approving) / (CONTENT_WEIGHT + approving + against)
    return Opinion(
        quality=round(quality, _DIGITS),
        validators=approving_names(verdicts),
        quarantined=against >= QUARANTINE_AT - _ROUNDING,
    )


def approving_names(verdicts: Sequence[UnitVerdict]) -> tuple[str, ...]:
    return tuple(sorted({verdict.validator.agent for verdict in verdicts if verdict.valid}))


def member_of(org: str) -> Weight:
    """Where nobody was named as trusted: each agent of the org counts fully, nobody else does."""
    return lambda peer: float(peer.org == org)


def as_read(unit: Entry, verdicts: Sequence[UnitVerdict], org: str, weight: Weight) -> Entry | None:
    """The unit as agents of an org see it; None where those that the org trusts set it aside.

    What is stored counts the verdicts of the unit's own org: those may lower it for everybody, and
    raise it for themselves only.
    """
    told = unit.content.attributes
    quality = unit.content.confidence
    if unit.org != org:
        quality = min(quality, told["computed"])
        if opinion(told["computed"], verdicts, weight).quarantined:
            return None
    attributes = {**told, "unit": revalued(told["unit"], quality, approving_names(verdicts))}
    content = replace(unit.content, confidence=quality, attributes=attributes)
    return replace(unit, content=content)
