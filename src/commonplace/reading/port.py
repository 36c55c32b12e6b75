"""What ingestion asks of the world outside: the text of bytes, and the bytes behind a URL.

Decides no format and no library. Whatever the bytes are, a reader answers or raises SourceError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.extract import Extract


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
