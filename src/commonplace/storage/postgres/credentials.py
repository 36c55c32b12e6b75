"""Tokens of all orgs in the database, and the key with which they are hashed."""

from __future__ import annotations

import secrets
from contextlib import AbstractContextManager
from typing import Protocol

from commonplace.model.access import Token
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.tables.tokens import SessionCredentials

KEY_BYTES = 32


class Opening(Protocol):
    def __call__(self, *, write: bool) -> AbstractContextManager[PostgresSession]: ...


class PostgresCredentials:
    """Implements port.Credentials; `opening` provides sessions for reading or writing."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def by_digest(self, digest: str) -> Token | None:
        with self._opening(write=False) as session:
            return SessionCredentials(session).by_digest(digest)

    def by_id(self, id: str) -> Token | None:
        with self._opening(write=False) as session:
            return SessionCredentials(session).by_id(id)

    def ever_issued(self) -> bool:
        with self._opening(write=False) as session:
            return SessionCredentials(session).ever_issued()

    def server_key(self) -> bytes:
        with self._opening(write=True) as session:
            session.run("make_server_key", value=secrets.token_bytes(KEY_BYTES))
            row = session.row("get_server_key")
        assert row is not None, "it was made above, or by another process"
        return bytes(row["value"])
