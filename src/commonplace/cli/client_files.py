"""Clients' files on this machine: finds, reads and writes them, keeping a backup."""

from __future__ import annotations

import os
import platform
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path

from commonplace.clients.catalog import CLIENTS, Client, roots
from commonplace.errors import ClientFileRefused

_BYTE_ORDER_MARK = "\ufeff"
_CONTEXT = 2
_LONGEST_LINE = 160
_LONGEST_CHANGE = 1000
# Characters that are shown on either side of what changes in a long line.
_AROUND = 40


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after a change; empty means that the file does not exist."""

    path: Path
    before: str
    after: str

    @property
    def is_change(self) -> bool:
        return self.before != self.after

    def diff(self) -> Iterator[str]:
        """The changed lines in the format of `diff -u`; long lines are cut to what changes."""
        name = shown_path(self.path)
        lines = [*self._lines(name), ""]
        for before, line, after in zip(["", *lines], lines, lines[1:], strict=False):
            yield _cut(line, after if line.startswith("-") else before)

    def _lines(self, name: str) -> Iterator[str]:
        return unified_diff(
            self.before.splitlines(),
            self.after.splitlines(),
            name if self.before else "(no file)",
            name if self.after.strip() else "(no file)",
            n=_CONTEXT,
            lineterm="",
        )


def _shared(one: str, other: str) -> int:
    """How many characters two texts share at their beginnings."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _cut(line: str, other: str) -> str:
    """A line of a diff; a long one is cut to where it differs from the line beside it."""
    if len(line) <= _LONGEST_LINE:
        return line
    first, last = 1, 1 + _LONGEST_LINE
    if {line[0], other[:1]} == {"-", "+"}:
        start = 1 + _shared(line[1:], other[1:])
        end = len(line) - _shared(line[start:][::-1], other[start:][::-1])
        first, last = max(1, start - _AROUND), end + _AROUND
    last = min(last, first + _LONGEST_CHANGE)
    return line[0] + "…" * (first > 1) + line[first:last] + "…" * (last < len(line))


@dataclass(frozen=True, slots=True)
class Machine:
    """Where the clients of this account keep their files."""

    folders: Mapping[str, str]

    @classmethod
    def here(cls) -> Machine:
        return cls(roots(str(Path.home()), platform.system().lower(), os.environ))

    def path(self, pattern: str) -> Path:
        return Path(pattern.format(**self.folders))

    def configuration(self, client: Client) -> Path:
        """The configuration file of a client: the existing one, else the one to create."""
        paths = [self.path(pattern) for pattern in client.files]
        return next((path for path in paths if path.exists()), paths[-1])

    def has(self, client: Client) -> bool:
        if any(shutil.which(program) for program in client.programs):
            return True
        return any(self.path(mark).exists() for mark in client.marks)

    def clients(self) -> list[Client]:
        return [client for client in CLIENTS.values() if self.has(client)]

    def found(self, pattern: str) -> list[Path]:
        """The files that match a pattern; for a folder, the Markdown files in it."""
        whole = pattern.format(**self.folders)
        return sorted(
            file
            for path in Path("/").glob(whole.lstrip("/"))
            for file in ([path] if path.is_file() else sorted(path.rglob("*.md*")))
            if file.is_file()
        )


def read_text(path: Path) -> str:
    """The text of a file; empty if it does not exist. A pipe or a device may never end."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ClientFileRefused("it is not a file")
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise ClientFileRefused("it is not UTF-8 text") from None
    except OSError as error:
        raise ClientFileRefused(f"it cannot be read: {_reason(error)}") from None


def without_mark(text: str) -> tuple[str, str]:
    """The byte order mark at the beginning of a text, if any, and the rest."""
    has_mark = text.startswith(_BYTE_ORDER_MARK)
    return (_BYTE_ORDER_MARK, text[1:]) if has_mark else ("", text)


def write(change: FileChange) -> Path | None:
    """Write a file atomically; returns the path of the backup of its old content, if any."""
    target = Path(os.path.realpath(change.path))
    if read_text(target) != change.before:
        raise ClientFileRefused("it was changed in the meantime, so nothing was written to it")
    try:
        if not change.after.strip():
            # It held nothing but ours, of which nobody needs a copy.
            target.unlink(missing_ok=True)
            return None
        backup = _backup(target) if target.exists() else None
        _replace(target, change.after)
    except OSError as error:
        raise ClientFileRefused(f"it cannot be written: {_reason(error)}") from None
    return backup


def shown_path(path: Path) -> str:
    home = str(Path.home())
    return f"~{str(path)[len(home) :]}" if str(path).startswith(f"{home}/") else str(path)


def _backup(target: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    backup = target.with_name(f"{target.name}.{stamp}.bak")
    shutil.copy2(target, backup)
    return backup


def _replace(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()
