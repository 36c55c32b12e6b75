"""Secrets in what is stored by hand: kept as given and warned of, or removed if that is set."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.contents import stored_text
from tests.surfaces.institutional.steps import capture, get, update
from tests.surfaces.nearness import embedded_at

KEY = "sk-live-a8Fj3kLq9ZxW2mNb7VcT5yRu1PoEiH6sDgKwQe4z"
SAID = f"The api key we use is {KEY}."


@pytest.mark.requirement("institutional.capture.secrets-warned")
def test_a_secret_is_kept_as_given_and_warned_of(premises: Premises) -> None:
    alice = premises.caller()
    shown = capture(alice, content=SAID)
    assert shown["content"] == SAID
    (warning,) = shown["warnings"]
    assert "looks like a secret (key or token)" in warning
    assert KEY not in warning
    changed = update(alice, capture(alice)["id"], summary=SAID)
    assert "looks like a secret" in changed["warnings"][0]
    assert "warnings" not in capture(alice)


@pytest.mark.requirement("institutional.capture.secrets-warned")
def test_a_secret_is_removed_if_the_setting_says_so(
    open_premises: OpenPremises, endpoint: str
) -> None:
    premises = open_premises(mask_written=True, **embedded_at(endpoint))
    alice = premises.caller()
    shown = capture(alice, content=SAID)
    assert "removed (key or token)" in shown["warnings"][0]
    assert (
        get(alice, shown["id"])["content"]
        == "The api key we use is [secret removed: key or token]."
    )
    update(alice, shown["id"], content=f"Now {SAID}")
    assert KEY not in stored_text(premises.settings)
