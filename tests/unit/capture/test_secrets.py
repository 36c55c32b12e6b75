"""Secrets: found in every dress they come in, removed whole, and nothing else touched."""

from __future__ import annotations

import random
import string
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.capture.secrets import Masked, Secret, mask_secrets
from tests.unit.capture.made_secrets import ALNUM, HEX, SHAPES, Case, Letters, cases

REPOSITORY = Path(__file__).parents[3]
LONGEST_REST = 5  # characters of a secret that may stay, by chance or as its prefix


def leaks(masked: str, secret: str) -> bool:
    size = LONGEST_REST + 1
    return any(secret[i : i + size] in masked for i in range(max(1, len(secret) - LONGEST_REST)))


@pytest.mark.parametrize("case", cases(seed=1), ids=lambda case: case.kind)
def test_a_secret_is_removed_and_the_rest_stays(case: Case) -> None:
    masked = mask_secrets(case.text)
    assert not leaks(masked.text, case.secret)
    assert case.kept in masked.text
    assert [secret.count for secret in masked.found] == [1]
    assert f"[secret removed: {masked.found[0].title}]" in masked.text


@pytest.mark.parametrize("seed", range(2, 8))
def test_other_letters_are_found_as_well(seed: int) -> None:
    missed = [case for case in cases(seed) if leaks(mask_secrets(case.text).text, case.secret)]
    assert missed == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("place", ["token={}", 'secret_key = "{}"', "  api_key: {}\n  port: 5432"])
def test_keys_with_brackets_and_stops_are_mostly_found(place: str, seed: int) -> None:
    """Chance makes some that read like words or code; what is bare is the harder half."""
    chance = random.Random(seed)
    made = ["".join(chance.choices(f"{ALNUM}()[]{{}}<>;:.,?~", k=16)) for _ in range(100)]
    kept = [one for one in made if leaks(mask_secrets(place.format(one)).text, one)]
    assert len(kept) <= 25


@pytest.mark.parametrize(
    "text",
    [
        "token = parse(lexer.next(), T1[0], Kind.A)",
        "secret=cfg.get(name,default)[0:4]",
        "api_key: Dict[K,V]=F(x1)",
        "client_secret=aB(c1)[D2]{e}",
        "token = {A1,b2,C3,d4};",
    ],
)
def test_code_with_signs_is_left_alone(text: str) -> None:
    assert mask_secrets(text) == Masked(text)


def test_the_generated_secrets_are_many_and_different() -> None:
    assert len(SHAPES) >= 60
    assert len({case.secret for case in cases(seed=1)}) >= 120


@pytest.mark.parametrize(
    "text",
    [
        # placeholders
        "API_KEY=<your-api-key>",
        "api_key: your_api_key_here_12345",
        "export TOKEN=xxxxxxxxxxxxxxxxxxxx",
        "password: changeme",
        "PASSWORD=********",
        "DB_PASSWORD=${DB_PASSWORD}",
        "password = $1",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "token = '{{ vault_token }}'",
        'secret = "%(secret)s"',
        "postgresql://user:password@localhost/db",
        "postgres://postgres:postgres@localhost:5432/app",
        "redis://:<password>@cache:6379",
        "https://user:pass@example.org/",
        "Authorization: Bearer <token>",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_123",
        "AK" + "IA" + "IOSFODNN7EXAMPLE",
        "gh" + "p_" + "x" * 36,
        "s" + "k-..." + " and so on",
        # code that moves secrets about
        'password = os.environ["DB_PASSWORD2"]',
        "token = get_token(user1)",
        "this.password = options.password2",
        "password: str | None = None",
        "def login(user: str, password: str) -> None:",
        "const apiKey = process.env.API_KEY_2;",
        "tokens = tokenizer.encode(text, max_tokens=4096)",
        "password_hash = bcrypt2.hash(password)",
        '"password": {"type": "string", "minLength": 12}',
        "fields = ['password', 'email', 'name']",
        "signInWithPassword(credentials: Web3Credentials)",
        "token_labels = [model.config.id2label[t.item()] for t in found]",
        "login --password=password --docker-email=me",
        "secretName: db-credentials-v2",
        "secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:db",
        "token_type=bearer&expires_in=3600",
        "x-api-key-id: 42",
        # prose
        "The password is required. The token was expired, so the secret to success is patience.",
        "How often does the password rotate?",
        "The password must have 12 characters; passwords are hashed with argon2.",
        "Basic understanding of bearer authentication is enough.",
        "key: value, secret: the answer, token: a word",
        # identifiers, hashes, encodings
        "Fixed in 3f786850e387550fdab836ed7e6dc881de23001b (v1.2.3).",
        "id 550e8400-e29b-41d4-a716-446655440000 failed",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP"',
        "![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4)",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZ0c2Vw deploy",
        "git@github.com:team/app.git and http://localhost:8080/path?email=someone@mail.test",
        "-----BEGIN PRIVATE" + " KEY-----\n...\n-----END PRIVATE" + " KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIB" + "A" * 60 + "\n-----END CERTIFICATE-----",
        "",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_secrets(text) == Masked(text)


def test_this_repository_has_no_false_finds() -> None:
    documents = [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.md")]
    sources = [*REPOSITORY.glob("src/commonplace/**/*.py"), *REPOSITORY.glob("tools/**/*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in [*documents, *sources]}
    assert {path for path, text in texts.items() if mask_secrets(text).found} == set()
    assert len(texts) > 100


def test_each_kind_is_named_once_with_its_count() -> None:
    letters = Letters(3)
    tokens = ["gh" + "p_" + letters.of(ALNUM, 36) for _ in range(2)]
    text = f"{tokens[0]} then {tokens[1]}, password: {letters.password()}"
    assert mask_secrets(text).found == (
        Secret("github-token", "GitHub token", 2),
        Secret("password", "password", 1),
    )


def test_a_token_in_a_telling_place_is_named_by_its_shape() -> None:
    token = "gh" + "p_" + Letters(4).of(ALNUM, 36)
    masked = mask_secrets(f'GITHUB_TOKEN="{token}" # Authorization: Bearer {token}')
    assert masked.found == (Secret("github-token", "GitHub token", 2),)
    assert masked.text.startswith('GITHUB_TOKEN="[secret removed: GitHub token]" #')


def test_a_value_is_removed_whole_whatever_signs_it_has() -> None:
    for sign in "!@#$%^&*()[]{}+=?/|~":
        secret = f"Tango77{sign}b{sign}lue"
        assert "lue" not in mask_secrets(f"DB_PASSWORD={secret}").text
        assert "lue" not in mask_secrets(f'password = "{secret}"').text


@pytest.mark.parametrize(
    "place",
    [
        "the token secret: {}",
        "API key token = {}",
        "token type: bearer, token: {}",
        "secret secret {}",
    ],
)
def test_a_name_after_a_name_hides_nothing(place: str) -> None:
    secret = Letters(7).of(ALNUM, 32)
    assert not leaks(mask_secrets(place.format(secret)).text, secret)


def test_what_stands_around_a_url_password_stays() -> None:
    text = f"postgresql://app:{'Tango77' + '@x'}@db.internal:5432/shop?sslmode=require"
    expected = (
        "postgresql://app:[secret removed: password in a URL]@db.internal:5432/shop?sslmode=require"
    )
    assert mask_secrets(text).text == expected


def test_masking_a_masked_text_changes_nothing() -> None:
    for case in cases(seed=9):
        masked = mask_secrets(case.text).text
        assert mask_secrets(masked).text == masked


@given(st.text(), st.text())
def test_any_text_is_masked_without_losing_what_is_around(before: str, after: str) -> None:
    token = "gh" + "p_" + Letters(5).of(ALNUM, 36)
    masked = mask_secrets(f"{before}\n{token}\n{after}").text
    assert token not in masked


@given(st.text(alphabet="pasword=:\"'`\\ token19-_.@/{}$<>\n", max_size=300))
def test_near_misses_never_raise(text: str) -> None:
    assert mask_secrets(text).text is not None


@pytest.mark.parametrize(
    "unit",
    [
        "password",
        "password=",
        "://a:b",
        "eyJ",
        "eyJa.",
        "token_",
        "secret: a",
        "cookie: a=b;",
        "a.",
    ],
)
def test_a_flood_of_what_begins_like_a_secret_is_no_trap(unit: str) -> None:
    mask_secrets(unit * (100_000 // len(unit)))


def test_every_rule_says_what_it_needs() -> None:
    source = files("commonplace.capture").joinpath("rules/secrets.toml")
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    rules = [*data["tokens"], *data["contexts"]]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["keywords"] == [keyword.lower() for keyword in rule["keywords"]]
        assert {"id", "title", "pattern"} <= rule.keys()
    assert all(
        rule["judge"] in {"given", "chosen", "made", "scrambled"} for rule in data["contexts"]
    )


def test_the_generated_secrets_reach_most_rules() -> None:
    found = {secret.rule for case in cases(seed=1) for secret in mask_secrets(case.text).found}
    assert len(found) >= 35


def test_a_hex_run_alone_is_a_hash() -> None:
    assert mask_secrets(Letters(6).of(HEX, 64)).found == ()


DJANGO = "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"
WITH_SIGNS = string.ascii_letters + string.digits + "!@#$%^&*-_+="
AWS = string.ascii_letters + string.digits + "/+"


@pytest.mark.parametrize(
    ("line", "letters", "length", "most_kept"),
    [
        ("SECRET_KEY = '{}'", DJANGO, 50, 0.02),
        ("DJANGO_SECRET_KEY={}", DJANGO, 50, 0.06),
        ("token: {}", WITH_SIGNS, 20, 0.12),
        ("client_secret={}", WITH_SIGNS, 20, 0.12),
        ("curl -H 'Authorization: Bearer {}' https://api.test", WITH_SIGNS, 20, 0.12),
        ("aws_secret_access_key = {}", AWS, 40, 0.02),
        ("api_key = '{}'", string.ascii_letters + string.digits + "-_", 43, 0.01),
    ],
)
def test_generated_keys_with_signs_are_masked(
    line: str, letters: str, length: int, most_kept: float
) -> None:
    """By generators that the rules were not written on. What has no digit, or begins as a path
    does, is left alone."""
    chance = random.Random(18)
    keys = ["".join(chance.choices(letters, k=length)) for _ in range(500)]
    kept = [key for key in keys if key in mask_secrets(line.format(key)).text]
    assert len(kept) <= most_kept * len(keys), kept[:5]


@pytest.mark.parametrize(
    "text",
    [
        "The api key we use is {}.",
        "our token for the staging cluster: {}",
        "the secret that CI reads is `{}`",
        "{} is our token",
    ],
)
@pytest.mark.parametrize(
    "key", ["sk-live-a8Fj3kLq9ZxW2mNb7VcT5yRu1PoE", "zq_8sjdh38dhs8dh3jdh3jsd83hs"]
)
def test_a_key_with_any_prefix_is_known_by_the_words_around_it(text: str, key: str) -> None:
    assert key not in mask_secrets(text.format(key)).text


@pytest.mark.parametrize(
    "text",
    [
        "the key of the commit is e6e3e63aab1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e",
        "The key insight is that internationalization-of-things works",
        "the secret of the documentation is src/commonplace/capture/finding.py",
        "The token type is AuthorizationCodeWithPKCEFlowV2",
    ],
)
def test_words_and_commits_after_a_key_are_left_alone(text: str) -> None:
    assert mask_secrets(text).text == text
