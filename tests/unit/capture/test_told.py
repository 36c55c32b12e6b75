"""Secrets that a sentence tells: found by what it names and how it links the two."""

from __future__ import annotations

import pytest

from commonplace.capture.secrets import mask_secrets
from tests.unit.capture.made_secrets import ALNUM, HEX, Letters
from tests.unit.capture.test_secrets import leaks

KEY = "s" + "k-live-" + Letters(11).of(ALNUM, 28)
HEXADECIMAL = Letters(12).of(HEX, 40)
PASSWORD = "Orchid" + "2931!x"


def masked(text: str) -> str:
    return mask_secrets(text).text


@pytest.mark.parametrize("key", [KEY, HEXADECIMAL, Letters(13).uuid(), Letters(14).of(ALNUM, 16)])
@pytest.mark.parametrize(
    "text",
    [
        "the api key we use is {}",
        "our token for staging is {}, ask Kim for another.",
        "I put the new secret ({}) into the vault yesterday.",
        "Use {} as the API key until Friday.",
        "{} is our secret token",
        "we replaced the old client secret with {} on Monday",
        "Which token does CI use?\nTom: {}",
        "The api key is:\n\n```\n{}\n```",
        "Kim's access token was `{}` before we rotated it.",
        "Der API-Schlüssel für die Testumgebung lautet {}.",
        "la clé d'API de production est {}",
        "La clave de API es {} y caduca en mayo.",
    ],
)
def test_a_key_is_masked_where_a_sentence_tells_it(text: str, key: str) -> None:
    assert not leaks(masked(text.format(key)), key)


@pytest.mark.parametrize("password", [PASSWORD, "hunter2" + "!x", "p455" + "word13", "k3jd8s0q"])
@pytest.mark.parametrize(
    "text",
    [
        "The password for the staging database is {}, please keep it.",
        "{} is the root password of the old box.",
        "We changed the Grafana password to {} yesterday.",
        "We rotated the password from {} on Monday.",
        "Password - {}",
        "the admin's passphrase was {} until last week",
        "user app, pw {}",
        "credentials: admin / {}",
        "the creds for the demo account are demo:{}",
        "Das Passwort für den Server lautet {}.",
        "le mot de passe de la base est {}",
        "La contraseña de la base de datos es {}.",
        "The recovery codes are {}, {} and {}.",
    ],
)
def test_a_password_is_masked_where_a_sentence_tells_it(text: str, password: str) -> None:
    assert password not in masked(text.replace("{}", password))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The passphrase for the box: correct-horse-battery-staple.", "horse"),
        ("the PIN of the door is 4711", "4711"),
        (
            "seed phrase: ozone drill grab fiber curtain grace sand cruise elder eight oval picnic",
            "picnic",
        ),
    ],
)
def test_words_and_numbers_are_masked_where_only_a_secret_can_stand(text: str, left: str) -> None:
    assert left not in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        f"The token refresh broke in {HEXADECIMAL}, see the log.",
        f"the key of the commit is {HEXADECIMAL}",
        f"the hash of the token we use is {HEXADECIMAL}",
        f"The commit that fixed the token bug is {HEXADECIMAL}.",
        f"gpg --keyserver hkps://keys.openpgp.org --recv-keys {HEXADECIMAL}",
        f"our public key is {Letters(15).of(ALNUM, 40)}",
        f"the primary key is {Letters(16).uuid()}",
        "js-tokens@4.0.0:\n    resolution: {integrity: sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0be}",
        "The password hashes are pbkdf2_sha256 or SHA-256 with 260000 rounds.",
        "The password must be at least 12characters and is base64url encoded.",
        "The login is only for node-17 and k8s.",
        "isinstance(key, (Ed25519PublicKey, Ed448PublicKey))",
        "The api key is your-api-key-1234 and the password is <password1>.",
        "The token is ${CI_TOKEN_2}, the password is $DB_PASS2.",
        "the password of the user is in settings.password2",
        "The default password was changed in v2.3.1, the api key in release-2024.",
        "Fix the login of v2.4.1 (#1234) for python3.11",
        "the token endpoint is https://auth.internal/oauth2/token",
        f"Rotate the api key before you look at any of these other builds of ours: {HEXADECIMAL}.",
        "Before hashing we convert the password to UTF-8, or to latin1.",
        "With @Exclude (password) and @Expose (fullName) on the class.",
        "The signature was made with the key (`0x91A6868BD3F7A907`).",
        "The token expired at 2024-05-13T10:22:45Z, its secret at 20240513T102245.123+02:00.",
        "token_valid_since=2024-05-13T10:22:45.123456+00:00",
        "Our password manager is 1Password.",
        "assert password == expected_password2",
        "pins 4 and 5 are 3300 mV",
        "the mnemonic is a word that one keeps in mind when one has to learn a list of them",
    ],
)
def test_what_only_stands_near_such_words_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "place",
    [
        "refresh_token={}",
        '"refresh_token": "{}"',
        "password={}",
        "DB_PASSWORD={}",
        "postgres://app:{}@db/shop",
        "Authorization: Bearer {}",
        "https://files.internal/a?sig={}",
        "cookie: session={}",
        "the refresh token is {} for now",
    ],
)
def test_a_long_value_is_masked_to_its_end(place: str) -> None:
    value = Letters(17).of(ALNUM, 2_000)
    assert not leaks(masked(place.format(value)), value)


HEADER = "MII" + "EvQ" + "IBADANBgkqhkiG9w0BAQEFAASC"


@pytest.mark.parametrize(
    "text",
    [
        "{}\n-----END RSA PRIVATE" + " KEY-----\nthen it worked",
        "-----BEGIN PRIVATE" + " KEY-----\n{}\nthen it worked",
        f"key_data = {HEADER}\n{{}}\nthen it worked",
    ],
)
@pytest.mark.parametrize("prefix", ["", "> ", "+"])
def test_a_part_of_a_private_key_is_masked_too(text: str, prefix: str) -> None:
    letters = Letters(18)
    lines = [prefix + letters.of(ALNUM, 64) for _ in range(6)]
    left = masked(text.format("\n".join(lines)))
    assert not any(leaks(left, line.removeprefix(prefix)) for line in lines)
    assert left.endswith("then it worked")
