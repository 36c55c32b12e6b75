"""Sentences and lines that tell a secret, and generators of what they tell.

The rules were written on the tuned half; the held half has other sentences, lines and values.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Sequence

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
# A quote or a backslash in a value ends or changes it where it is quoted.
SIGNS = string.punctuation.translate(str.maketrans("", "", "\"'`\\"))
Generator = Callable[[random.Random], str]


def of(letters: str, length: int) -> Generator:
    return lambda chance: "".join(chance.choices(letters, k=length))


def packed(length: int) -> Generator:
    return lambda chance: base64.b64encode(chance.randbytes(length)).decode()


def url_safe(length: int) -> Generator:
    return lambda chance: base64.urlsafe_b64encode(chance.randbytes(length)).rstrip(b"=").decode()


def prefixed(prefixes: Sequence[str], length: int) -> Generator:
    return lambda chance: chance.choice(prefixes) + "".join(chance.choices(ALNUM, k=length))


def _uuid(chance: random.Random) -> str:
    return "-".join("".join(chance.choices(HEX, k=length)) for length in (8, 4, 4, 4, 12))


def _chosen(words: Sequence[str], form: str) -> Generator:
    """A password as people choose them: {0} and {1} are words, {2} a number, {3} a sign."""
    return lambda chance: form.format(
        chance.choice(words),
        chance.choice(words),
        chance.randrange(20, 3000),
        chance.choice("!#$?&+*%"),
    )


def _leet(words: Sequence[str]) -> Generator:
    table = str.maketrans("aeios", "431o5")
    return lambda chance: f"{chance.choice(words).translate(table)}{chance.randrange(10, 99)}"


def _signed_in_the_middle(chance: random.Random) -> str:
    made = chance.choices(ALNUM, k=10)
    made[chance.randrange(2, 8)] = chance.choice("!@#$%^&*")
    return "".join(made)


_WORDS = ("hunter", "harvest", "Falcon", "orchid", "tango", "Berlin", "mango", "Sommer")
_OTHER_WORDS = ("Maple", "copper", "Thunder", "bicycle", "lisboa", "Rocket", "velvet", "Nimbus")

KEYS: dict[str, dict[str, Generator]] = {
    "tuned": {
        "invented prefix, 32": prefixed(("sk-live-", "zq_", "acct-"), 32),
        "32 hexadecimal": of(HEX, 32),
        "20 letters, digits, signs": of(ALNUM + "!@#$%^&*", 20),
        "24 bytes, base64": packed(24),
        "16 letters and digits": of(ALNUM, 16),
        "Django's key, 50 with signs": of("abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50),
        "16 with brackets": of(ALNUM + "()[]{}<>;:.,?~", 16),
    },
    "held": {
        "other prefix, 28": prefixed(("acme_prod_", "kv2.", "brx-", "TKN_"), 28),
        "40 hexadecimal": of(HEX, 40),
        "18 letters, digits, any signs": of(ALNUM + SIGNS, 18),
        "UUID": _uuid,
        "26 of base32": of(string.ascii_uppercase + "234567", 26),
        "32 bytes, URL-safe": url_safe(32),
        "40 of base64 letters, as AWS": of(ALNUM + "+/", 40),
        "24 letters and digits": of(ALNUM, 24),
    },
}
PASSWORDS: dict[str, dict[str, Generator]] = {
    "tuned": {
        "word, number, sign": _chosen(_WORDS, "{0}{2}{3}"),
        "word, number, sign, letter": _chosen(_WORDS, "{0}2{3}x"),
        "leet": _leet(("password", "administrator", "houseplant", "desiree", "sesame")),
        "12 with signs": of(ALNUM + "!@#$%^&*", 12),
    },
    "held": {
        "words with hyphens, number": _chosen(_OTHER_WORDS, "{0}-{1}-{2}"),
        "sign first": _chosen(_OTHER_WORDS, "{3}{0}{2}"),
        "leet": _leet(("elephant", "Oceanside", "telescope", "massif", "passerine")),
        "10 with one sign": _signed_in_the_middle,
        "8 small letters and digits": of(string.ascii_lowercase + string.digits, 8),
    },
}

# `{}` is the secret. Sentences tell it in passing; lines are configuration, code and commands.
KEY_SENTENCES: dict[str, Sequence[str]] = {
    "tuned": (
        "the api key we use is {}",
        "our token for staging is {}, ask Kim for another.",
        "The token for the staging cluster in Frankfurt: {}",
        "{} is our secret token",
        "I put the new secret ({}) into the vault yesterday.",
        "Use {} as the API key until Friday.",
        "Kim's access token was {} before we rotated it.",
        "Stripe key: {}",
        "You can log in with the token {} for now.",
        "for the webhook the signing secret is now `{}`.",
        "we replaced the old client secret with {} on Monday",
        "Der API-Schlüssel für die Testumgebung lautet {}.",
        "Unser Token ist {}, bitte nicht weitergeben.",
        "la clé d'API de production est {}",
        "La clave de API es {} y caduca en mayo.",
        "so the key that finally worked was {}",
        "Just paste {} where it asks for an access token.",
        "FYI the deploy key changed, it's {} from today on",
        "> what was the encryption key again?\nit's {}",
        "The credentials the worker needs are {}.",
        "I used {} for the bearer token and got a 401.",
        "Secret for the payments webhook = {}",
        "heads up: prod token -> {}",
        "The maps service wants an api key, we have {} for that.",
        "Please set the session secret to {} on every node.",
        "Mein Zugriffstoken war {} und ist abgelaufen.",
        "Als Schlüssel für die API nehmen wir {}.",
        "Le jeton d'accès du serveur est {}.",
        "el token de acceso que usamos es {}",
        "A chave de API da loja é {}.",
    ),
    "held": (
        "Rotated the leaked credential; new API token starts tomorrow: {}",
        "INC-204: someone pasted the production key {} into a public channel",
        "Kim: which token does CI use?\nTom: {}",
        "- Maps API key - {}",
        "fix: hardcode the access key ({}) until the vault is back",
        "When it asks for the secret, type {} and press enter.",
        "old key was {}, new one comes by mail",
        "Our bearer token right now = {}",
        "I think the signing key might be {} but I am not sure.",
        "the same api key works for both clusters, namely {}",
        "Token ({}) expires in 30 days, see the wiki.",
        "TODO remove: secret {} only for the demo",
        "Der Schlüssel zum Signieren ist seit gestern {}.",
        "Voici la clé secrète du webhook : {}",
        "Este es el token: {}",
    ),
}
PASSWORD_SENTENCES: dict[str, Sequence[str]] = {
    "tuned": (
        "the db password is {}",
        "password: {}",
        "The password for the staging database is {}, please keep it.",
        "log in as admin with password {} and restart it",
        "{} is the root password of the old box.",
        "We changed the Grafana password to {} yesterday.",
        "the admin's passphrase was {} until last week",
        "user app, pw {}",
        "credentials: admin / {}",
        "Das Passwort für den Server lautet {}.",
        "Das Kennwort ist {}",
        "le mot de passe de la base est {}",
        "La contraseña de la base de datos es {}.",
        "try {} as the password, it worked for me",
        "its password is still {} I think",
        "The wifi passphrase in the office is {}.",
        "ssh deploy@build-3, password {}",
        "Login: root, Password: {}",
        "the password Tom gave me was {}",
        "I reset it, new pass is {}",
        "creds for the demo account are demo:{}",
        "You need the database password ({}) to run the migration.",
        "Mit dem Passwort {} kommt man rein.",
        "Neues Kennwort für Jenkins: {}",
        "Mot de passe : {}",
        "Usa la contraseña {} para entrar.",
        "A senha do banco é {}.",
        "Het wachtwoord van de server is {}.",
    ),
    "held": (
        "INC-77: the admin password {} was visible in the build log",
        "If it asks for a password type {}",
        "Anna: password?\nBen: {}",
        "- root / password {}",
        "chore: set the default password to {} for local runs",
        "the old password ({}) still works on two nodes",
        "db user is shop and its password equals {}",
        "Temporary password for new hires - {}",
        "it's the usual password, {}, nothing new",
        "Username: kim\nPassword: {}\nHost: db.internal",
        "WLAN-Passwort im Büro: {}",
        "Als Passwort habe ich {} gesetzt.",
        "Le mot de passe par défaut, c'est {}.",
        "Cambié la contraseña a {} esta mañana.",
        "La password del router è {}.",
    ),
}
KEY_LINES: dict[str, Sequence[str]] = {
    "tuned": (
        'SECRET_KEY = "{}"',
        "client_secret={}",
        '{{"api_key": "{}", "retries": 3}}',
        "database:\n  auth_token: {}\n  port: 5432",
        "APP_SECRET={}\nDEBUG=1",
        "curl -H 'X-Api-Key: {}' https://api.test/v1",
        "curl -H 'Authorization: Bearer {}' https://api.test/v1",
    ),
    "held": (
        "export BILLING_API_TOKEN='{}'",
        "-e SIGNING_KEY={} \\",
        'let accessToken = "{}";',
        "[service]\nprivate_key = {}\n",
        '<add key="ApiKey" value="{}" />',
        "http --headers https://api.test/v1 X-Auth-Token:{}",
        "helm upgrade shop . --set auth.secretKey={}",
    ),
}
PASSWORD_LINES: dict[str, Sequence[str]] = {
    "tuned": (
        'password = "{}"',
        "DB_PASSWORD={}",
        "  password: {}",
        '{{"user": "app", "password": "{}"}}',
        "curl -u deploy:{} https://ci.internal/job",
        "postgresql://app:{}@db.internal:5432/shop",
        "Server=db;User Id=app;Password={};Encrypt=true",
    ),
    "held": (
        "export PGPASSWORD='{}'",
        "jdbc:mysql://db.internal:3306/shop?user=app&password={}",
        "amqp://worker:{}@queue.internal:5672/jobs",
        "host=db.internal user=app password={} dbname=shop",
        "[mail]\nsmtp_pass = {}\n",
        "sshpass -p {} ssh deploy@host",
        "env:\n  - name: ADMIN_PASSWORD\n    value: {}",
    ),
}
