"""Capture from transcripts and git history, each part once.

The home folder remembers how many turns of a file were read, and the last commit of a repository.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import click

from commonplace.bootstrap import build_commit_messages
from commonplace.capture.finding import CaptureRequest
from commonplace.capture.report import CaptureReport
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.clients.transcripts import project_of, turns_of
from commonplace.errors import InvalidArgument, SourceUnreadable
from commonplace.model.actor import Actor
from commonplace.text.gate import storable
from commonplace.text.plural import plural

LARGEST_TRANSCRIPT = 64_000_000
MOST_COMMITS = 1000
_REMEMBERED = "captured.json"
_PORTION = 100_000
_MOST_SAVED = 10
_LEAST_MESSAGE = 50


@dataclass(slots=True)
class TakenSource:
    """The result of reading one file or history."""

    source: str
    turns: int = 0
    # What is read: a turn of a transcript, or a commit.
    unit: str = "turn"
    flagged: list[str] = field(default_factory=list)
    known: int = 0
    secrets: int = 0
    # Whether it has any turn or commit, new or not.
    readable: bool = True

    def add(self, report: CaptureReport) -> None:
        self.flagged += [one.id for one in report.flagged]
        self.known += len(report.skipped)
        self.secrets += sum(secret.count for secret in report.secrets)

    @property
    def document(self) -> dict[str, Any]:
        return {
            "source": self.source,
            "turns": self.turns,
            "flagged": self.flagged,
            "known": self.known,
            "secrets": self.secrets,
        }

    @property
    def line(self) -> str:
        if not self.readable:
            return f"{self.source}: no conversation was found in it"
        if not self.turns:
            return f"{self.source}: nothing new"
        masked = plural(self.secrets, "secret masked", "secrets masked")
        told = [
            plural(self.turns, f"new {self.unit}", f"new {self.unit}s"),
            plural(len(self.flagged), "moment waits for review", "moments wait for review"),
            f"{self.known} known",
            *([masked] if self.secrets else []),
        ]
        return f"{self.source}: {', '.join(told)}"


@click.command("capture", cls=Command)
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--git",
    "history",
    type=click.Path(path_type=Path),
    help="Also read the history of this repository.",
)
@click.option("--commits", type=click.IntRange(1, MOST_COMMITS), default=200, show_default=True)
@click.option("--again", is_flag=True, help="Read again what was read before.")
@json_option
def capture_command(
    files: tuple[Path, ...], history: Path | None, commits: int, again: bool, as_json: bool
) -> None:
    """Find moments in transcripts of clients, notes or git history; they wait for review.

    Each part is read once: of a file that has grown, only what is new.
    """
    if not files and history is None:
        raise InvalidArgument("Name a file, or a repository with --git.", field="files")
    with command_session() as session:
        home = session.application.settings.home
        taking = Taking(session.application, session.actor, home, again=again)
        taken = [taking.transcript(path) for path in files]
        if history is not None:
            taken.append(taking.history(history, commits))
    document = {"taken": [one.document for one in taken]}
    emit(document, "\n".join(one.line for one in taken), as_json=as_json)


class Taking:
    """Hands new turns to auto_capture, and remembers that they were read."""

    def __init__(self, application: Any, actor: Actor, home: Path, *, again: bool = False) -> None:
        self._application = application
        self._actor = actor
        self._file = home / _REMEMBERED
        self._again = again

    def transcript(self, path: Path, project: str | None = None) -> TakenSource:
        text = _read(path)
        turns = [storable(turn) for turn in turns_of(text)]
        project = project or project_of(text)
        key = str(path.resolve())
        before = {} if self._again else self._remembered().get(key, {})
        count = int(before.get("turns", 0))
        begun = before.get("digest") == _digest(turns[:count]) and count <= len(turns)
        fresh = turns[count:] if begun else turns
        taken = TakenSource(str(path), len(fresh), readable=bool(turns))
        for portion in _portions(fresh):
            self._take(portion, project, taken)
        self._remember(key, {"turns": len(turns), "digest": _digest(turns)})
        return taken

    def history(self, folder: Path, most: int) -> TakenSource:
        """Read commit messages, the oldest first, from the last commit that was read."""
        root, messages = self._said(folder, most)
        taken = TakenSource(str(root), len(messages), "commit")
        for _, message in messages:
            if len(message) >= _LEAST_MESSAGE:
                self._take(message, root.name, taken, commit=True)
        if messages:
            self._remember(_history_key(root), {"commit": messages[-1][0]})
        return taken

    def _said(self, folder: Path, most: int) -> tuple[Path, list[tuple[str, str]]]:
        """The repository's folder, and the messages that were not read before."""
        log = build_commit_messages()
        try:
            root = Path(log.top(str(folder)))
            before = {} if self._again else self._remembered().get(_history_key(root), {})
            return root, log.messages(str(root), str(before.get("commit", "")), most)
        except SourceUnreadable as error:
            raise InvalidArgument(error.message, field="git") from None

    def _take(
        self, text: str, project: str | None, taken: TakenSource, *, commit: bool = False
    ) -> None:
        request = CaptureRequest.proposing(text, _MOST_SAVED, project, commit=commit)
        taken.add(self._application.capture.auto_capture(self._actor, request))

    def _remembered(self) -> dict[str, Any]:
        """An unreadable file counts as empty: auto_capture recognises what it has seen."""
        try:
            known = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _remember(self, key: str, what: dict[str, Any]) -> None:
        known = self._remembered() | {key: what}
        beside = self._file.with_suffix(f".{os.getpid()}.new")
        beside.write_text(json.dumps(known, indent=1), encoding="utf-8")
        beside.replace(self._file)


def _history_key(root: Path) -> str:
    return f"git:{root}"


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            # Read rather than measured: a device or a pipe does not say how much it gives.
            data = file.read(LARGEST_TRANSCRIPT + 1)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"{path.name} cannot be read: {reason}.", field="files") from None
    if len(data) > LARGEST_TRANSCRIPT:
        raise InvalidArgument(f"{path.name} is larger than 64 MB.", field="files")
    return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


def _portions(turns: Sequence[str]) -> Iterator[str]:
    """Turns joined up to the size of one call."""
    some: list[str] = []
    for turn in turns:
        if some and sum(map(len, some)) + len(turn) > _PORTION:
            yield "\n\n".join(some)
            some = []
        some.append(turn)
    if some:
        yield "\n\n".join(some)


def _digest(turns: Sequence[str]) -> str:
    return blake2b("\x00".join(turns).encode("utf-8", "replace"), digest_size=16).hexdigest()
