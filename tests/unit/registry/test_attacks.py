"""Every poisoned contribution is refused or flagged, and innocent ones are neither."""

from __future__ import annotations

import pytest

from commonplace.registry.contribution import ready_skill, unit_warnings
from commonplace.surfaces.registry.units import checked_unit
from tests.unit.registry.attacks import Attack, attacks, outcome
from tests.unit.registry.samples import pattern, skill_text, sop, thorough_skill, trace


@pytest.mark.parametrize("attack", list(attacks()), ids=lambda attack: attack.name)
def test_an_attack_meets_its_end(attack: Attack) -> None:
    assert outcome(attack) == attack.outcome


def test_there_are_enough_attacks_of_every_family() -> None:
    families = [attack.name.split(".")[0] for attack in attacks()]
    assert len(families) >= 60
    assert all(families.count(family) >= 4 for family in set(families))


@pytest.mark.parametrize(
    "body",
    [
        "Never print secrets. Store API keys in the keychain, not in the repository.",
        'Run `curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/items`.',
        "You are now ready to deploy. The system prompt is described below.",
        "Ignore whitespace when comparing, and skip generated files.",
        "Override the defaults in `settings.toml`; these rules apply to all modules.",
        "```html\n<!-- a comment that the reader sees -->\n<div hidden></div>\n```",
        "Replace <name> and <your-token> by your own values.",
        "Send the report to the reviewers by e-mail.",
        "The hash is `9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08`.",
        "Do not show the user raw JSON; summarise it.",
        "日本語の説明：コードを確認してから統合します。",
    ],
)
def test_ordinary_instructions_pass(body: str) -> None:
    assert ready_skill(skill_text(body=body)).warnings == ()


def test_good_samples_pass() -> None:
    assert ready_skill(thorough_skill()).warnings == ()
    for unit in (trace(), pattern(), sop()):
        assert unit_warnings(checked_unit(unit)) == ()


def test_a_harmless_comment_is_removed_and_mentioned() -> None:
    ready = ready_skill(skill_text(body="Before.<!-- markdownlint-disable MD013 --> After."))
    assert ready.skill.body == "Before. After."
    assert ready.warnings == ("HTML comments were removed (1).",)
