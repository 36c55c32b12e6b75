"""What a sketch of code keeps: sentences and names, each once, in order; never a licence."""

from __future__ import annotations

import pytest

from commonplace.text.count import estimate_tokens
from commonplace.text.sketch import is_licence, sketch

CODE = '''\
def lower_lamp(lamp, rope):
    """Let the lamp down until the rope is slack."""
    # A winch that is not held runs away.
    if lamp is None:
        return False
    winch = rope.winch
    while winch.taut:
        winch.release(lamp)
    return True
'''
LICENCE = """\
/*
 * Copyright 2020 The Keepers
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 */
"""


def test_names_come_once_in_order_without_keywords_and_signs() -> None:
    names = sketch("for lamp in lamps:\n    lamp.light(Oil, 3)  # lamp", 100)
    assert names == "lamp lamps light Oil"


def test_what_comments_say_comes_first_as_sentences() -> None:
    said, names = sketch(CODE, 100, comment_tokens=50).split("\n")
    assert said == (
        "Let the lamp down until the rope is slack. A winch that is not held runs away."
    )
    assert names == "lower_lamp taut release", "what was said is not named again"


def test_a_sketch_is_no_longer_than_it_may_be() -> None:
    names = " ".join(f"lantern{number}" for number in range(500))
    said = "".join(f"# Sentence {number} is about oil.\n" for number in range(500))
    made = sketch(f"{said}{names}", 60, comment_tokens=30)
    assert 40 <= estimate_tokens(made) <= 62
    assert estimate_tokens(made.split("\n")[0]) <= 31
    assert sketch("!? {} ;", 60, comment_tokens=30) == ""


@pytest.mark.parametrize(
    "comment",
    [
        "// Winds the rope.\n// Then waits.\n",
        "/** Winds the rope.\n * Then waits. */\n",
        "# Winds the rope.\n# Then waits.\n",
        "-- Winds the rope.\n-- Then waits.\n",
        "'''Winds the rope.\nThen waits.'''\n",
    ],
)
def test_comments_of_many_languages_are_read(comment: str) -> None:
    said = sketch(f"{comment}wind_rope", 100, comment_tokens=50).split("\n")[0]
    assert said == "Winds the rope. Then waits."


def test_an_address_is_no_comment() -> None:
    assert "lamp" in sketch('open("https://lamp.example/oil")', 100, comment_tokens=50).split()


def test_a_licence_is_left_out_wherever_names_are_taken_from() -> None:
    for told in (0, 50):
        assert sketch(f"{LICENCE}class Lamp {{}}", 100, told) == "Lamp"
    hashed = LICENCE.replace("/*\n", "").replace(" */", " *").replace(" *", "#")
    assert sketch(f"{hashed}class Lamp: ...", 100, comment_tokens=50) == "Lamp"


def test_what_is_a_licence_only() -> None:
    assert is_licence(LICENCE)
    assert is_licence(f"{LICENCE}package org.keepers;\n")
    assert is_licence(f"{LICENCE}package org.keepers;\n\nimport java.util.List;\n")
    assert not is_licence(f"{LICENCE}interface Lamp {{}}")
    assert not is_licence("x = 1")
