"""What of a chunk is embedded: short ones whole, long ones part by part, nothing left out."""

from __future__ import annotations

from commonplace.text.count import estimate_tokens
from commonplace.text.parts import PART_TOKENS, parts_to_embed

SENTENCE = "The keeper writes the level of the oil into the log book every evening. "


def test_a_short_text_stays_whole_below_its_context() -> None:
    assert parts_to_embed("Lamp > Oil", "Nine litres.") == ["Lamp > Oil\n\nNine litres."]
    assert parts_to_embed("", "Nine litres.") == ["Nine litres."]


def test_every_part_of_a_long_text_is_in_context() -> None:
    text = SENTENCE * 50
    parts = parts_to_embed("Lamp", text)
    assert len(parts) >= 3
    assert all(part.startswith("Lamp\n\n") for part in parts)
    bodies = [part.removeprefix("Lamp\n\n") for part in parts]
    assert " ".join(bodies) == text.strip()
    assert all(estimate_tokens(body) <= PART_TOKENS for body in bodies)
