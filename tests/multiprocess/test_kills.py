"""Writers and workers are killed at random moments: what was acknowledged is there and embedded."""

from __future__ import annotations

import random
import sys

import pytest

from tests.multiprocess.checks import (
    acknowledged,
    assert_embedded_by_a_fresh_worker,
    assert_kept,
    assert_sound,
)
from tests.multiprocess.spawn import Member, Members
from tests.waiting import at_some_moment, eventually

_LONGEST_LIFE = 0.3
_SHARE_KILLED_WHILE_STARTING = 0.1


class Killing:
    """Keeps a writer and a worker running, whichever of them dies."""

    def __init__(self, members: Members, address: str, seed: int) -> None:
        sys.stdout.write(f"the seed of these kills is {seed}\n")
        self._members = members
        self._address = address
        self._dice = random.Random(seed)
        self._writers = 0
        self._running = {"write": self._start("write"), "work": self._start("work")}
        self.stored: dict[str, int] = {}

    def one_more(self) -> None:
        role = self._dice.choice(("write", "work"))
        victim = self._running[role]
        if self._dice.random() > _SHARE_KILLED_WHILE_STARTING:
            eventually(lambda: self._all_run() and victim.is_ready())
        at_some_moment(self._dice, _LONGEST_LIFE)
        self._collect(victim)
        self._running[role] = self._start(role)

    def end(self) -> None:
        for member in self._running.values():
            self._collect(member)

    def _all_run(self) -> bool:
        """Who waits for a worker waits in vain once the writer has failed."""
        for member in self._running.values():
            member.assert_running()
        return True

    def _start(self, role: str) -> Member:
        if role == "work":
            return self._members.start("work", self._address)
        self._writers += 1
        return self._members.start("write", self._address, f"writer{self._writers}x")

    def _collect(self, member: Member) -> None:
        self.stored |= acknowledged(member.kill())


def kill_many(members: Members, address: str, kills: int) -> None:
    killing = Killing(members, address, seed=random.randrange(2**32))
    for _ in range(kills):
        killing.one_more()
    killing.end()
    assert killing.stored, "nothing was written between the kills"
    assert_kept(address, killing.stored)
    assert_sound(address)
    assert_embedded_by_a_fresh_worker(address)


def test_nothing_acknowledged_is_lost(members: Members, address: str, dialect: str) -> None:
    kill_many(members, address, kills=12 if dialect == "sqlite" else 6)


@pytest.mark.soak
def test_nothing_acknowledged_is_lost_in_many_kills(
    members: Members, address: str, dialect: str
) -> None:
    kill_many(members, address, kills=200 if dialect == "sqlite" else 60)
