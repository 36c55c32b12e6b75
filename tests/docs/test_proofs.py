"""tests/README.md leads from every room of the product to places of its proofs that exist."""

from __future__ import annotations

import re

from tests.docs.pages import REPOSITORY
from tools.docs import rooms

_ROW = re.compile(r"^\| `([\w/]+)` \| (`tests/.*) \|$", re.MULTILINE)


def test_every_room_leads_to_its_proofs() -> None:
    page = (REPOSITORY / "tests" / "README.md").read_text(encoding="utf-8")
    proofs = {room: re.findall(r"`([^`]+)`", places) for room, places in _ROW.findall(page)}
    assert sorted(proofs) == sorted(rooms.allowed())
    places = {place for listed in proofs.values() for place in listed}
    assert [place for place in sorted(places) if not (REPOSITORY / place).exists()] == []
