"""How many secrets are masked that the rules were not written on, and how much else is.

python -m benchmarks secrets [--half tuned|held] [--text FILE ...]: generated secrets with fixed
seeds, in sentences and in lines; further files are read for false alarms.
"""

from __future__ import annotations

import argparse
import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.quality.secret_places import (
    KEY_LINES,
    KEY_SENTENCES,
    KEYS,
    PASSWORD_LINES,
    PASSWORD_SENTENCES,
    PASSWORDS,
)
from benchmarks.report import Cell, Report, Table, now
from commonplace.capture.secrets import mask_secrets

_EACH = 25
_LEFT = 5
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SEEDS = {"tuned": 1, "held": 2}
_COLUMNS = (
    "generator",
    "told in a sentence",
    "least of a sentence",
    "in a line",
    "least of a line",
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks secrets")
    parser.add_argument("--half", choices=[*_SEEDS, "both"], default="both")
    parser.add_argument("--text", type=Path, nargs="*", default=())
    given = parser.parse_args(arguments)
    half = given.half
    halves = list(_SEEDS) if half == "both" else [half]
    started = now()
    tables = [_found(each) for each in halves]
    Report("secrets", (*tables, _alarms(given.text)), _NOTES).save(started)


_NOTES = (
    f"Shares of values masked whole, {_EACH} at each place; none with {_LEFT} letters left.",
    "Least: the share at the place where fewest are masked.",
    "False alarms: all masked stretches; examples of credentials in documentation are among them.",
)


def _found(half: str) -> Table:
    chance = random.Random(_SEEDS[half])
    kinds = (
        ("keys", KEYS, KEY_SENTENCES, KEY_LINES),
        ("passwords", PASSWORDS, PASSWORD_SENTENCES, PASSWORD_LINES),
    )
    rows: list[tuple[Cell, ...]] = []
    for kind, generators, *places in kinds:
        for name, generator in generators[half].items():
            values = [generator(chance) for _ in range(_EACH)]
            shares = [[_share(values, place) for place in some[half]] for some in places]
            cells = [cell for some in shares for cell in (sum(some) / len(some), min(some))]
            rows.append((f"{kind}: {name}", *cells))
    return Table(f"Masked, {half} half", _COLUMNS, tuple(rows), digits=2)


def _share(values: Sequence[str], place: str) -> float:
    return sum(_is_masked(value, place) for value in values) / len(values)


def _is_masked(value: str, place: str) -> bool:
    """Whether no five letters of it in a row are left."""
    left = mask_secrets(place.format(value)).text
    return not any(value[at : at + _LEFT] in left for at in range(len(value) - _LEFT + 1))


def _alarms(further: Sequence[Path]) -> Table:
    root = Path(__file__).parents[2]
    packages = Path(sysconfig.get_paths()["purelib"])
    texts = {
        "documentation of this repository": sorted(root.glob("docs/**/*.md")),
        "source of this repository": sorted(root.glob("src/**/*.py")),
        **{name: sorted((packages / name).rglob("*.py")) for name in ("httpx", "starlette", "mcp")},
        **{file.stem: [file] for file in further},
    }
    rows = tuple((name, *_alarmed(files)) for name, files in texts.items())
    columns = ("text", "sentences", "masked", "per thousand")
    return Table("False alarms", columns, rows, digits=3)


def _alarmed(files: Sequence[Path]) -> Iterator[Cell]:
    texts = [file.read_text(encoding="utf-8") for file in files]
    found = sum(secret.count for text in texts for secret in mask_secrets(text).found)
    sentences = sum(1 for text in texts for one in _SENTENCE.split(text) if one.strip())
    yield from (sentences, found, found * 1e3 / max(1, sentences))
