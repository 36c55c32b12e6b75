"""How tokens are written and recognised, what may stand in one, and how often it may be used."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.access.rules import CallRates, NewToken, checked, is_org, lifetime_of, scopes_named
from commonplace.access.tokens import PREFIX, SECRET_BYTES, digest_of, spelled, well_formed
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Scope

READ = frozenset({Scope.READ})


@given(st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES))
def test_what_is_spelled_is_well_formed(secret: bytes) -> None:
    shown = spelled(secret)
    assert shown.startswith(PREFIX)
    assert len(shown) == len(PREFIX) + 49
    assert well_formed(shown)


@given(st.binary(min_size=SECRET_BYTES, max_size=SECRET_BYTES), st.integers(12, 60), st.data())
def test_a_mistyped_token_is_not_well_formed(
    secret: bytes, place: int, data: st.DataObject
) -> None:
    shown = spelled(secret)
    letter = data.draw(st.sampled_from("0aZ_-é\n").filter(lambda other: other != shown[place]))
    assert not well_formed(shown[:place] + letter + shown[place + 1 :])


@pytest.mark.parametrize("shown", ["", PREFIX, "x" * 61, PREFIX + "0" * 49 + "\n"])
def test_other_texts_are_no_tokens(shown: str) -> None:
    assert not well_formed(shown)


def test_two_secrets_are_never_spelled_alike() -> None:
    secrets = [bytes(31) + b"\0", bytes(31) + b"\1", b"\xff" * 32, b"\xff" * 31 + b"\xfe"]
    assert len({spelled(secret) for secret in secrets}) == len(secrets)


def test_a_digest_depends_on_the_key_and_the_token() -> None:
    digests = {digest_of(key, shown) for key in (b"k", b"l") for shown in ("a", "b")}
    assert len(digests) == 4


@pytest.mark.parametrize("org", ["system", "System", "SYSTEM", "", " acme", "a\n", "x" * 101])
def test_orgs_that_no_token_names(org: str) -> None:
    assert not is_org(org)
    with pytest.raises(InvalidArgument) as refused:
        checked(NewToken(org, "ada", READ))
    assert refused.value.field == "org"


@pytest.mark.parametrize(
    ("new", "field"),
    [
        (NewToken("acme", "", READ), "agent"),
        (NewToken("acme", "a\0", READ), "agent"),
        (NewToken("acme", "ada", frozenset()), "scopes"),
        (NewToken("acme", "ada", READ, name="x" * 101), "name"),
    ],
)
def test_what_a_token_needs(new: NewToken, field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        checked(new)
    assert refused.value.field == field


def test_scopes_are_known_by_name() -> None:
    assert scopes_named(["knowledge:read", "admin"]) == {Scope.READ, Scope.ADMIN}
    with pytest.raises(InvalidArgument, match="knowledge:write_others"):
        scopes_named(["knowledge:everything"])


@pytest.mark.parametrize(
    ("text", "lifetime"),
    [
        ("90d", timedelta(days=90)),
        ("12h", timedelta(hours=12)),
        ("30min", timedelta(minutes=30)),
        ("4w", timedelta(weeks=4)),
        ("3 months", timedelta(days=90)),
        ("1y", timedelta(days=365)),
    ],
)
def test_lifetimes(text: str, lifetime: timedelta) -> None:
    assert lifetime_of(text) == lifetime


@pytest.mark.parametrize("text", ["", "0d", "d", "90", "-1d", "9999999d", "3661d", "30m", "11y"])
def test_what_is_no_lifetime(text: str) -> None:
    with pytest.raises(InvalidArgument, match="90d"):
        lifetime_of(text)


@pytest.mark.parametrize(
    ("scopes", "calls"),
    [
        ({Scope.READ}, 600),
        ({Scope.READ, Scope.AUDIT}, 600),
        ({Scope.READ, Scope.WRITE}, 60),
        ({Scope.ADMIN}, 60),
        (set(), 60),
    ],
)
def test_who_only_reads_may_call_more_often(scopes: set[Scope], calls: int) -> None:
    assert CallRates().of(frozenset(scopes)).size == calls
