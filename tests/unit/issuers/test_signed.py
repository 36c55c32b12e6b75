"""Signed tokens against a real issuer: what is accepted, and every way to cheat."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from typing import Any

import jwt
import pytest

from commonplace.errors import InvalidToken, IssuerUnavailable
from commonplace.issuers.documents import (
    fetched,
    is_safe,
    issuer_keys,
    key_set_address,
    metadata_addresses,
)
from commonplace.issuers.key_set import FRESH_SECONDS, KeySet, usable
from commonplace.issuers.signed import LONGEST_TOKEN, SignedTokens
from tests.issuer import AUDIENCE, KEYS, LocalIssuer, local_issuer, signing_key


class Hands:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def issuer() -> Iterator[LocalIssuer]:
    with local_issuer() as running:
        yield running


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def tokens(issuer: LocalIssuer, clock: Hands) -> SignedTokens:
    keys = KeySet(issuer_keys(issuer.url, None), clock)
    return SignedTokens(issuer.url, [AUDIENCE], keys)


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_each_algorithm(issuer: LocalIssuer, tokens: SignedTokens, algorithm: str) -> None:
    issuer.keys = [signing_key(algorithm, algorithm)]
    assert tokens.verified(issuer.token())["sub"] == "ada"
    assert tokens.verified(issuer.token(aud=["other", AUDIENCE]))["org"] == "acme"


@pytest.mark.parametrize(
    "changed",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "https://other.example/mcp"},
        {"aud": None},
        {"aud": []},
        {"exp": None},
        {"exp": 1},
        {"exp": "soon"},
        {"nbf": 99_999_999_999},
        {"iat": 99_999_999_999},
    ],
)
def test_a_token_with_wrong_claims_is_refused(
    issuer: LocalIssuer, tokens: SignedTokens, changed: dict[str, Any]
) -> None:
    with pytest.raises(InvalidToken):
        tokens.verified(issuer.token(**changed))


def test_clocks_may_differ_a_little(issuer: LocalIssuer, tokens: SignedTokens) -> None:
    assert tokens.verified(issuer.token(exp=int(time.time()) - 5, nbf=int(time.time()) + 5))


def part(document: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


def test_an_unsigned_token_is_refused(issuer: LocalIssuer, tokens: SignedTokens) -> None:
    for algorithm in ("none", "None", "NONE", "", "HS256", 7, None, ["RS256"]):
        header = part({"alg": algorithm, "typ": "JWT", "kid": "first"})
        for signature in ("", "AAAA"):
            with pytest.raises(InvalidToken):
                tokens.verified(f"{header}.{part(issuer.claims())}.{signature}")


def test_a_public_key_is_no_shared_secret(issuer: LocalIssuer, tokens: SignedTokens) -> None:
    """The classic: sign with HMAC, and the server's public key as the secret."""
    import hashlib
    import hmac

    from cryptography.hazmat.primitives import serialization

    pem = (
        issuer.keys[0]
        .private.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    signed = f"{part({'alg': 'HS256', 'kid': 'first'})}.{part(issuer.claims())}"
    seal = hmac.new(pem, signed.encode(), hashlib.sha256).digest()
    forged = f"{signed}.{base64.urlsafe_b64encode(seal).decode().rstrip('=')}"
    with pytest.raises(InvalidToken):
        tokens.verified(forged)


def test_a_shared_secret_among_the_keys_is_not_taken(issuer: LocalIssuer) -> None:
    secret = {"kty": "oct", "k": "c2VjcmV0", "kid": "s", "alg": "HS256"}
    weak = signing_key("weak", bits=1024).public
    for_encryption = {**signing_key("first").public, "use": "enc"}
    assert usable([secret, weak, for_encryption, "text", {}, {"kty": "RSA"}]) == ()


def test_another_key_under_the_same_id_is_refused(
    issuer: LocalIssuer, tokens: SignedTokens
) -> None:
    with pytest.raises(InvalidToken):
        tokens.verified(issuer.token(signing_key("thief"), header={"kid": "first"}))
    with pytest.raises(InvalidToken):
        tokens.verified(issuer.token(signing_key("curve", "ES256"), header={"kid": "first"}))


@pytest.mark.parametrize(
    "header",
    [
        {"kid": "../../etc/passwd"},
        {"kid": "first' OR '1'='1"},
        {"kid": "x" * 501},
        {"kid": ""},
        {"kid": "no", "jku": "https://evil.example/keys"},
        {"kid": "no", "jwk": signing_key("thief").public},
        {"kid": "no", "x5u": "https://evil.example/cert"},
        {"kid": "first", "crit": ["exp"], "exp": 1},
    ],
)
def test_headers_say_nothing_about_where_keys_are(
    issuer: LocalIssuer, tokens: SignedTokens, header: dict[str, Any]
) -> None:
    with pytest.raises(InvalidToken):
        tokens.verified(issuer.token(signing_key("thief"), header=header))


def test_without_an_id_there_must_be_one_key(issuer: LocalIssuer, tokens: SignedTokens) -> None:
    assert tokens.verified(issuer.token(header={}))
    issuer.keys = [signing_key("first"), signing_key("second")]
    two = SignedTokens(issuer.url, [AUDIENCE], KeySet(issuer_keys(issuer.url, None)))
    with pytest.raises(InvalidToken):
        two.verified(issuer.token(header={}))


@pytest.mark.parametrize(
    "token", ["", ".", "..", "a.b.c", "a.b", "a.b.c.d", "é.é.é", "x" * (LONGEST_TOKEN + 1) + ".."]
)
def test_what_is_no_token(issuer: LocalIssuer, tokens: SignedTokens, token: str) -> None:
    with pytest.raises(InvalidToken):
        tokens.verified(token)
    assert issuer.asked[KEYS] == 0, "nobody is asked about what cannot be a token"


def test_keys_are_kept_and_a_new_key_is_found(
    issuer: LocalIssuer, tokens: SignedTokens, clock: Hands
) -> None:
    for _ in range(3):
        tokens.verified(issuer.token())
    assert issuer.asked[KEYS] == 1
    issuer.keys = [signing_key("second")]
    clock.now += 31
    assert tokens.verified(issuer.token())
    assert issuer.asked[KEYS] == 2


def test_unknown_keys_make_nobody_fetch_all_the_time(
    issuer: LocalIssuer, tokens: SignedTokens, clock: Hands
) -> None:
    tokens.verified(issuer.token())
    for number in range(50):
        with pytest.raises(InvalidToken):
            tokens.verified(issuer.token(header={"kid": f"made-up-{number}"}))
    assert issuer.asked[KEYS] == 1
    clock.now += 31
    with pytest.raises(InvalidToken):
        tokens.verified(issuer.token(header={"kid": "made-up"}))
    assert issuer.asked[KEYS] == 2


def test_a_key_that_is_withdrawn_is_forgotten(
    issuer: LocalIssuer, tokens: SignedTokens, clock: Hands
) -> None:
    old = issuer.token()
    tokens.verified(old)
    issuer.keys = [signing_key("second")]
    clock.now += FRESH_SECONDS + 1
    with pytest.raises(InvalidToken):
        tokens.verified(old)


def test_an_issuer_that_is_away(issuer: LocalIssuer, tokens: SignedTokens, clock: Hands) -> None:
    issuer.broken = True
    with pytest.raises(IssuerUnavailable):
        tokens.verified(issuer.token())
    issuer.broken = False
    clock.now += 31
    assert tokens.verified(issuer.token())
    issuer.broken = True
    clock.now += FRESH_SECONDS + 1
    assert tokens.verified(issuer.token()), "what is known of its keys still holds"


def test_metadata_must_be_the_issuers_own(issuer: LocalIssuer) -> None:
    assert key_set_address(issuer.url) == f"{issuer.url}{KEYS}"
    with pytest.raises(IssuerUnavailable):
        key_set_address(f"{issuer.url}/")
    with pytest.raises(IssuerUnavailable):
        fetched(f"{issuer.url}/nothing")
    with pytest.raises(IssuerUnavailable):
        fetched("http://127.0.0.1:1/keys")


def test_where_metadata_is_looked_for() -> None:
    assert list(metadata_addresses("https://a.example/tenant")) == [
        "https://a.example/.well-known/oauth-authorization-server/tenant",
        "https://a.example/.well-known/openid-configuration/tenant",
        "https://a.example/tenant/.well-known/openid-configuration",
    ]
    assert len(list(metadata_addresses("https://a.example"))) == 2


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("https://a.example/keys", True),
        ("http://127.0.0.1:9/keys", True),
        ("http://localhost/keys", True),
        ("http://a.example/keys", False),
        ("http://169.254.169.254/", False),
        ("file:///etc/passwd", False),
        ("https://user@a.example/", False),
        ("https://", False),
        ("http://[::1", False),
    ],
)
def test_addresses_that_keys_may_come_from(address: str, safe: bool) -> None:
    assert is_safe(address) is safe


def test_keys_of_an_encoded_token_are_public_ones(issuer: LocalIssuer) -> None:
    assert "d" not in issuer.keys[0].public
    assert jwt.get_unverified_header(issuer.token())["kid"] == "first"
