"""What of a chunk is embedded: short ones whole, long prose part by part, long code as a sketch."""

from __future__ import annotations

import pytest

from commonplace.text.count import estimate_tokens
from commonplace.text.parts import PART_TOKENS, parts_to_embed, preview_of_code, preview_of_prose

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


def test_long_code_is_a_sketch_and_short_code_itself() -> None:
    short = "lamp = Lamp(oil=9)  # litres"
    assert parts_to_embed("tower", short, "python") == [f"tower\n\n{short}"]
    code = "".join(f"lamp{number} = Lamp(oil={number})\n" for number in range(60))
    (part,) = parts_to_embed("tower", code, "python")
    assert part.startswith("tower\n\nlamp0 Lamp oil lamp1 lamp2 ")
    assert estimate_tokens(part) < 160 < estimate_tokens(code)
    assert len(parts_to_embed("tower", code)) > 1, "without a language it is prose"


def test_a_preview_of_prose_is_its_beginning_and_of_code_the_names_of_all_pieces() -> None:
    beginning = preview_of_prose(SENTENCE * 50)
    assert (SENTENCE * 50).startswith(beginning)
    assert 130 <= estimate_tokens(beginning) <= 150
    assert preview_of_prose("short") == "short"
    assert 0 < len(preview_of_prose("x" * 100_000)) < 1_000, "one word may be too long"
    pieces = [("", "def light(lamp): ..."), ("", "def douse(lamp): ...")]
    assert preview_of_code(pieces) == "light lamp douse"


def test_a_preview_of_code_says_once_what_the_contexts_have_in_common() -> None:
    pieces = [
        ("sea/lamp.py", "import oil"),
        ("sea/lamp.py\nLamp.light", "self.oil -= 1"),
        ("sea/lamp.py\nLamp.douse", "self.oil += 0"),
    ]
    assert preview_of_code(pieces) == "sea/lamp.py\n\noil Lamp light douse"


def test_a_sketch_costs_the_same_with_a_context_as_without() -> None:
    code = "".join(f"lamp{number} = Lamp(oil={number})\n" for number in range(90))
    costs = [
        [estimate_tokens(text) for text in (*parts_to_embed(name, code, "go"), preview)]
        for name in ("", "sea/the_lamp_of_the_tower.go")
        for preview in [preview_of_code([(name, code)])]
    ]
    assert costs[1] == pytest.approx(costs[0], abs=5)
