"""What features ask of the world outside: the text of bytes, the bytes behind a URL, folders.

Decides no format and no library. Whatever the bytes are, a reader answers or raises SourceError.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.commits import Commit
from commonplace.model.extract import Extract
from commonplace.model.folder import FolderFile, Listing

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Original:
    """Bytes with what is known about them; `name` is a file name or an address."""

    data: bytes
    name: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of the version that we have, to ask whether there is a newer one."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """`original` is None when the server says that nothing has changed."""

    original: Original | None
    validators: Validators


class Reader(Protocol):
    def read(self, original: Original, call: Call = PLAIN_CALL) -> Extract:
        """The text and its structure; SourceUnreadable or SourceTooLarge when there is none."""
        ...

    def close(self) -> None:
        """Give back what reading needed; the next use takes it again."""
        ...


class Fetcher(Protocol):
    def fetch(self, url: str, known: Validators) -> Fetched:
        """What is at the address now; SourceUnreachable, AddressRefused or SourceTooLarge."""
        ...


class Folders(Protocol):
    """Folders on the disk of this machine. Nothing outside the root is ever opened."""

    def list(self, root: str, call: Call = PLAIN_CALL) -> Listing:
        """SourceUnreadable when it is no folder; SourceTooLarge when it has too many files."""
        ...

    def read(self, root: str, path: str) -> tuple[FolderFile, bytes]:
        """Reads a file as it is now; SourceUnreadable or SourceTooLarge."""
        ...


class ChildProcess(Protocol):
    """One function in a child process, which what it works on may break or keep for ever."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """What the function answers; SourceUnreadable or SourceTooLarge when it does not."""
        ...

    def close(self) -> None:
        """End the process; the next question starts another."""
        ...


class TextProcess(Protocol):
    """One function in a child process, for texts that callers send: callers are served in turn."""

    def ask(
        self, actor: Actor, question: Mapping[str, Any], text: str, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """What the function answers; DeadlineExceeded or InternalError when it does not."""
        ...

    def close(self) -> None:
        """End the process; the next text starts another."""
        ...


class ProcessPool(Protocol):
    """Several equal child processes, and threads that ask them."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """Asks a process that is free, as `ChildProcess.ask`; waits for one."""
        ...

    def ahead(
        self, work: Callable[[Item, Call], Result], items: Iterable[Item], call: Call
    ) -> Iterator[Result]:
        """What `work` makes of the items, in their order, the next ones in the meantime already.

        It is told by the call it is given when nobody waits for it any more.
        """
        ...

    def close(self) -> None: ...


class Watcher(Protocol):
    def changed(self, roots: Sequence[str], stop: threading.Event) -> Iterator[set[str]]:
        """Roots in which something has changed, a moment after it did; ends with `stop`."""
        ...


@dataclass(frozen=True, slots=True)
class Repository:
    """What git keeps of the repository that a folder lies in, `inner` below its top."""

    config: str
    common_folder: str
    inner: str = ""


class CommitLog(Protocol):
    """What a repository's history says; SourceUnreadable where there is none that can be read.

    Nothing that a repository configures is run or believed. Paths are within the folder.
    """

    def last_changes(self, folder: str, path: str, first: int, last: int) -> list[Commit]:
        """Who wrote the lines of a file last, as it is now, the newest first."""
        ...

    def changes(self, folder: str, path: str, since: str, most: int) -> list[Commit]:
        """Commits that touched a file or a folder, the newest first.

        Since a time in ISO 8601, since a tag, or the beginning of a commit's id; "" is ever.
        """
        ...


class CommitHistory(Protocol):
    """The commits of the repository that a folder lies in, read as carefully as CommitLog reads."""

    def head(self, folder: str) -> str:
        """The id of the commit that the working tree is at; empty without a repository; cheap.

        SourceError where the folder is not there.
        """
        ...

    def latest(self, folder: str, most: int) -> list[str]:
        """Ids of commits that touched the folder, the newest first, merges left out."""
        ...

    def commits(self, folder: str, ids: Sequence[str]) -> list[Commit]:
        """Those commits whole, with the files of the folder that they touched, as paths in it.

        Of many with much to say only the first; at least one, where git knows any.
        """
        ...


class CommitMessages(Protocol):
    """What was said with commits, read as carefully as CommitLog reads."""

    def top(self, folder: str) -> str:
        """The outermost folder of the repository that a folder lies in."""
        ...

    def messages(self, folder: str, after: str, most: int) -> list[tuple[str, str]]:
        """Ids and whole messages of the latest commits, the oldest first, merges left out.

        Only those after the commit `after`, where the repository has it.
        """
        ...


class Places(Protocol):
    """Folders on the disk of this machine, as paths with forward slashes."""

    def folder(self, path: str) -> str:
        """Where it really is, with every link followed; LocatorInvalid when it is no folder."""
        ...

    def repository(self, folder: str) -> Repository | None: ...
