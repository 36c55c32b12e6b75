"""The attack set as contributions: texts from `attacks.toml`, put where each of them belongs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.errors import ContentRefused, InvalidArgument
from commonplace.registry.contribution import ready_skill, unit_warnings
from commonplace.surfaces.registry.units import checked_unit
from tests.unit.registry.samples import skill_text, trace

REFUSED, FLAGGED, ACCEPTED = "refused", "flagged", "accepted"
_FILE = Path(__file__).with_name("attacks.toml")


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    target: str
    text: str
    outcome: str


def attacks() -> Iterator[Attack]:
    for row in tomllib.loads(_FILE.read_text("utf-8"))["attack"]:
        yield Attack(f"{row['family']}.{row['name']}", row["target"], _text(row), row["outcome"])


def _text(row: dict[str, Any]) -> str:
    """Long texts are told as what is repeated."""
    text: str = row["text"]
    if "ladder" in row:
        return text + "".join(f"\n{'  ' * depth}k:" for depth in range(1, row["ladder"]))
    if "keys" in row:
        return "\n".join(f"key{number}: x" for number in range(row["keys"]))
    if "repeat" in row:
        return str(text + row["repeat"] * row["times"] + row.get("after", ""))
    return text * int(row.get("times", 1))


def outcome(attack: Attack) -> str:
    """What becomes of it."""
    try:
        warnings = _attempt(attack)
    except (ContentRefused, InvalidArgument):
        return REFUSED
    return FLAGGED if warnings else ACCEPTED


def _attempt(attack: Attack) -> tuple[str, ...]:
    match attack.target:
        case "unit":
            return unit_warnings(checked_unit(trace(objective=attack.text)))
        case "deep-unit":
            return unit_warnings(checked_unit(trace(extra=_nested(200))))
        case "body":
            return ready_skill(skill_text(body=attack.text)).warnings
        case "description":
            return ready_skill(skill_text(description=attack.text)).warnings
        case _:
            return ready_skill(skill_text(front_matter=attack.text)).warnings


def _nested(depth: int) -> dict[str, Any]:
    return {"deeper": _nested(depth - 1)} if depth else {}
