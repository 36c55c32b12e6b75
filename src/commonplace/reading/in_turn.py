"""Processes callers' texts in a child process, one at a time, taking turns between orgs and agents.

Who sends many long texts only delays itself. When the call ends, so do the waiting and the work.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from commonplace.errors import DeadlineExceeded, InternalError, SourceError, SourceTooLarge
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.turns import Rotation
from commonplace.reading.port import ChildProcess

_LOG = logging.getLogger("commonplace.reading")
_LOOK_SECONDS = 0.2


@dataclass(eq=False, slots=True)
class _Ticket:
    """A waiting call; compared by identity."""

    org: str
    agent: str


class TextProcessInTurn:
    """Implements port.TextProcess."""

    def __init__(self, process: ChildProcess) -> None:
        self._process = process
        self._changed = threading.Condition()
        self._waiting: list[_Ticket] = []
        self._served: _Ticket | None = None
        self._orgs, self._agents = Rotation[str](), Rotation[tuple[str, str]]()

    @property
    def waiting(self) -> int:
        """How many calls are waiting."""
        return len(self._waiting)

    def ask(
        self, actor: Actor, question: Mapping[str, Any], text: str, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        data = text.encode("utf-8", "surrogatepass")
        with self._turn(actor, call):
            try:
                return self._process.ask(question, data, call)
            except SourceTooLarge as error:
                raise DeadlineExceeded("Working on the text takes too long.") from error
            except SourceError as error:
                _LOG.warning("a text crashed its process", extra={"code": error.code})
                raise InternalError from error

    def close(self) -> None:
        self._process.close()

    @contextmanager
    def _turn(self, actor: Actor, call: Call) -> Iterator[None]:
        mine = _Ticket(actor.org, actor.agent)
        try:
            with self._changed:
                self._waiting.append(mine)
                self._hand_on()
                while self._served is not mine:
                    self._changed.wait(_LOOK_SECONDS)
                    call.check()
            yield
        finally:
            with self._changed:
                if self._served is mine:
                    self._served = None
                else:
                    self._waiting.remove(mine)
                self._hand_on()

    def _hand_on(self) -> None:
        if self._served is None and self._waiting:
            org = self._orgs.next([one.org for one in self._waiting])
            ours = [one for one in self._waiting if one.org == org]
            agent = self._agents.next([(org, one.agent) for one in ours])[1]
            self._served = next(one for one in ours if one.agent == agent)
            self._waiting.remove(self._served)
            self._changed.notify_all()
