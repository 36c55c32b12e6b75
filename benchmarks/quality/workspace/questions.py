"""Questions of developers about projects, with the files that answer them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

OWN = "commonplace"
ASKED = "questions.toml"
TUNING = "tuning.toml"
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Attached:
    """A folder below the root of its project."""

    folder: str
    type: str


@dataclass(frozen=True, slots=True)
class Repository:
    """`address` and `commit` are empty for this project itself, which is read as it stands."""

    name: str
    sources: tuple[Attached, ...]
    address: str = ""
    commit: str = ""

    def root(self, data: Path) -> Path:
        return _HERE.parents[2] if self.name == OWN else data / "src" / self.name


@dataclass(frozen=True, slots=True)
class Question:
    """What is `held` back was not looked at while anything was chosen.

    `later` are those that were written when the first had been measured.
    """

    project: str
    text: str
    files: frozenset[str]
    held: bool
    later: bool


def load(file: str = ASKED) -> tuple[dict[str, Repository], list[Question]]:
    read = tomllib.loads((_HERE / file).read_text(encoding="utf-8"))
    repositories = {
        name: Repository(
            name,
            tuple(Attached(**source) for source in row["sources"]),
            row.get("repository", ""),
            row.get("commit", ""),
        )
        for name, row in read["projects"].items()
    }
    questions = [
        Question(
            row["project"],
            row["text"],
            frozenset(row["files"]),
            row.get("held", False),
            row.get("later", False),
        )
        for row in read["question"]
    ]
    return repositories, questions
