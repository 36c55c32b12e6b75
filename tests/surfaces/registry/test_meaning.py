"""Search with the bundled model: paraphrases are found, what is unrelated is not."""

from __future__ import annotations

import pytest

from tests.surfaces.conftest import OpenPremises
from tests.surfaces.registry.steps import (
    ANY,
    contribute_skill,
    contributed_id,
    ids,
    plain_skill,
    skills,
    units,
)
from tests.unit.registry.samples import trace

SHRINKING = "Shrink photos before they are uploaded, keep the aspect ratio, write JPEG files."


@pytest.mark.requirement(
    "registry.search-skill.no-match",
    "registry.search-knowledge.no-match",
    "registry.expect.words-in-any-order",
)
def test_meaning_finds_without_shared_words_and_nothing_unrelated(
    open_premises: OpenPremises,
) -> None:
    premises = open_premises()
    alice = premises.caller()
    skill = contribute_skill(alice, plain_skill("Resize images", SHRINKING, body=SHRINKING))
    steps = [{"step_id": 0, "type": "thought", "content": "Let the dough rise, use a hot oven."}]
    unit = contributed_id(alice, trace("Sourdough from flour and water", steps=steps))
    premises.embed()
    assert ids(skills(alice, "make pictures smaller", **ANY)) == [skill]
    assert ids(units(alice, "baking bread at home", **ANY)) == [unit]
    for unrelated in ("the roman empire", "football results of sunday", "qwertyuiop"):
        assert skills(alice, unrelated, **ANY) == []
        assert units(alice, unrelated, **ANY) == []
