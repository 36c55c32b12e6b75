"""How far an entry is trusted after what its readers said of it; pure.

Each agent has one live voice. What the author claimed counts as much as four voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from commonplace.errors import InvalidArgument
from commonplace.model.entry import EntryContent

VOICES = "voices"
CLAIMED = "claimed_trust"
TURNS = "turned_voices"
MOST_TURNS = 3
_WEIGHT_OF_CLAIM = 4


def voiced(content: EntryContent, agent: str, *, helped: bool) -> EntryContent:
    """The content after one agent has said that it helped or misled; a second word replaces the
    first. Each is a line in the history of who wrote the entry, so nobody turns for ever."""
    given = content.attributes
    claimed = float(given.get(CLAIMED, content.confidence))
    before: Mapping[str, bool] = given.get(VOICES, {})
    turns: Mapping[str, int] = given.get(TURNS, {})
    if before.get(agent, helped) != helped:
        if turns.get(agent, 0) >= MOST_TURNS:
            raise InvalidArgument(
                f"You have changed your mind about it {MOST_TURNS} times; it stays as it is.",
                field="action",
            )
        turns = {**turns, agent: turns.get(agent, 0) + 1}
    voices = {**before, agent: helped}
    attributes = {**given, VOICES: voices, CLAIMED: claimed}
    if turns:
        attributes[TURNS] = dict(turns)
    return replace(content, confidence=trust(claimed, voices), attributes=attributes)


def trust(claimed: float, voices: Mapping[str, bool]) -> float:
    """The claim, moved by those whom it helped and those whom it misled; from 0 to 1."""
    helped = sum(map(bool, voices.values()))
    return round((_WEIGHT_OF_CLAIM * claimed + helped) / (_WEIGHT_OF_CLAIM + len(voices)), 3)
