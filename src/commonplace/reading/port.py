"""The ports for reading: documents, web pages, folders, git history, and child processes.

Knows no format and no library. A reader returns text or raises SourceError, whatever the bytes are.
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
    """Bytes to read; `name` is a file name or an address."""

    data: bytes
    name: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Validators:
    """A server's validators of the version that we have, for conditional requests."""

    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page; `original` is None if the server says that nothing has changed."""

    original: Original | None
    validators: Validators


class Reader(Protocol):
    def read(self, original: Original, call: Call = PLAIN_CALL) -> Extract:
        """The text and its structure; SourceUnreadable or SourceTooLarge."""
        ...

    def close(self) -> None:
        """Release resources; the next use acquires them again."""
        ...


class Fetcher(Protocol):
    def fetch(self, url: str, known: Validators) -> Fetched:
        """Fetch an address; SourceUnreachable, AddressRefused or SourceTooLarge."""
        ...


class Folders(Protocol):
    """Folders on this machine. Nothing outside the root is ever opened."""

    def list(self, root: str, call: Call = PLAIN_CALL) -> Listing:
        """List a folder; SourceUnreadable if it is none, SourceTooLarge if it has too many
        files."""
        ...

    def read(self, root: str, path: str) -> tuple[FolderFile, bytes]:
        """Read a file in its current state; SourceUnreadable or SourceTooLarge."""
        ...


class ChildProcess(Protocol):
    """A function in a child process, because its input may make it crash or hang."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """The function's answer; SourceUnreadable or SourceTooLarge if it fails."""
        ...

    def close(self) -> None:
        """End the process; the next question starts another one."""
        ...


class TextProcess(Protocol):
    """A function in a child process for texts of callers, who are served in turn."""

    def ask(
        self, actor: Actor, question: Mapping[str, Any], text: str, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """The function's answer; DeadlineExceeded or InternalError if it fails."""
        ...

    def close(self) -> None:
        """End the process; the next text starts another one."""
        ...


class ProcessPool(Protocol):
    """Several identical child processes, and threads that call them."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        """Ask a free process, as with `ChildProcess.ask`; waits until one is free."""
        ...

    def ahead(
        self, work: Callable[[Item, Call], Result], items: Iterable[Item], call: Call
    ) -> Iterator[Result]:
        """The results of `work` for the items, in order; later items are processed in advance.

        If nobody waits for the results any more, the call given to `work` is stopped.
        """
        ...

    def close(self) -> None: ...


class Watcher(Protocol):
    def changed(self, roots: Sequence[str], stop: threading.Event) -> Iterator[set[str]]:
        """Yields roots in which something has changed, shortly afterwards, until `stop` is set."""
        ...


@dataclass(frozen=True, slots=True)
class Repository:
    """The git repository around a folder, which is at the path `inner` in it."""

    config: str
    common_folder: str
    inner: str = ""


class CommitLog(Protocol):
    """A repository's history; SourceUnreadable if none can be read.

    Nothing that the repository configures is executed or trusted. Paths are relative to the folder.
    """

    def last_changes(self, folder: str, path: str, first: int, last: int) -> list[Commit]:
        """The commits that last changed these lines of a file, newest first."""
        ...

    def changes(self, folder: str, path: str, since: str, most: int) -> list[Commit]:
        """Commits that touched a file or folder, newest first.

        `since` is an ISO 8601 time, a tag, or the prefix of a commit id; empty for no limit.
        """
        ...


class CommitHistory(Protocol):
    """The commits of the repository around a folder, read as safely as by CommitLog."""

    def head(self, folder: str) -> str:
        """The id of the checked-out commit, cheaply; empty without a repository.

        SourceError if the folder does not exist.
        """
        ...

    def latest(self, folder: str, most: int) -> list[str]:
        """Ids of commits that touched the folder, newest first, without merges."""
        ...

    def commits(self, folder: str, ids: Sequence[str]) -> list[Commit]:
        """These commits with full message, and the folder's files that they touched.

        If there is very much to return, only the first ones; at least one, if git knows any.
        """
        ...


class CommitMessages(Protocol):
    """Commit messages, read as safely as by CommitLog."""

    def top(self, folder: str) -> str:
        """The top of the repository around a folder."""
        ...

    def messages(self, folder: str, after: str, most: int) -> list[tuple[str, str]]:
        """Ids and full messages of the latest commits, oldest first, without merges.

        Only commits after `after`, if the repository has it.
        """
        ...


class Places(Protocol):
    """Folders on this machine, as paths with forward slashes."""

    def folder(self, path: str) -> str:
        """The folder's real path with all links resolved; LocatorInvalid if it is not a folder."""
        ...

    def repository(self, folder: str) -> Repository | None: ...
