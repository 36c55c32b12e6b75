"""Computes the trust in an entry from its readers' feedback. Pure.

Each agent has one voice, its latest. The author's own claim counts as much as four voices.
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


def with_voice(content: EntryContent, agent: str, *, helped: bool) -> EntryContent:
    """The content with one agent's feedback, which replaces its earlier one.

    Every change adds to the author's history, so an agent may change its mind only a few times.
    """
    stored = content.attributes
    claimed = float(stored.get(CLAIMED, content.confidence))
    before: Mapping[str, bool] = stored.get(VOICES, {})
    turns: Mapping[str, int] = stored.get(TURNS, {})
    if before.get(agent, helped) != helped:
        if turns.get(agent, 0) >= MOST_TURNS:
            raise InvalidArgument(
                f"You have changed your mind about it {MOST_TURNS} times; it stays as it is.",
                field="action",
            )
        turns = {**turns, agent: turns.get(agent, 0) + 1}
    voices = {**before, agent: helped}
    attributes = {**stored, VOICES: voices, CLAIMED: claimed}
    if turns:
        attributes[TURNS] = dict(turns)
    return replace(content, confidence=trust(claimed, voices), attributes=attributes)


def trust(claimed: float, voices: Mapping[str, bool]) -> float:
    """The trust from 0 to 1: the author's claim, adjusted by the readers' voices."""
    helped = sum(map(bool, voices.values()))
    return round((_WEIGHT_OF_CLAIM * claimed + helped) / (_WEIGHT_OF_CLAIM + len(voices)), 3)
