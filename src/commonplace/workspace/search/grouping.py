"""Groups places by role: which groups a question shows, in what order, and how many places.

Used for places from the graph and from retrieval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.question import Intent

ROLES = tuple(PlaceRole)
_OWN_ROLE = {
    Intent.DEFINITION: PlaceRole.DEFINITION,
    Intent.REFERENCE: PlaceRole.REFERENCE,
    Intent.CALLER: PlaceRole.REFERENCE,
    Intent.IMPORT: PlaceRole.IMPORT,
    Intent.EXPORT: PlaceRole.EXPORT,
    Intent.TEST: PlaceRole.TEST,
    Intent.DOC: PlaceRole.DOC,
}


class Placed(Protocol):
    """Something with a role; `call` is set if it calls the symbol asked about."""

    @property
    def role(self) -> PlaceRole: ...

    @property
    def call(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ShownLimits:
    """The largest number of places in an answer, and in each of its groups."""

    total: int
    per_group: int | None = None


@dataclass(frozen=True, slots=True)
class GroupCount:
    """Counts of a group; `intent_excluded` places are not what the question asks for."""

    total: int = 0
    returned: int = 0
    intent_excluded: int = 0

    @property
    def omitted(self) -> int:
        return self.total - self.returned


T = TypeVar("T", bound=Placed)


@dataclass(frozen=True, slots=True)
class Groups(Generic[T]):
    """The shown places by role, without empty groups; `counts` has every role."""

    order: tuple[PlaceRole, ...]
    shown: Mapping[PlaceRole, tuple[T, ...]]
    counts: Mapping[PlaceRole, GroupCount]


def order_for(intent: Intent) -> tuple[PlaceRole, ...]:
    """The roles with the question's own role first."""
    own = _OWN_ROLE.get(intent, PlaceRole.DEFINITION)
    return (own, *(role for role in ROLES if role is not own))


def asked_for(place: Placed, intent: Intent, *, resolved: bool) -> bool:
    """Whether the question asks for this kind of place.

    A definition comes with its tests. Without a resolved symbol, related places are all there is to
    show (for a definition, those that mention the name). A question without intent asks for all.
    """
    if intent is Intent.UNKNOWN:
        return True
    if intent is Intent.CALLER and place.role is PlaceRole.REFERENCE:
        return place.call
    if place.role is PlaceRole.UNKNOWN and intent in (Intent.CALLER, Intent.REFERENCE):
        return True
    if place.role is PlaceRole.TEST and intent is Intent.DEFINITION:
        return True
    if place.role is PlaceRole.REFERENCE and intent is Intent.DEFINITION and not resolved:
        return True
    return place.role is _OWN_ROLE[intent] or (place.role is PlaceRole.RELATED and not resolved)


def grouped(
    places: Sequence[T], intent: Intent, limits: ShownLimits, *, resolved: bool
) -> Groups[T]:
    """Group the places; they are ordered by rank or, for a resolved symbol, by role."""
    order = order_for(intent)
    ranked = sorted(places, key=lambda place: order.index(place.role)) if resolved else places
    shown: dict[PlaceRole, list[T]] = {role: [] for role in order}
    excluded = dict.fromkeys(order, 0)
    left = limits.total
    for place in ranked:
        group = shown[place.role]
        if not asked_for(place, intent, resolved=resolved):
            excluded[place.role] += 1
        elif left and (limits.per_group is None or len(group) < limits.per_group):
            group.append(place)
            left -= 1
    totals = {role: sum(place.role is role for place in places) for role in order}
    return Groups(
        order=order,
        shown={role: tuple(group) for role, group in shown.items() if group},
        counts={r: GroupCount(totals[r], len(shown[r]), excluded[r]) for r in order},
    )
