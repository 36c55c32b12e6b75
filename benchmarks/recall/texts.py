"""Real texts out of git directories on this machine, as things to store; nothing is shipped.

A mirror folder holds `owner+name/repo` git directories. Only what is read is decided here.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonplace.model.entry import EntryKind

_QA = re.compile(
    r"^(?:\d+\. )?### (?P<question>.+?)\n(?P<answer>.*?)(?=\n\s*\*\*\[⬆)", re.MULTILINE | re.DOTALL
)
_FENCE = re.compile(r"^(?:---\n.*?\n---\n)", re.DOTALL)
_SHORTEST = 120
_LONGEST = 6_000
LONGEST_TITLE = 100


@dataclass(frozen=True, slots=True)
class Thing:
    """Something to store as an entry; `asked` is the question that its author answers with it."""

    id: str
    kind: EntryKind
    title: str
    body: str
    asked: str = ""
    tags: tuple[str, ...] = ()
    minute: int = 0
    agent: str = "bench"


@dataclass(frozen=True, slots=True)
class Mirrors:
    folder: Path

    def git(self, repository: str, *arguments: str) -> str:
        directory = self.folder / repository.replace("/", "+") / "repo"
        command = ["git", "-C", str(directory), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def file(self, repository: str, path: str) -> str:
        return self.git(repository, "show", f"HEAD:{path}")

    def checkout(self, repository: str, commit: str, into: Path) -> None:
        """The files of a commit, without its history."""
        if into.exists():
            return
        directory = self.folder / repository.replace("/", "+") / "repo"
        command = ["git", "-C", str(directory), "archive", commit]
        packed = subprocess.run(command, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(into, filter="data")

    def paths(self, repository: str, pattern: str) -> list[str]:
        listed = self.git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
        return [path for path in listed if re.fullmatch(pattern, path)]


def answers(mirrors: Mirrors, repository: str, kind: EntryKind, name: str) -> list[Thing]:
    """What interview collections answer: the answer is stored, the question asked."""
    things: dict[str, Thing] = {}
    for number, found in enumerate(_QA.finditer(mirrors.file(repository, "README.md"))):
        body, asked = found["answer"].strip(), found["question"].strip()
        if _SHORTEST <= len(body) <= _LONGEST and asked not in things:
            things[asked] = Thing(f"{name}-{number}", kind, _title(body), body, asked)
    return list(things.values())


def commits(mirrors: Mirrors, repository: str, most: int, longest: int = 700) -> list[Thing]:
    """Messages of commits as what a project has learned."""
    log = mirrors.git(repository, "log", "--no-merges", "--format=%h%x00%s%x00%b%x01")
    name = repository.partition("/")[2]
    things = []
    for record in log.split("\x01"):
        digest, _, rest = record.strip().partition("\0")
        subject, _, body = rest.partition("\0")
        if len(subject) + len(body) >= _SHORTEST // 2:
            text = f"{subject}\n\n{body}".strip()[:longest]
            things.append(Thing(f"{name}-{digest}", EntryKind.ITEM, subject[:LONGEST_TITLE], text))
        if len(things) == most:
            break
    return things


def procedures(mirrors: Mirrors, most: int) -> list[Thing]:
    """Pages of tldr: how a command is used."""
    paths = mirrors.paths("tldr-pages/tldr", r"pages/common/[a-z0-9.-]+\.md")
    step = max(1, len(paths) // most)
    return [
        Thing(f"tldr-{Path(path).stem}", EntryKind.UNIT, Path(path).stem, text)
        for path in paths[::step][:most]
        if len(text := mirrors.file("tldr-pages/tldr", path)) >= _SHORTEST
    ]


def skills(mirrors: Mirrors) -> list[Thing]:
    things: list[Thing] = []
    for repository in ("anthropics/skills", "wshobson/agents", "getsentry/skills"):
        for path in mirrors.paths(repository, r".*/SKILL\.md"):
            text = mirrors.file(repository, path)
            name = Path(path).parent.name
            body = _FENCE.sub("", text).strip()[:_LONGEST]
            id = f"kp:skill:{repository.partition('/')[0]}-{len(things)}"
            things.append(Thing(id, EntryKind.SKILL, name, body or text))
    return things


def explained(mirrors: Mirrors, repository: str, most: int) -> list[Thing]:
    """Commits whose message explains at length: the body is stored, the subject asked."""
    things = []
    for one in commits(mirrors, repository, 100_000, _LONGEST):
        subject, _, body = one.body.partition("\n\n")
        if len(body) >= 3 * _SHORTEST and "Signed-off" not in subject and len(subject) > 25:
            name = f"explained-{one.id}"
            things.append(Thing(name, EntryKind.ITEM, _title(body), body, subject))
        if len(things) == most:
            break
    return things


def abstracts(folder: Path, most: int) -> list[Thing]:
    """SciFact's abstracts, those first that answer a claim; the claim is what is asked."""
    texts = {row["id"]: row["text"] for row in _rows(folder / "documents.jsonl")}
    claims = {row["id"]: row["text"] for row in _rows(folder / "queries.jsonl")}
    asked: dict[str, str] = {}
    for row in _rows(folder / "judgments.jsonl"):
        asked.setdefault(row["document"], claims[row["query"]])
    ordered = [*asked, *(id for id in texts if id not in asked)][:most]
    return [
        Thing(f"scifact-{id}", EntryKind.PAGE, _title(texts[id]), texts[id], asked.get(id, ""))
        for id in ordered
    ]


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass(frozen=True, slots=True)
class Talk:
    """The turns of a long conversation in order, and questions with the turns that answer them."""

    turns: tuple[Thing, ...]
    questions: tuple[tuple[str, frozenset[str]], ...]


def talks(file: Path) -> list[Talk]:
    """LoCoMo's conversations; category 5 asks for what was never said, and is left out."""
    return [_talk(n, one) for n, one in enumerate(json.loads(file.read_text(encoding="utf-8")))]


def _talk(number: int, one: dict[str, Any]) -> Talk:
    turns = list(_turns(number, one["conversation"]))
    known = {turn.id for turn in turns}
    questions = []
    for row in one["qa"]:
        right = frozenset(f"talk{number}-{id}" for id in row.get("evidence", ())) & known
        if right and row["category"] != 5:
            questions.append((row["question"], right))
    return Talk(tuple(turns), tuple(questions))


def _turns(number: int, conversation: dict[str, Any]) -> Iterator[Thing]:
    sessions = (key for key in conversation if re.fullmatch(r"session_\d+", key))
    minute = 0
    for session in sorted(sessions, key=lambda key: int(key.rpartition("_")[2])):
        minute += 10_000
        said = conversation[f"{session}_date_time"]
        for turn in conversation[session]:
            minute += 1
            text = f"{turn['speaker']}: {turn['text']}"
            title = f"{turn['speaker']}, {said}"
            if caption := turn.get("blip_caption"):
                text += f" [shares {caption}]"
            id = f"talk{number}-{turn['dia_id']}"
            yield Thing(id, EntryKind.NOTE, title, text, minute=minute, agent=f"talk{number}")


def _title(body: str) -> str:
    """As an agent in a hurry would write it: the first words."""
    return " ".join(re.sub(r"[*_`#]", "", body).split()[:6])
