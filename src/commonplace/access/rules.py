"""Rules for tokens: names, scopes, lifetimes and rates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from commonplace.errors import InvalidArgument
from commonplace.model.access import Rate
from commonplace.model.actor import SYSTEM_ORG, Scope
from commonplace.model.times import SPANS, span_of

LONGEST_NAME = 100
_MINUTE = 60.0
_LEAST_BY_HAND = 600
_LONGEST_LIFETIME = timedelta(days=3660)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token to be created; without a lifetime it is valid until it is revoked."""

    org: str
    agent: str
    scopes: frozenset[Scope]
    name: str = ""
    lifetime: timedelta | None = None


@dataclass(frozen=True, slots=True)
class CallRates:
    """Calls per minute, for tokens that can write and for tokens that can only read."""

    of_writers: int = 60
    of_readers: int = 600

    @property
    def by_hand(self) -> Rate:
        """The rate for a person in a browser: that of a reader, but at least ten per second."""
        return Rate(max(self.of_readers, _LEAST_BY_HAND), _MINUTE)

    def of(self, scopes: frozenset[Scope]) -> Rate:
        only_reads = scopes and all(scope.endswith(":read") for scope in scopes)
        return Rate(self.of_readers if only_reads else self.of_writers, _MINUTE)


def checked(new: NewToken) -> NewToken:
    if not new.scopes:
        raise InvalidArgument("A token needs at least one scope.", field="scopes")
    if new.name and not is_name(new.name):
        raise InvalidArgument(_rule("name"), field="name")
    if not is_name(new.agent):
        raise InvalidArgument(_rule("agent"), field="agent")
    if not is_org(new.org):
        raise InvalidArgument(f"{_rule('org')} {SYSTEM_ORG} is nobody's.", field="org")
    return new


def is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and text.isprintable() and text == text.strip()


def is_org(text: str) -> bool:
    """Whether an org can be created under that name; not `system`, whose rows everybody reads."""
    return is_name(text) and text.casefold() != SYSTEM_ORG


def scopes_named(names: Iterable[str]) -> frozenset[Scope]:
    try:
        return frozenset(map(Scope, names))
    except ValueError:
        known = ", ".join(scope.value for scope in Scope)
        raise InvalidArgument(f"The scopes are {known}.", field="scopes") from None


def lifetime_of(text: str) -> timedelta:
    """Parse a lifetime: a span such as `90d`, of at most ten years."""
    lifetime = span_of(text)
    if not lifetime or lifetime > _LONGEST_LIFETIME:
        raise InvalidArgument(
            f"A lifetime is a span such as 90d ({SPANS}); at most ten years.", field="expires"
        )
    return lifetime


def _rule(field: str) -> str:
    return f"{field} must have 1 to {LONGEST_NAME} printable characters, without space around."
