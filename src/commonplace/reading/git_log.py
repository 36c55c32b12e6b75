"""What git's history says of files: git reads a repository's objects, and none of its settings.

Its repository is a folder of our own, so no program that the real one configures is ever known.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from posixpath import normpath
from secrets import token_hex
from tempfile import TemporaryDirectory
from threading import Timer

from commonplace.errors import SourceUnreadable
from commonplace.model.commits import Commit
from commonplace.reading.small_files import bytes_of, text_of

_SECONDS = 20
_MOST_BYTES = 8_000_000
_LARGEST_FILE = 1_500_000
_MOST_MEMORY = 1 << 30
_MOST_OBJECT_FILES = 200_000
_LONGEST_LINE = 300
_DEEPEST = 2  # objects/info/commit-graphs
_ID = re.compile(r"[0-9a-f]{40}")
_REF = re.compile(r"refs/(?!.*\.\.)[\w./+@-]+")
_NOBODY = "0" * 40
_TREE = "tree"
# Nobody who writes a message can know them: it would tell of commits that are none.
_FIELD, _RECORD = token_hex(16), token_hex(16)
_OWN_CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tquotePath = false\n"
_WHOLE = f"--format=%H{_FIELD}%B{_RECORD}"
_FORMAT = f"--format={_RECORD}%H{_FIELD}%an{_FIELD}%at{_FIELD}%s{_FIELD}"


class GitLog:
    """Implements port.CommitLog and port.CommitMessages.

    `allowed` are the folders below which anything is read at all.
    """

    def __init__(self, allowed: Sequence[str] | None = None) -> None:
        self._allowed = allowed

    def last_changes(self, folder: str, path: str, first: int, last: int) -> list[Commit]:
        with self._repository(folder) as git:
            inner = git.inside(path)
            content = bytes_of(Path(folder) / path, _LARGEST_FILE)
            lines = ("-L", f"{first},{last}")
            told = git.run(
                "blame", "--line-porcelain", "--contents", "-", *lines, "--", inner,
                given=content,
            )  # fmt: skip
        return _blamed(told)

    def changes(self, folder: str, path: str, since: str, most: int) -> list[Commit]:
        with self._repository(folder) as git:
            recent = [f"--since={since}"] if since else []
            return _logged(
                git.run(
                    "log", f"--max-count={most}", "--name-only", "--full-diff", "--no-renames",
                    "--no-show-signature",
                    "--no-notes", "--no-mailmap", _FORMAT, *recent, "--",
                    git.inside(path),
                )
            )  # fmt: skip

    def top(self, folder: str) -> str:
        return str(_found(Path(folder))[0])

    def messages(self, folder: str, after: str, most: int) -> list[tuple[str, str]]:
        with self._repository(folder) as git:
            reach = f"{after}..HEAD" if git.has(after) else "HEAD"
            told = git.run(
                "log", "--no-merges", f"--max-count={most}", "--no-show-signature", "--no-notes",
                _WHOLE, reach,
            )  # fmt: skip
        rows = [row.strip().partition(_FIELD) for row in told.split(_RECORD) if row.strip()]
        return [(commit, message.strip()) for commit, _, message in reversed(rows)]

    @contextmanager
    def _repository(self, folder: str) -> Iterator[_CleanGit]:
        program = shutil.which("git")
        if program is None:
            raise SourceUnreadable("git is not installed here, so no history can be read.")
        top, kept = _found(Path(folder))
        common = _common(kept)
        self._check(common)
        head = _head(kept, common)
        with TemporaryDirectory() as own:
            _furnish(Path(own), common, head)
            inner = Path(folder).resolve().relative_to(top).as_posix()
            yield _CleanGit(program, own, str(common / "objects"), inner)

    def _check(self, common: Path) -> None:
        """Objects lie in the repository, and it where this server may read."""
        objects = common / "objects"
        if not objects.is_dir() or objects.is_symlink() or _leads_away(objects):
            raise SourceUnreadable("That repository keeps its objects elsewhere.")
        if _is_written(objects / "info" / "alternates"):
            raise SourceUnreadable("That repository borrows objects from another one.")
        inside = self._allowed is None or any(
            common.as_posix().startswith(f"{root.rstrip('/')}/") for root in self._allowed
        )
        if not inside:
            raise SourceUnreadable("The repository lies outside of what this server may read.")


@dataclass(frozen=True, slots=True)
class _CleanGit:
    """Git on objects alone; `inner` is where the folder lies in the repository."""

    program: str
    own: str
    objects: str
    inner: str

    def inside(self, path: str) -> str:
        asked = normpath(path.strip("/") or ".")
        if asked.split("/")[0] == "..":
            raise SourceUnreadable("That lies outside of the folder.")
        return normpath(f"{self.inner}/{asked}")

    def has(self, commit: str) -> bool:
        if not _ID.fullmatch(commit):
            return False
        try:
            self.run("cat-file", "-e", f"{commit}^{{commit}}")
        except SourceUnreadable:
            return False
        return True

    def run(self, *words: str, given: bytes = b"") -> str:
        # A path means what it says, whatever signs are in it.
        command = [self.program, "--no-pager", "--literal-pathspecs", *words]
        environment = {
            "PATH": os.defpath, "HOME": self.own, "LC_ALL": "C",
            "GIT_DIR": self.own, "GIT_WORK_TREE": f"{self.own}/{_TREE}",
            "GIT_OBJECT_DIRECTORY": self.objects, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0",
            "GIT_NO_LAZY_FETCH": "1", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_TERMINAL_PROMPT": "0",
        }  # fmt: skip
        content = Path(self.own) / "given"
        content.write_bytes(given)
        try:
            with (
                content.open("rb") as source,
                subprocess.Popen(  # noqa: S603 - no shell, and the program is git itself
                    command, env=environment, cwd=f"{self.own}/{_TREE}", stdin=source,
                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                ) as git,
            ):  # fmt: skip
                return _told_by(git).decode("utf-8", "replace")
        except (OSError, ValueError):
            raise SourceUnreadable("Git cannot be asked about that here.") from None


def _told_by(git: subprocess.Popen[bytes]) -> bytes:
    """What git says, up to a limit: a few trees can name more files than fit anywhere."""
    assert git.stdout is not None, "asked for when it was started"
    _limit_memory(git.pid)
    patience = Timer(_SECONDS, git.kill)
    patience.start()
    try:
        told = git.stdout.read(_MOST_BYTES)
        if git.stdout.read(1):
            return told
        failed = git.wait()
    finally:
        in_time = patience.is_alive()
        patience.cancel()
        git.kill()
    if not in_time:
        raise SourceUnreadable("Its history takes too long to read.")
    if failed:
        raise SourceUnreadable("Git knows nothing of that file, or too much.")
    return told


def _limit_memory(process: int) -> None:
    """What git makes of objects; packs, which it maps, do not count."""
    if sys.platform == "linux":
        import resource

        resource.prlimit(process, resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))


def _found(folder: Path) -> tuple[Path, Path]:
    """The top of the working tree, and the folder that git keeps for it."""
    real = folder.resolve()
    for top in (real, *real.parents):
        git = top / ".git"
        if git.is_symlink():
            break
        if git.is_dir():
            return top, git
        if git.is_file():
            kept = (top / text_of(git).removeprefix("gitdir:").strip()).resolve()
            # A work tree that the repository knows, too; a file alone may name anybody's.
            if text_of(kept / "gitdir").strip() == str(git):
                return top, kept
            break
    raise SourceUnreadable("The folder is in no git repository that can be read.")


def _common(kept: Path) -> Path:
    """The repository that a work tree belongs to; any other one that it names is not its own."""
    named = text_of(kept / "commondir").strip()
    common = (kept / named).resolve()
    if named and common != kept.resolve().parent.parent:
        raise SourceUnreadable("That repository keeps its objects elsewhere.")
    return common


def _head(kept: Path, common: Path) -> str:
    named = text_of(kept / "HEAD").strip()
    reference = named.removeprefix("ref:").strip()
    if reference != named and _REF.fullmatch(reference):
        loose = (text_of(place / reference).strip() for place in (kept, common))
        packed = (
            line.split()[0]
            for line in bytes_of(common / "packed-refs", _MOST_BYTES)
            .decode(errors="replace")
            .splitlines()
            if line.endswith(f" {reference}")
        )
        named = next((each for each in (*loose, *packed) if each), "")
    if not _ID.fullmatch(named):
        raise SourceUnreadable("The repository has no commit yet, or none that can be read.")
    return named


def _furnish(own: Path, common: Path, head: str) -> None:
    """A repository of our own: nothing but what git needs to call it one."""
    (own / "refs").mkdir()
    (own / "objects").mkdir()
    (own / _TREE).mkdir()
    (own / "HEAD").write_text(f"{head}\n")
    (own / "config").write_text(_OWN_CONFIGURATION)
    shallow = [line for line in text_of(common / "shallow").split() if _ID.fullmatch(line)]
    if shallow:
        (own / "shallow").write_text("\n".join(shallow) + "\n")


def _leads_away(objects: Path) -> bool:
    """Whether anything that git reads is a link, or there is too much to look at all of it."""
    seen = 0
    for folder, folders, files in os.walk(objects):
        names = (*folders, *files)
        seen += len(names)
        if seen > _MOST_OBJECT_FILES or any(Path(folder, name).is_symlink() for name in names):
            return True
        if len(Path(folder).relative_to(objects).parts) >= _DEEPEST:
            folders.clear()
    return False


def _is_written(file: Path) -> bool:
    try:
        return file.stat().st_size > 0 or not file.is_file()
    except OSError:
        return False


def _blamed(told: str) -> list[Commit]:
    """Commits by the lines that they wrote last, the newest first."""
    found: dict[str, Commit] = {}
    current = Commit("")
    for line in told.split("\n"):
        word, _, rest = line.partition(" ")
        if _ID.fullmatch(word):
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


def _logged(told: str) -> list[Commit]:
    commits = []
    for record in told.split(_RECORD)[1:]:
        id, author, at, subject, files = (*record.split(_FIELD), "", "", "", "")[:5]
        touched = tuple(line for line in files.split("\n") if line)
        commits.append(Commit(id, _short(author), _moment(at), _short(subject), files=touched))
    return commits


def _short(line: str) -> str:
    """A line that somebody may have written without an end, for readers who pay by the word."""
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


def _moment(seconds: str) -> datetime | None:
    """None where the author has written a year that no calendar has."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
