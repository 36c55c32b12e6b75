"""Secrets of all kinds, made of random letters when asked for, so that no file holds one."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
BASE64 = ALNUM + "+/"
URL_SAFE = ALNUM + "_-"


class Case(NamedTuple):
    """A text, the secret in it, and words of the text that have to stay readable."""

    kind: str
    text: str
    secret: str
    kept: str = ""


class Letters:
    """Random runs of an alphabet, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, alphabet: str, length: int) -> str:
        """A run of that length with a digit in it, as nearly every real one has."""
        run = self._random.choices(alphabet, k=length)
        digits = [char for char in alphabet if char.isdigit()]
        if digits and not any(map(str.isdigit, run)):
            run[self._random.randrange(length)] = self._random.choice(digits)
        return "".join(run)

    def password(self) -> str:
        """A word, a number and a sign, as people choose them."""
        word = self._random.choice(["Winter", "tango", "Berlin", "orchid", "Falcon", "mango"])
        return f"{word}{self._random.randrange(20, 9000)}{self._random.choice('!#$+&?')}"

    def uuid(self) -> str:
        return "-".join(self.of(HEX, length) for length in (8, 4, 4, 4, 12))


# A provider's tokens: the title is for reading the test's output, the parts are joined at run time.
Part = str | tuple[str, int]
SHAPES: dict[str, tuple[Part, ...]] = {
    "aws access key": ("AK", "IA", (BASE32, 16)),
    "aws temporary key": ("AS", "IA", (BASE32, 16)),
    "aws bedrock": ("AB", "SK", (BASE64, 120)),
    "google api": ("AI", "za", (URL_SAFE, 35)),
    "google oauth": ("GOC", "SPX-", (URL_SAFE, 28)),
    "google access token": ("ya", "29.", (URL_SAFE, 80)),
    "azure client": ((ALNUM, 3), "8", "Q~", (ALNUM, 34)),
    "alibaba": ("LT", "AI", (ALNUM, 20)),
    "yandex": ("AQ", "VN", (URL_SAFE, 36)),
    "digitalocean": ("dop", "_v1_", (HEX, 64)),
    "commonplace": ("common", "place_", (ALNUM, 49)),
    "github classic": ("gh", "p_", (ALNUM, 36)),
    "github oauth": ("gh", "o_", (ALNUM, 36)),
    "github app": ("gh", "s_", (ALNUM, 36)),
    "github fine-grained": ("github", "_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab": ("gl", "pat-", (URL_SAFE, 20)),
    "gitlab runner": ("gl", "rt-", (URL_SAFE, 20)),
    "atlassian": ("ATA", "TT3", (URL_SAFE, 186)),
    "bitbucket": ("AT", "BB", (ALNUM, 32)),
    "slack bot": ("xo", "xb-", (string.digits, 12), "-", (string.digits, 12), "-", (ALNUM, 24)),
    "slack app": ("xa", "pp-1-", (UPPER, 11), "-", (string.digits, 13), "-", (HEX, 64)),
    "telegram": ((string.digits, 10), ":A", "A", (URL_SAFE, 33)),
    "discord": ("M", (ALNUM, 25), ".", (URL_SAFE, 6), ".", (URL_SAFE, 38)),
    "openai legacy": ("s", "k-", (ALNUM, 20), "T3Blbk", "FJ", (ALNUM, 20)),
    "openai project": ("sk", "-proj-", (URL_SAFE, 74), "T3Blbk", "FJ", (URL_SAFE, 74)),
    "anthropic": ("sk", "-ant-", "api03-", (URL_SAFE, 93), "AA"),
    "openrouter": ("sk", "-or-v1-", (HEX, 64)),
    "hugging face": ("h", "f_", (string.ascii_letters, 34)),
    "groq": ("g", "sk_", (ALNUM, 52)),
    "xai": ("x", "ai-", (ALNUM, 80)),
    "replicate": ("r", "8_", (ALNUM, 37)),
    "deepseek": ("s", "k-", (HEX, 32)),
    "perplexity": ("pp", "lx-", (ALNUM, 48)),
    "stripe live": ("sk", "_live_", (ALNUM, 24)),
    "stripe test": ("sk", "_test_", (ALNUM, 99)),
    "stripe webhook": ("wh", "sec_", (ALNUM, 32)),
    "square": ("sq0", "atp-", (URL_SAFE, 22)),
    "shopify": ("shp", "at_", (HEX, 32)),
    "sendgrid": ("S", "G.", (URL_SAFE, 22), ".", (URL_SAFE, 43)),
    "mailgun": ("ke", "y-", (HEX, 32)),
    "mailchimp": ((HEX, 32), "-us", "12"),
    "brevo": ("xkey", "sib-", (HEX, 64), "-", (ALNUM, 16)),
    "resend": ("r", "e_", (ALNUM, 8), "_", (ALNUM, 24)),
    "twilio": ("S", "K", (HEX, 32)),
    "npm": ("np", "m_", (ALNUM, 36)),
    "pypi": ("py", "pi-", "AgEIcHlwaS5vcmc", (URL_SAFE, 120)),
    "rubygems": ("ruby", "gems_", (HEX, 48)),
    "docker hub": ("dckr", "_pat_", (URL_SAFE, 27)),
    "vault": ("hv", "s.", (URL_SAFE, 95)),
    "terraform": ((ALNUM, 14), ".atlas", "v1.", (URL_SAFE, 64)),
    "grafana": ("gl", "sa_", (ALNUM, 32), "_", (HEX, 8)),
    "new relic": ("NR", "AK-", (UPPER, 27)),
    "sentry": ("snt", "ryu_", (HEX, 64)),
    "dynatrace": ("dt0", "c01.", (UPPER, 24), ".", (UPPER, 64)),
    "databricks": ("da", "pi", (HEX, 32)),
    "artifactory": ("AK", "Cp", (ALNUM, 69)),
    "heroku": ("HRKU", "-AA", (URL_SAFE, 58)),
    "pulumi": ("pu", "l-", (HEX, 40)),
    "planetscale": ("pscale", "_pw_", (ALNUM, 43)),
    "postman": ("PM", "AK-", (HEX, 24), "-", (HEX, 34)),
    "supabase": ("sb", "p_", (HEX, 40)),
    "tailscale": ("ts", "key-auth-", (ALNUM, 12), "CNTRL-", (ALNUM, 32)),
    "doppler": ("dp", ".pt.", (ALNUM, 43)),
    "linear": ("lin", "_api_", (ALNUM, 40)),
    "notion": ("nt", "n_", (string.digits, 11), (ALNUM, 35)),
    "figma": ("fi", "gd_", (URL_SAFE, 40)),
    "fly.io": ("fo", "1_", (URL_SAFE, 43)),
    "airtable": ("pa", "t", (ALNUM, 14), ".", (HEX, 64)),
    "age": ("AGE-SECRET", "-KEY-1", (UPPER, 58)),
}

# Where a generated key of no known shape stands: `{}` is the key.
KEY_CONTEXTS = (
    'API_KEY="{}"',
    "export DATADOG_API_KEY={}",
    '"client_secret": "{}",',
    "aws_secret_access_key = {}",
    "const apiKey: string = '{}';",
    "x-api-key: {}",
    "curl 'https://api.internal/v1/items?access_token={}&page=2'",
    "The token is `{}` until Friday.",
    "//packages.internal/:_authToken={}",
    "DefaultEndpointsProtocol=https;AccountName=files;AccountKey={};EndpointSuffix=core.windows.net",
    "Authorization: Bearer {}",
    "Authorization: token {}",
    'headers = {{"Authorization": "Bearer {}"}}',
    "- name: WEBHOOK_SECRET\n  value: {}",
    "<apiKey>{}</apiKey>",
    "--token {} --verbose",
    "encryption_key => '{}'",
    "Set-Cookie: session={}; HttpOnly",
)

# Where a password that a person chose stands.
PASSWORD_CONTEXTS = (
    'password = "{}"',
    "password: {}",
    "DB_PASSWORD={}",
    "export PGPASSWORD={}",
    '"passwd": "{}"',
    r"{{\"user\": \"app\", \"password\": \"{}\"}}",
    "the password is {} on staging",
    "I changed the password to {} yesterday",
    "Server=db;User Id=app;Password={};Encrypt=true",
    "define('DB_PASSWORD', '{}');",
    "- name: MYSQL_ROOT_PASSWORD\n  value: {}",
    "<password>{}</password>",
    "spring.datasource.password={}",
    "mysql -u app -p{} shop",
    "curl -u deploy:{} https://ci.internal/job",
    "postgresql://app:{}@db.internal:5432/shop",
    "redis://:{}@cache:6379/0",
    "https://deploy:{}@git.internal/team/app.git",
    "machine api.internal login deploy password {}",
    "| password | {} |",
)


def cases(seed: int) -> list[Case]:
    letters = Letters(seed)
    return [
        *_shaped(letters),
        *_in_contexts("key", KEY_CONTEXTS, lambda: letters.of(ALNUM, 32)),
        *_in_contexts("hex key", KEY_CONTEXTS, lambda: letters.of(HEX, 40)),
        *_in_contexts("password", PASSWORD_CONTEXTS, letters.password),
        *_others(letters),
    ]


def _shaped(letters: Letters) -> Iterator[Case]:
    for kind, parts in SHAPES.items():
        token = "".join(part if isinstance(part, str) else letters.of(*part) for part in parts)
        yield Case(
            kind, f"It worked with {token}, before the restart.", token, "before the restart"
        )
        yield Case(f"{kind} in JSON", json.dumps({"a": f"first\n{token}"}), token, "first")


def _in_contexts(kind: str, contexts: tuple[str, ...], make: Callable[[], str]) -> Iterator[Case]:
    for context in contexts:
        secret = make()
        yield Case(
            f"{kind}: {context}", f"Fixed it.\n{context.format(secret)}", secret, "Fixed it."
        )


def _others(letters: Letters) -> Iterator[Case]:
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    payload = base64.urlsafe_b64encode(b'{"sub":"42","scope":"all"}').decode().rstrip("=")
    token = f"{header}.{payload}.{letters.of(URL_SAFE, 43)}"
    yield Case("jwt", f"sent {token} and got 401", token, "and got 401")
    basic = base64.b64encode(f"deploy:{letters.password()}".encode()).decode()
    yield Case("basic", f"Authorization: Basic {basic}", basic, "Authorization")
    yield Case("uuid key", f"HEROKU_API_KEY={(key := letters.uuid())}", key, "HEROKU_API_KEY")
    hook = "/".join((letters.of(UPPER, 9), letters.of(UPPER, 11), letters.of(ALNUM, 24)))
    yield Case("slack webhook", f"https://hooks.slack.com/services/{hook}", hook, "hooks.slack.com")
    signature = letters.of(ALNUM, 43) + "%3D"
    yield Case(
        "sas", f"https://x.blob.core.windows.net/c?sv=2022&sig={signature}", signature, "sv=2022"
    )
    for kind in ("RSA ", "EC ", "OPENSSH ", ""):
        lines = "\n".join(letters.of(BASE64, 64) for _ in range(8))
        edges = [f"-----{edge} {kind}PRIVATE" + " KEY-----" for edge in ("BEGIN", "END")]
        whole = f"{edges[0]}\n{lines}\n{edges[1]}"
        yield Case(f"{kind}key", f"The file:\n{whole}\nworks.", lines, "works.")
        yield Case(f"{kind}key in JSON", json.dumps({"key": whole}), json.dumps(lines)[1:-1], "key")
        yield Case(
            f"{kind}key cut off", f"{edges[0]}\n{lines}\n\nThen it worked.", lines, "Then it"
        )
