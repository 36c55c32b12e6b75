"""Every rule finds what it is there for, and nothing that it needs is missing from its example."""

from __future__ import annotations

import pytest

from commonplace.safety.folding import folded
from commonplace.safety.rulebook import Rule, rules


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_a_rule_finds_its_example(rule: Rule) -> None:
    example = rule.example if rule.raw else folded(rule.example)
    assert rule.found_in(example) is not None


def test_rules_are_known_by_their_ids() -> None:
    ids = [rule.id for rule in rules()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_a_rule_says_what_a_text_does(rule: Rule) -> None:
    """It completes the sentence "the text ...", and one rule alone refuses nothing."""
    assert rule.says[0].islower()
    assert not rule.says.endswith(".")
    assert 0 < rule.weight < 0.6
