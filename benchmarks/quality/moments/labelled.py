"""The labelled texts: what is worth keeping, of which type, and in which half a text stands.

Texts are in `texts.jsonl`. Of public commit messages only the labels are kept (`commits.jsonl`);
the messages come from clones.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TYPES = ("solution", "pattern", "gotcha", "win", "troubleshooting")
KINDS = (
    "plan",
    "question",
    "status",
    "talk",
    "negated",
    "error",
    "doc",
    "nit",
    "trigger",
    "commit",
    "remark",
    "plain",
)
TUNE, HELD, COMMITS = "tune", "held", "commits"
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Labelled:
    """A moment has a type; what is none has a kind, where it was told apart."""

    text: str
    moment: bool
    half: str
    type: str | None = None
    kind: str | None = None


def texts() -> list[Labelled]:
    return [
        Labelled(row["text"], row["moment"], row["half"], row.get("type"), row.get("kind"))
        for row in rows("texts")
    ]


def commits(clones: Path) -> list[Labelled]:
    """The labelled messages, each read from the bare clone `clones/NAME` of its repository."""
    return [
        Labelled(_message(clones, row), row["moment"], COMMITS, row.get("type"))
        for row in rows("commits")
    ]


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _message(clones: Path, row: dict[str, Any]) -> str:
    clone = clones / row["repository"].rpartition("/")[2]
    command = ["git", "-C", str(clone), "show", "--no-patch", "--format=%B", row["commit"]]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
