"""The labelled texts and threads: what is worth keeping, of which type, in which half it stands.

Texts of our own are in `texts.jsonl` and `more.jsonl`, threads in `threads.txt`. Of public texts
only the labels are kept (`public.jsonl`); the words come from clones.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.analysis.likelihood import TextForm

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
TUNE, HELD = "tune", "held"
OWN = "own"
_TALK = frozenset({OWN, "conversation"})
_COMMIT = frozenset({"commit", "pull request"})
_FOLDER = Path(__file__).parent
_TRAILERS = re.compile(
    r"^(?:Signed-off-by|Co-authored-by|Reviewed-by|Change-Id|Closes|Refs|Cc|Acked-by)\b.*$",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"^\s*(?://+!?|#)\s?")
_HIDDEN = re.compile(r"<!--.*?-->", re.DOTALL)
_THREAD = re.compile(r"^# \d+\n", re.MULTILINE)
_MARK = re.compile(r"<<([a-z]) (.*?)>>")
_LETTERS = {
    "s": ("solution", None),
    "t": ("troubleshooting", None),
    "g": ("gotcha", None),
    "p": ("pattern", None),
    "d": ("pattern", "decision"),
    "c": ("pattern", "convention"),
    "w": ("win", None),
    "q": ("troubleshooting", "question"),
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A moment has a type; what is none has a kind, where it was told apart.

    `about` says of a moment whether it is a decision, a convention or an open question.
    """

    text: str
    moment: bool
    half: str
    type: str | None = None
    kind: str | None = None
    about: str | None = None
    form: str = OWN

    @property
    def text_form(self) -> TextForm:
        """What the product is told of such a text, by whoever hands it over."""
        if self.form in _TALK:
            return TextForm.TALK
        return TextForm.COMMIT if self.form in _COMMIT else TextForm.DOCUMENT


@dataclass(frozen=True, slots=True)
class Told:
    """A moment of a thread, in the words that carry it."""

    text: str
    type: str
    about: str | None


@dataclass(frozen=True, slots=True)
class Thread:
    text: str
    half: str
    moments: tuple[Told, ...]


def cue_texts() -> list[Labelled]:
    """The first texts; the weights of the cues are fitted to one half of them."""
    return [_labelled(row) for row in rows("texts")]


def texts() -> list[Labelled]:
    return [*cue_texts(), *(_labelled(row) for row in rows("more"))]


def _labelled(row: dict[str, Any]) -> Labelled:
    return Labelled(
        row["text"],
        row["moment"],
        row["half"],
        row.get("type"),
        row.get("kind"),
        row.get("about"),
    )


def public(clones: Path, halves: Collection[str] = (TUNE, HELD)) -> list[Labelled]:
    """The labelled texts of others, each read from the bare clone `clones/OWNER+NAME`."""
    return [
        Labelled(
            _words(clones, row),
            row["moment"],
            row["half"],
            row.get("type"),
            about=row.get("about"),
            form=row["form"],
        )
        for row in rows("public")
        if row["half"] in halves
    ]


def threads() -> list[Thread]:
    """Every second one is held back."""
    told = _THREAD.split((_FOLDER / "threads.txt").read_text(encoding="utf-8"))[1:]
    return [
        Thread(
            text=_MARK.sub(r"\2", text).strip(),
            half=TUNE if number % 2 else HELD,
            moments=tuple(Told(said, *_LETTERS[letter]) for letter, said in _MARK.findall(text)),
        )
        for number, text in enumerate(told)
    ]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def rows(name: str) -> Iterator[dict[str, Any]]:
    for line in (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _words(clones: Path, row: dict[str, Any]) -> str:
    if "path" not in row:
        message = _git(clones, row, "show", "--no-patch", "--format=%B", row["commit"])
        told = _HIDDEN.sub("", _TRAILERS.sub("", message))
        return re.sub(r"\n{3,}", "\n\n", told).strip()
    first, last = row["lines"]
    lines = _git(clones, row, "show", f"{row['commit']}:{row['path']}").split("\n")[
        first - 1 : last
    ]
    if row["form"] == "comment":
        lines = [_COMMENT.sub("", line) for line in lines]
    return "\n".join(lines).strip()


def _git(clones: Path, row: dict[str, Any], *words: str) -> str:
    clone = clones / row["repository"].replace("/", "+")
    command = ["git", "-C", str(clone), *words]
    done = subprocess.run(command, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")
