"""Keys that could be guessed are refused, and those made at random never are."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from commonplace.errors import SettingsInvalid
from commonplace.model.secret import weakness
from commonplace.settings import load_settings

MAKERS: list[Callable[[], str]] = [
    lambda: secrets.token_hex(16),
    lambda: secrets.token_hex(32),
    lambda: secrets.token_urlsafe(32),
]


@pytest.mark.parametrize(
    "key",
    [
        "change-me-change-me-change-me-change-me",
        "CHANGE_ME_0123456789abcdefghijklmnopqrs",
        "this-is-only-an-example-key-of-some-length",
        "your-secret-key-0123456789-0123456789",
        "k" * 32,
        "abababababababababababababababababab",
        "0123456789abcdef" * 3,
        "correct horse battery" * 2,
    ],
)
def test_placeholders_and_repetitions(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert weakness(key)
    monkeypatch.setenv("COMMONPLACE_TOKEN_KEY", key)
    with pytest.raises(
        SettingsInvalid, match=r"COMMONPLACE_TOKEN_KEY: .*generate one at random"
    ) as told:
        load_settings()
    assert key not in str(told.value)


def test_a_short_key_is_refused_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_TOKEN_KEY", "kX3-9")
    with pytest.raises(SettingsInvalid, match="TOKEN_KEY: must have at least 32 characters"):
        load_settings()


@pytest.mark.parametrize("make", MAKERS)
def test_random_keys(make: Callable[[], str]) -> None:
    assert not [key for key in (make() for _ in range(2_000)) if weakness(key)]
