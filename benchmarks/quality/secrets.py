"""How many secrets are masked that the rules were not written on, and how much else is.

python -m benchmarks secrets [--half tuned|held]: generators with fixed seeds, each in six places;
the half that is held back was not looked at while rules were written.
"""

from __future__ import annotations

import argparse
import base64
import random
import string
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.report import Cell, Report, Table, now
from commonplace.capture.secrets import mask_secrets

_EACH = 100
_SEEDS = {"tuned": 1, "held": 2}
_ALNUM = string.ascii_letters + string.digits
# A quote or a backslash in a value ends or changes it where it is quoted.
_SIGNS = string.punctuation.translate(str.maketrans("", "", "\"'`\\"))
Generator = Callable[[random.Random], str]


def _of(letters: str, length: int) -> Generator:
    return lambda chance: "".join(chance.choices(letters, k=length))


def _packed(length: int) -> Generator:
    return lambda chance: base64.b64encode(chance.randbytes(length)).decode()


def _url_safe(length: int) -> Generator:
    return lambda chance: base64.urlsafe_b64encode(chance.randbytes(length)).rstrip(b"=").decode()


def _prefixed(prefixes: Sequence[str], length: int) -> Generator:
    return lambda chance: chance.choice(prefixes) + "".join(chance.choices(_ALNUM, k=length))


# Those of each half are of different kinds, so that one says nothing about the other.
GENERATORS: dict[str, dict[str, Generator]] = {
    "tuned": {
        "Django's key, 50 with signs": _of(
            "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)", 50
        ),
        "32 bytes, URL-safe": _url_safe(32),
        "20 letters, digits and signs": _of(_ALNUM + "!@#$%^&*", 20),
        "32 hexadecimal": _of("0123456789abcdef", 32),
        "16 letters, digits and brackets": _of(_ALNUM + "()[]{}<>;:.,?~", 16),
        "an invented prefix, 40 letters and digits": _prefixed(("sk-live-", "zq_"), 40),
    },
    "held": {
        "40 of base64 letters, as AWS": _of(_ALNUM + "+/", 40),
        "24 bytes, base64": _packed(24),
        "18 letters, digits and any signs": _of(_ALNUM + _SIGNS, 18),
        "64 hexadecimal": _of("0123456789abcdef", 64),
        "26 of base32": _of(string.ascii_uppercase + "234567", 26),
        "24 letters and digits": _of(_ALNUM, 24),
        "other invented prefixes, 32 letters and digits": _prefixed(
            ("acme_prod_", "kv2.", "brx-", "TKN_"), 32
        ),
    },
}
PLACES = {
    "Python, quoted": 'SECRET_KEY = "{}"\n',
    "bare": "client_secret={}\n",
    "JSON": '{{"api_key": "{}", "retries": 3}}\n',
    "YAML": "database:\n  auth_token: {}\n  port: 5432\n",
    ".env": "APP_SECRET={}\nDEBUG=1\n",
    "header": "curl -H 'X-Api-Key: {}' https://example.org/v1\n",
    "said": "The api key we use is {}, ask Kim for another.\n",
    "said at length": "the token for the staging cluster in Frankfurt: {}\n",
    "said before": "{} is our secret token\n",
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks secrets")
    parser.add_argument("--half", choices=[*_SEEDS, "both"], default="both")
    half = parser.parse_args(arguments).half
    halves = list(_SEEDS) if half == "both" else [half]
    started = now()
    tables = [_found(each) for each in halves]
    Report("secrets", (*tables, _alarms()), _NOTES).save(started)


_NOTES = (
    f"Shares of {_EACH} values masked whole; a value of which any part is left counts as kept.",
    "False alarms are masked stretches; they were not judged one by one.",
)


def _found(half: str) -> Table:
    chance = random.Random(_SEEDS[half])
    rows: list[tuple[Cell, ...]] = []
    for name, generator in GENERATORS[half].items():
        values = [generator(chance) for _ in range(_EACH)]
        rows.append((name, *(_share(values, place) for place in PLACES.values())))
    return Table(f"Masked, {half} half", ("generator", *PLACES), tuple(rows), digits=2)


def _share(values: Sequence[str], place: str) -> float:
    return sum(_is_masked(value, place) for value in values) / len(values)


def _is_masked(value: str, place: str) -> bool:
    """Whether no eight letters of it in a row are left."""
    left = mask_secrets(place.format(value)).text
    return not any(value[at : at + 8] in left for at in range(len(value) - 7))


def _alarms() -> Table:
    root = Path(__file__).parents[2]
    packages = Path(sysconfig.get_paths()["purelib"])
    texts = {
        "documentation of this repository": sorted(root.glob("docs/**/*.md")),
        "source of this repository": sorted(root.glob("src/**/*.py")),
        **{name: sorted((packages / name).rglob("*.py")) for name in ("httpx", "starlette", "mcp")},
    }
    rows = tuple((name, *_alarmed(files)) for name, files in texts.items())
    columns = ("text", "characters", "masked", "per million")
    return Table("False alarms", columns, rows, digits=1)


def _alarmed(files: Sequence[Path]) -> Iterator[Cell]:
    texts = [file.read_text(encoding="utf-8") for file in files]
    found = sum(secret.count for text in texts for secret in mask_secrets(text).found)
    length = sum(map(len, texts))
    yield from (length, found, found * 1e6 / max(1, length))
