"""Tokens of all orgs in an SQLite file, and the key file next to it with which they are hashed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from commonplace.errors import StorageUnavailable
from commonplace.model.access import Token
from commonplace.storage.sqlite.session import SqliteSession
from commonplace.storage.tables.tokens import SessionCredentials

KEY_BYTES = 32
_FOR_ITS_OWNER = 0o600

Reading = Callable[[], AbstractContextManager[SqliteSession]]


class SqliteCredentials:
    """Implements port.Credentials."""

    def __init__(self, reading: Reading, key_file: Path) -> None:
        self._reading = reading
        self._key_file = key_file

    def by_digest(self, digest: str) -> Token | None:
        with self._reading() as session:
            return SessionCredentials(session).by_digest(digest)

    def by_id(self, id: str) -> Token | None:
        with self._reading() as session:
            return SessionCredentials(session).by_id(id)

    def ever_issued(self) -> bool:
        with self._reading() as session:
            return SessionCredentials(session).ever_issued()

    def server_key(self) -> bytes:
        """The key is in a separate file, so that a copy of the database does not contain it."""
        try:
            if not self._key_file.exists():
                self._make_key()
            key = self._key_file.read_bytes()
        except OSError as error:
            raise StorageUnavailable("The token key file cannot be read or created.") from error
        if len(key) != KEY_BYTES:
            raise StorageUnavailable("The token key file is damaged.")
        return key

    def _make_key(self) -> None:
        """Create the key atomically, never replacing one that another process created first."""
        fresh = self._key_file.with_name(f"{self._key_file.name}.{secrets.token_hex(8)}")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_ITS_OWNER)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
                file.flush()
                os.fsync(file.fileno())
            _settle(fresh, self._key_file)
        finally:
            fresh.unlink(missing_ok=True)


def _settle(fresh: Path, place: Path) -> None:
    """Link the file into place, which fails if one exists; without links, check first."""
    try:
        os.link(fresh, place)
    except FileExistsError:
        return
    except OSError:
        if not place.exists():
            fresh.replace(place)
