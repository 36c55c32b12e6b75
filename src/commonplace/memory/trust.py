"""How far an entry is trusted after what its readers said of it; pure.

Each agent has one live voice. What the author claimed counts as much as four voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from commonplace.model.entry import EntryContent

VOICES = "voices"
CLAIMED = "claimed_trust"
_WEIGHT_OF_CLAIM = 4


def voiced(content: EntryContent, agent: str, *, helped: bool) -> EntryContent:
    """The content after one agent has said that it helped or misled; a second word replaces the
    first."""
    given = content.attributes
    claimed = float(given.get(CLAIMED, content.confidence))
    voices: Mapping[str, Any] = {**given.get(VOICES, {}), agent: helped}
    attributes = {**given, VOICES: dict(voices), CLAIMED: claimed}
    return replace(content, confidence=trust(claimed, voices), attributes=attributes)


def trust(claimed: float, voices: Mapping[str, bool]) -> float:
    """The claim, moved by those whom it helped and those whom it misled; from 0 to 1."""
    helped = sum(map(bool, voices.values()))
    return round((_WEIGHT_OF_CLAIM * claimed + helped) / (_WEIGHT_OF_CLAIM + len(voices)), 3)
