"""Runs git on a repository's objects without its configuration, so nothing it configures is
executed.

Decides which repository a folder belongs to and what of it is trusted; callers parse the output.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from posixpath import normpath
from tempfile import TemporaryDirectory
from threading import Timer

from commonplace.errors import InvalidArgument, SourceUnreadable
from commonplace.reading.small_files import bytes_of, text_of
from commonplace.text.nearest import nearest

_SECONDS = 20
MOST_BYTES = 8_000_000
_MOST_MEMORY = 1 << 30
_MOST_OBJECT_FILES = 200_000
_MOST_TAGS = 5_000
_DEEPEST = 2  # objects/info/commit-graphs
COMMIT_ID = re.compile(r"[0-9a-f]{40}")
_BEGINNING = re.compile(r"[0-9a-f]{7,40}")
_FIRST_YEAR = 1970
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_REF = re.compile(r"refs/(?!.*\.\.)[\w./+@-]+")
_TAGS = "refs/tags/"
_TREE = "tree"
_OWN_CONFIGURATION = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tquotePath = false\n"


@contextmanager
def clean_git(folder: str, allowed: Sequence[str] | None) -> Iterator[CleanGit]:
    """Git restricted to objects; with `allowed`, the repository must be below one of those
    folders."""
    program = shutil.which("git")
    if program is None:
        raise SourceUnreadable("git is not installed here, so no history can be read.")
    top, kept = found_repository(Path(folder))
    common = _common(kept)
    _check(common, allowed)
    head = _head(kept, common)
    with TemporaryDirectory() as own:
        _create_repository(Path(own), common, head)
        inner = Path(folder).resolve().relative_to(top).as_posix()
        yield CleanGit(program, own, common, inner)


def head_of(folder: str) -> str:
    """The id of the checked-out commit, without running git."""
    kept = found_repository(Path(folder))[1]
    return _head(kept, _common(kept))


def _check(common: Path, allowed: Sequence[str] | None) -> None:
    """Require that the objects are inside the repository, and the repository where we may read."""
    objects = common / "objects"
    if not objects.is_dir() or objects.is_symlink() or _has_links(objects):
        raise SourceUnreadable("That repository keeps its objects elsewhere.")
    if _is_written(objects / "info" / "alternates"):
        raise SourceUnreadable("That repository borrows objects from another one.")
    inside = allowed is None or any(
        common.as_posix().startswith(f"{root.rstrip('/')}/") for root in allowed
    )
    if not inside:
        raise SourceUnreadable("The repository is outside the folders that this server may read.")


@dataclass(frozen=True, slots=True)
class CleanGit:
    """Git on objects only; `inner` is the folder's path in the repository, "." for its top."""

    program: str
    own: str
    common: Path
    inner: str

    @property
    def below(self) -> list[str]:
        """Restricts a log to the folder; empty at the top, where a restriction would lose
        commits."""
        return [] if self.inner == "." else ["--", self.inner]

    def inside(self, path: str) -> str:
        asked = normpath(path.strip("/") or ".")
        if asked.split("/")[0] == "..":
            raise SourceUnreadable("That path is outside the folder.")
        return normpath(f"{self.inner}/{asked}")

    def has(self, commit: str) -> bool:
        if not COMMIT_ID.fullmatch(commit):
            return False
        try:
            self.run("cat-file", "-e", f"{commit}^{{commit}}")
        except SourceUnreadable:
            return False
        return True

    def since(self, asked: str) -> list[str]:
        """Restricts a log to what is newer than a time, a tag or a commit."""
        if (moment := _moment(asked)) is not None:
            # Git silently ignores years before its epoch.
            return [f"--since={moment:%Y-%m-%dT%H:%M:%S%z}"] if moment.year > _FIRST_YEAR else []
        tags = _tags(self.common)
        tagged = (tags.get(name, "") for name in (asked, f"v{asked}", asked.removeprefix("v")))
        version = next(filter(None, tagged), asked if _BEGINNING.fullmatch(asked) else "")
        try:
            commit = self.run("rev-parse", "--verify", f"{version}^{{commit}}") if version else ""
        except SourceUnreadable:
            commit = ""
        if not commit:
            # Other tag names may be arbitrary text and are never shown.
            plain = [name for name in tags if _REF.fullmatch(_TAGS + name)]
            near = nearest(asked, plain, 3)
            raise InvalidArgument(
                f"{asked} is no time like 2024-05-31, and no tag or commit of that repository"
                + (f"; its tags are like {', '.join(near)}." if near else "."),
                field="to",
            )
        return [f"{commit.strip()}..HEAD"]

    def run(self, *words: str, given: bytes = b"") -> str:
        # Paths are literal, whatever characters they contain.
        command = [self.program, "--no-pager", "--literal-pathspecs", *words]
        environment = {
            "PATH": os.defpath, "HOME": self.own, "LC_ALL": "C",
            "GIT_DIR": self.own, "GIT_WORK_TREE": f"{self.own}/{_TREE}",
            "GIT_OBJECT_DIRECTORY": str(self.common / "objects"), "GIT_CONFIG_NOSYSTEM": "1",
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
                return _output_of(git).decode("utf-8", "replace")
        except (OSError, ValueError):
            raise SourceUnreadable("Git failed to read that repository.") from None


def _output_of(git: subprocess.Popen[bytes]) -> bytes:
    """Git's output up to a limit: a few trees can name more files than fit anywhere."""
    assert git.stdout is not None, "asked for when it was started"
    _limit_memory(git.pid)
    patience = Timer(_SECONDS, git.kill)
    patience.start()
    try:
        told = git.stdout.read(MOST_BYTES)
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
        raise SourceUnreadable("Git has no history of that file, or too much.")
    return told


def _limit_memory(process: int) -> None:
    """Limits git's own memory; mapped pack files do not count."""
    if sys.platform == "linux":
        import resource

        resource.prlimit(process, resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))


def found_repository(folder: Path) -> tuple[Path, Path]:
    """The top of the working tree, and its git directory."""
    real = folder.resolve()
    for top in (real, *real.parents):
        git = top / ".git"
        if git.is_symlink():
            break
        if git.is_dir():
            return top, git
        if git.is_file():
            kept = (top / text_of(git).removeprefix("gitdir:").strip()).resolve()
            # The repository must know the worktree too: a file alone could point to any repository.
            if text_of(kept / "gitdir").strip() == str(git):
                return top, kept
            break
    raise SourceUnreadable("The folder is not in a git repository that can be read.")


def _common(kept: Path) -> Path:
    """The repository that a worktree belongs to; the only one outside the worktree that is
    accepted."""
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
        packed = (id for id, name in _packed(common) if name == reference)
        named = next(filter(None, chain(loose, packed)), "")
    if not COMMIT_ID.fullmatch(named):
        raise SourceUnreadable("The repository has no commit yet, or none that can be read.")
    return named


def _create_repository(own: Path, common: Path, head: str) -> None:
    """Create a minimal repository of our own, in which git can run."""
    (own / "refs").mkdir()
    (own / "objects").mkdir()
    (own / _TREE).mkdir()
    (own / "HEAD").write_text(f"{head}\n")
    (own / "config").write_text(_OWN_CONFIGURATION)
    shallow = [line for line in text_of(common / "shallow").split() if COMMIT_ID.fullmatch(line)]
    if shallow:
        (own / "shallow").write_text("\n".join(shallow) + "\n")


def _moment(asked: str) -> datetime | None:
    """Parse a date or time, in UTC unless it says otherwise; None if it is neither."""
    try:
        moment = datetime.fromisoformat(asked) if _DAY.match(asked) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _has_links(objects: Path) -> bool:
    """Whether the objects contain a symbolic link, or too many files to check."""
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


def _packed(common: Path) -> Iterator[tuple[str, str]]:
    """Object ids with their packed ref names."""
    told = bytes_of(common / "packed-refs", MOST_BYTES).decode(errors="replace")
    for line in told.splitlines():
        id, _, name = line.partition(" ")
        yield id, name


def _tags(common: Path) -> Mapping[str, str]:
    """Tag names with the ids of their targets; loose tags override packed ones."""
    found: dict[str, str] = {}
    for id, name in _packed(common):
        if COMMIT_ID.fullmatch(id) and name.startswith(_TAGS):
            found[name.removeprefix(_TAGS)] = id
    folder = common / _TAGS
    for file in sorted(folder.rglob("*"))[:_MOST_TAGS] if _is_own_folder(folder) else ():
        if not file.is_symlink() and COMMIT_ID.fullmatch(id := text_of(file).strip()):
            found[file.relative_to(folder).as_posix()] = id
    return found


def _is_own_folder(folder: Path) -> bool:
    return folder.is_dir() and not folder.is_symlink() and not folder.parent.is_symlink()
