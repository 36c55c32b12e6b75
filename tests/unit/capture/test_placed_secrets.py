"""Secrets that are known by where they stand: command lines, code, files of settings, tables."""

from __future__ import annotations

import pytest

from commonplace.capture.secrets import mask_secrets
from tests.unit.capture.made_secrets import ALNUM, HEX, Letters
from tests.unit.capture.test_secrets import leaks

KEY = Letters(21).of(ALNUM, 32)
PASSWORDS = ["Orchid" + "2931!x", "p@ss" + "W0rd99", "k3jd8s0q"]
WORDS = "orchid-lamp-river-button"


def masked(text: str) -> str:
    return mask_secrets(text).text


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize(
    "text",
    [
        "sshpass -p {} ssh root@10.0.0.5",
        "mysql -u root -p{} shop",
        "mongosh -u root -p {} --authenticationDatabase admin",
        "redis-cli -h cache -a {} ping",
        "az login --service-principal -u app -p {} --tenant acme",
        "htpasswd -b .htpasswd ana {}",
        "net use \\\\srv\\share /user:ana {}",
        "net user ana {} /add",
        "unzip -P {} export.zip",
        "openssl enc -d -aes-256-cbc -k {} -in export.enc",
        "openssl rsa -in key.pem -passin pass:{}",
        "keytool -list -storepass {} -keypass {}",
        "echo {} | sudo -S systemctl restart app",
        "printf '{}' | docker login -u ana --password-stdin",
        "ALTER USER app IDENTIFIED BY '{}';",
        "requests.get(url, auth=('ana', '{}'))",
        'HTTPBasicAuth("ana", "{}")',
        "db.example.com:5432:shop:app:{}",
        "WIFI:T:WPA;S:Home;P:{};;",
        "jdbc:oracle:thin:scott/{}@db:1521",
        "sqlplus -s scott/{}@db",
        "requirepass {}",
        "pw={}",
        "pw: {}",
        "user: ana\npass: {}",
        "auth: { user: 'ana', pass: '{}' }",
        "| user | password |\n|---|---|\n| ana | {} |",
        "пароль: {}",
        "密码：{}",
    ],
)
def test_a_password_is_masked_where_it_is_handed_over(text: str, password: str) -> None:
    assert password not in masked(text.replace("{}", password))


@pytest.mark.parametrize("password", PASSWORDS)
@pytest.mark.parametrize(
    "text",
    [
        "the passphrase for the deploy key: {}",
        "It's {} (the root password).",
        "unlock it with {} (that's the passphrase)",
        "tell him the password's {}",
        "log in with admin / {}",
        "basic auth is ana / {}",
        "user/pw: ana/{}",
        "user ana pass {}",
    ],
)
def test_a_password_is_masked_where_a_sentence_hands_it_over(text: str, password: str) -> None:
    assert password not in masked(text.replace("{}", password))


@pytest.mark.parametrize(
    "text",
    [
        "https://{}@github.com/acme/shop.git",
        "PAT: {}",
        "use this PAT: {}",
        "auth = {}",
        "PHPSESSID={}",
        "密钥: {}",
    ],
)
def test_a_key_is_masked_where_only_one_can_stand(text: str) -> None:
    assert not leaks(masked(text.format(KEY)), KEY)


@pytest.mark.parametrize("text", ["pwd={}", "spring.datasource.password={}", "requirepass {}"])
def test_a_password_of_words_is_masked_where_it_is_set(text: str) -> None:
    assert WORDS not in masked(text.format(WORDS))


@pytest.mark.parametrize(
    "text",
    [
        f"the S3 key is reports/2024/05/13/report-{Letters(23).uuid()}.csv",
        f"| commit | author |\n|---|---|\n| {Letters(24).of(HEX, 40)} | ana |",
        "First pass: 12ms, second pass: 7ms.",
        "sign in with GitHub / SAML2",
        "log in with Google / OAuth2",
        "s390x/msa_x1/aes128-set-encrypt-key.asm s390x/msa_x1/sha256-compress.asm",
        "echo started-at-12:40 | tee log.txt",
        "https://jane.doe.of.acme@example.com/",
        "auth=OAuth2 is not supported by pat=src/**/*.ts",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert masked(text) == text
