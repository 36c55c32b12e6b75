"""Many processes write and search one database at once, each with a worker beside."""

from __future__ import annotations

import pytest

from tests.multiprocess.checks import (
    acknowledged,
    assert_embedded_by_a_fresh_worker,
    assert_kept,
    assert_sound,
)
from tests.multiprocess.spawn import Members


def share(members: Members, address: str, processes: int, notes: int) -> None:
    """A member that meets any error ends with it, and the test with its message."""
    names = [f"member{number}x" for number in range(processes)]
    started = {name: members.start("share", address, name, str(notes), *names) for name in names}
    for member in started.values():
        member.wait_until_ready()
    for member in started.values():
        member.tell("write")
    stored: dict[str, int] = {}
    for member in started.values():
        stored |= acknowledged(member.expect("written"))
    assert len(stored) == processes * notes
    for member in started.values():
        member.tell("look")
    for member in started.values():
        found = dict(line.split()[1:] for line in member.finish())
        assert found.keys() == set(names)
        assert "0" not in found.values()
    assert_kept(address, stored)
    assert_sound(address)
    assert_embedded_by_a_fresh_worker(address)


def test_processes_share_one_database(members: Members, address: str, dialect: str) -> None:
    share(members, address, processes=8 if dialect == "sqlite" else 4, notes=15)


@pytest.mark.soak
@pytest.mark.parametrize("processes", [8, 16])
def test_many_processes_share_one_database(members: Members, address: str, processes: int) -> None:
    share(members, address, processes, notes=150)
