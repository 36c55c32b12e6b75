"""Many processes open a database that is not there yet, and some die while they migrate it."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from commonplace.model.entry import EntryKind
from commonplace.storage.migrations import migrations_of
from tests.multiprocess.checks import assert_kept, assert_sound
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import actor_of, content_of, open_node, settings_of
from tests.multiprocess.spawn import Members
from tests.waiting import at_some_moment, eventually

_MIGRATING_SECONDS = 0.1
_NEWEST = migrations_of("commonplace.storage.sqlite")[-1].version


def race(members: Members, home: str, processes: int, dice: random.Random) -> None:
    """Half of them are killed; the others must succeed, and so must whoever comes later."""
    started = [members.start("open", home) for _ in range(processes)]
    for member in started:
        member.wait_until_ready()
    for member in started:
        member.tell("open")
    doomed, spared = started[::2], started[1::2]
    eventually(settings_of(home).database_file.exists, look=0.001)
    for member in doomed:
        at_some_moment(dice, _MIGRATING_SECONDS / len(doomed))
        member.kill()
    for member in spared:
        assert member.finish() == [f"opened {_NEWEST}"]
    with open_node(home, LightEmbedder()) as node:
        node.knowledge.add(actor_of("late"), EntryKind.NOTE, content_of("late", 1), id="late-1")
    assert_kept(home, {"late-1": 1})
    assert_sound(home)


def race_often(members: Members, folder: Path, rounds: int, processes: int) -> None:
    seed = random.randrange(2**32)
    sys.stdout.write(f"the seed of these kills is {seed}\n")
    dice = random.Random(seed)
    for number in range(rounds):
        race(members, str(folder / f"home-{number}"), processes, dice)


def test_a_new_file_survives_kills_while_it_is_made(members: Members, tmp_path: Path) -> None:
    race_often(members, tmp_path, rounds=2, processes=4)


@pytest.mark.soak
def test_a_new_file_survives_many_kills_while_it_is_made(members: Members, tmp_path: Path) -> None:
    race_often(members, tmp_path, rounds=25, processes=8)


def test_a_migration_may_die_at_any_statement(members: Members, tmp_path: Path) -> None:
    """The member checks after each death that the file can be opened and written."""
    (line,) = members.start("migrate", str(tmp_path)).finish()
    _, deaths, _, status = line.split()
    assert int(deaths) > 20, "one death for each statement of the migration"
    assert status == "0"
    for home in tmp_path.glob("home-*"):
        assert_kept(str(home), {"late": 1})
        assert_sound(str(home))
