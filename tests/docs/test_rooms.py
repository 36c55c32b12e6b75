"""ARCHITECTURE.md lists every room below the rooms that it imports."""

from __future__ import annotations

import re

from tests.docs.pages import REPOSITORY
from tools.docs.rooms import allowed

_ROW = re.compile(r"^\| `([\w/]+?)(?:/|\.py)` \| .+ \|$", re.MULTILINE)


def listed() -> list[str]:
    return _ROW.findall((REPOSITORY / "ARCHITECTURE.md").read_text(encoding="utf-8"))


def test_the_map_lists_every_room_once() -> None:
    assert sorted(listed()) == sorted(allowed())


def test_a_room_imports_only_rooms_above_it() -> None:
    rooms = listed()
    upwards = [
        f"{room} imports {other}"
        for room, others in allowed().items()
        for other in others
        if rooms.index(other) > rooms.index(room)
    ]
    assert upwards == []
