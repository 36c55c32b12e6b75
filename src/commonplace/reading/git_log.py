"""Reads commit history through git, from a repository's objects only."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

from commonplace.errors import SourceUnreadable
from commonplace.model.commits import Commit
from commonplace.reading.git_objects import (
    COMMIT_ID,
    CleanGit,
    clean_git,
    found_repository,
    head_of,
)
from commonplace.reading.small_files import bytes_of

_LARGEST_FILE = 1_500_000
_LONGEST_LINE = 300
_NOBODY = "0" * 40
# Random, so that nobody can write a message that fakes further commits.
_FIELD, _RECORD = token_hex(16), token_hex(16)
_WHOLE = f"--format=%H{_FIELD}%B{_RECORD}"
_FORMAT = f"--format={_RECORD}%H{_FIELD}%an{_FIELD}%at{_FIELD}%s{_FIELD}"
_WHOLE_FORMAT = f"--format={_RECORD}%H{_FIELD}%an{_FIELD}%ct{_FIELD}%B{_FIELD}"
_PLAIN = ("--no-renames", "--no-show-signature", "--no-notes", "--no-mailmap")


class GitLog:
    """Implements port.CommitLog, port.CommitHistory and port.CommitMessages.

    `allowed` has the folders below which anything may be read.
    """

    def __init__(self, allowed: Sequence[str] | None = None) -> None:
        self._allowed = allowed

    def last_changes(self, folder: str, path: str, first: int, last: int) -> list[Commit]:
        with self._repository(folder) as git:
            inner = git.inside(path)
            content = bytes_of(Path(folder) / path, _LARGEST_FILE)
            lines = ("-L", f"{first},{last}")
            output = git.run(
                "blame", "--line-porcelain", "--contents", "-", *lines, "--", inner,
                given=content,
            )  # fmt: skip
        return _blamed(output)

    def changes(self, folder: str, path: str, since: str, most: int) -> list[Commit]:
        with self._repository(folder) as git:
            recent = git.since(since) if since else []
            return _logged(
                git.run(
                    "log", f"--max-count={most}", "--name-only", "--full-diff", *_PLAIN,
                    _FORMAT, *recent, "--", git.inside(path),
                )
            )  # fmt: skip

    def head(self, folder: str) -> str:
        if not Path(folder).is_dir():
            raise SourceUnreadable("The folder does not exist.")
        try:
            return head_of(folder)
        except SourceUnreadable:
            return ""

    def latest(self, folder: str, most: int) -> list[str]:
        with self._repository(folder) as git:
            output = git.run("log", f"--max-count={most}", "--no-merges", "--format=%H", *git.below)
        return output.split()

    def commits(self, folder: str, ids: Sequence[str]) -> list[Commit]:
        with self._repository(folder) as git:
            output = git.run(
                "log", "--no-walk=unsorted", "--stdin", "--name-only", *_PLAIN, _WHOLE_FORMAT,
                *git.below, given="".join(f"{id}\n" for id in ids).encode(),
            )  # fmt: skip
            within = "" if git.inner == "." else f"{git.inner}/"
        records = output.split(_RECORD)[1:]
        # The last record of a truncated answer is incomplete.
        whole = records if len(records) >= len(ids) else records[:-1] or records
        return [_commit_of(record, within) for record in whole]

    def top(self, folder: str) -> str:
        return str(found_repository(Path(folder))[0])

    def messages(self, folder: str, after: str, most: int) -> list[tuple[str, str]]:
        with self._repository(folder) as git:
            reach = f"{after}..HEAD" if git.has(after) else "HEAD"
            output = git.run(
                "log", "--no-merges", f"--max-count={most}", "--no-show-signature", "--no-notes",
                _WHOLE, reach,
            )  # fmt: skip
        rows = [row.strip().partition(_FIELD) for row in output.split(_RECORD) if row.strip()]
        return [(commit, message.strip()) for commit, _, message in reversed(rows)]

    def _repository(self, folder: str) -> AbstractContextManager[CleanGit]:
        return clean_git(folder, self._allowed)


def _blamed(output: str) -> list[Commit]:
    """The commits of a blame, newest first, with how many lines each wrote."""
    found: dict[str, Commit] = {}
    current = Commit("")
    for line in output.split("\n"):
        word, _, rest = line.partition(" ")
        if COMMIT_ID.fullmatch(word):
            current = found.get(word, Commit("" if word == _NOBODY else word))
        elif word == "author":
            current = replace(current, author=_short(rest))
        elif word == "author-time":
            current = replace(current, at=_moment(rest))
        elif word == "summary":
            current = replace(current, subject=_short(rest))
        elif line.startswith("\t"):
            key = current.id or _NOBODY
            found[key] = replace(current, lines=current.lines + 1)
    told_of = [replace(one, author="", subject="not committed yet") if not one.id else one
               for one in found.values()]  # fmt: skip
    return sorted(told_of, key=_newest, reverse=True)


def _newest(commit: Commit) -> tuple[bool, datetime]:
    return not commit.id, commit.at or datetime.min.replace(tzinfo=UTC)


def _logged(output: str) -> list[Commit]:
    commits = []
    for record in output.split(_RECORD)[1:]:
        id, author, at, subject, files = (*record.split(_FIELD), "", "", "", "")[:5]
        touched = tuple(line for line in files.split("\n") if line)
        commits.append(Commit(id, _short(author), _moment(at), _short(subject), files=touched))
    return commits


def _commit_of(record: str, within: str) -> Commit:
    id, author, at, message, files = (*record.split(_FIELD), "", "", "", "")[:5]
    touched = (line.removeprefix(within) for line in files.split("\n") if line.startswith(within))
    files_of_it = tuple(path for path in touched if path)
    message = message.strip()
    subject = _short(message.partition("\n")[0])
    return Commit(id, _short(author), _moment(at), subject, files=files_of_it, message=message)


def _short(line: str) -> str:
    """Shorten an overlong line, because readers pay per word."""
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def _moment(seconds: str) -> datetime | None:
    """The time; None if the author date is out of range."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
