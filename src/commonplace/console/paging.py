"""Where a page of a long list begins, in an address that says nothing of other orgs' rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from commonplace.application import Application
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.moment import micros, moment
from commonplace.model.query import ListPosition


class Listed(Protocol):
    """What is listed from the newest on."""

    @property
    def created_at(self) -> datetime: ...

    @property
    def key(self) -> int: ...


def begins_at(app: Application, actor: Actor, given: str) -> ListPosition | None:
    """The place that an earlier page named; None: the newest."""
    if not given:
        return None
    at, _, key = given.partition("-")
    try:
        return ListPosition(moment(int(at)), app.upkeep.unsealed(actor, key))
    except (OverflowError, ValueError, InvalidArgument):
        raise InvalidArgument("No list goes on from there.", field="from") from None


def goes_on_at(app: Application, actor: Actor, page: Sequence[Listed], full: int) -> str | None:
    """Where the next page begins; None after the last one, which is not full."""
    if len(page) < full:
        return None
    return f"{micros(page[-1].created_at)}-{app.upkeep.sealed(actor, page[-1].key)}"
