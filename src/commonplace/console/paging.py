"""Cursors of long lists. Row keys in them are sealed: they would reveal other orgs' activity."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from commonplace.application import Application
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.query import ListPosition
from commonplace.model.times import from_micros, to_micros


class Listed(Protocol):
    """A row of a list that is ordered from newest to oldest."""

    @property
    def created_at(self) -> datetime: ...

    @property
    def key(self) -> int: ...


def page_mark(app: Application, actor: Actor, given: str) -> ListPosition | None:
    """The position in a cursor; None, meaning the newest row, for an empty one."""
    if not given:
        return None
    at, _, key = given.partition("-")
    try:
        return ListPosition(from_micros(int(at)), app.audit.cursors(actor).opened(key))
    except (OverflowError, ValueError, InvalidArgument):
        raise InvalidArgument("This is not a cursor of this list.", field="from") from None


def next_page(app: Application, actor: Actor, page: Sequence[Listed], size: int) -> str | None:
    """The cursor of the next page; None if this one is not full, and so the last."""
    if len(page) < size:
        return None
    return f"{to_micros(page[-1].created_at)}-{app.audit.cursors(actor).sealed(page[-1].key)}"
