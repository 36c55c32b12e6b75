"""The effect of verdicts on a unit: quality, named validators, quarantine.

Each validator has one live verdict per unit, the contributor none. A verdict counts as much as the
reading org trusts its validator: strangers have no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from commonplace.model.entry import Entry
from commonplace.model.verdict import Peer, UnitVerdict
from commonplace.registry.units import revalued

QUARANTINE_AT = 3
# The unit's content counts as much as this many verdicts.
CONTENT_WEIGHT = 20
_DIGITS = 4
# Trust is a sum of fractions, so three full votes may fall short of 3 by a rounding error.
_ROUNDING = 1e-6

# How much a peer's verdict counts, from 0 to 1.
Weight = Callable[[Peer], float]


@dataclass(frozen=True, slots=True)
class Opinion:
    """The combined effect of all live verdicts on a unit."""

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
    """The weights without configured trusted agents: the org's own agents count fully, others
    not."""
    return lambda peer: float(peer.org == org)


def as_read(unit: Entry, verdicts: Sequence[UnitVerdict], org: str, weight: Weight) -> Entry | None:
    """The unit as seen by an org; None if the verdicts that it trusts quarantine it.

    The stored quality reflects the verdicts of the unit's own org. For other orgs, they may only
    lower it.
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
