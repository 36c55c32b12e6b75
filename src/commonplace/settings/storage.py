"""Settings of the database and the shared cache."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator

from commonplace.errors import SettingsInvalid
from commonplace.settings.values import ENV_PREFIX, PART


def default_home() -> Path:
    """The per-user data folder according to the XDG convention."""
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "commonplace"
    try:
        return Path.home() / ".local" / "share" / "commonplace"
    except RuntimeError:
        raise SettingsInvalid(f"{ENV_PREFIX}HOME: this user has no home folder; set it") from None


def _listed(addresses: SecretStr | None) -> tuple[str, ...]:
    """The addresses, separated by spaces because an address may contain commas."""
    return tuple(addresses.get_secret_value().split()) if addresses else ()


class StorageSettings(BaseModel):
    """Where data is stored."""

    model_config = PART

    home: Path = Field(
        default_factory=default_home,
        description="Data folder, for the SQLite file and everything derived from it.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` for team mode; without it, one SQLite file in the home. Of "
        "several hosts (`HOST:PORT,HOST:PORT`) the one that accepts writes is used; if it is "
        "lost, the hosts are tried again.",
    )
    database_pool: int = Field(
        default=8, ge=1, le=200, description="Most PostgreSQL connections of one process."
    )
    replica_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` of a streaming replica that searches may read from; "
        "several addresses are separated by spaces.",
    )
    redis_url: SecretStr | None = Field(
        default=None,
        description="`redis://...` or `rediss://...` of the cache in which processes share rate "
        "counts and recognised tokens; without it, each process has its own.",
    )

    @field_validator("home")
    @classmethod
    def _of_the_user(cls, value: Path) -> Path:
        """Expands `~` here because a client's configuration file has no shell to do it."""
        try:
            return value.expanduser().absolute()
        except RuntimeError:
            raise ValueError("that user has no home folder") from None

    @field_validator("database_url", "replica_url")
    @classmethod
    def _only_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        if not all(urlsplit(one).scheme in ("postgresql", "postgres") for one in _listed(value)):
            raise ValueError("must start with postgresql://")
        return value

    @property
    def replica_urls(self) -> tuple[str, ...]:
        return _listed(self.replica_url)

    @field_validator("redis_url")
    @classmethod
    def _only_redis(cls, value: SecretStr | None) -> SecretStr | None:
        schemes = ("redis", "rediss", "unix")
        if value and urlsplit(value.get_secret_value()).scheme not in schemes:
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @property
    def shared(self) -> bool:
        """Whether other servers may use the same database (team mode)."""
        return self.database_url is not None

    @property
    def database_file(self) -> Path:
        return self.home / "commonplace.db"
