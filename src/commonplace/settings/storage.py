"""What the store and what processes remember together are configured with."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator

from commonplace.errors import SettingsInvalid
from commonplace.settings.values import ENV_PREFIX, PART


def default_home() -> Path:
    """The per-user data folder, as the XDG convention places it."""
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "commonplace"
    try:
        return Path.home() / ".local" / "share" / "commonplace"
    except RuntimeError:
        raise SettingsInvalid(f"{ENV_PREFIX}HOME: this user has no home folder; set it") from None


def _listed(addresses: SecretStr | None) -> tuple[str, ...]:
    """Addresses may have commas in them, and no spaces."""
    return tuple(addresses.get_secret_value().split()) if addresses else ()


class StorageSettings(BaseModel):
    """Where everything is kept."""

    model_config = PART

    home: Path = Field(
        default_factory=default_home,
        description="Data folder: the SQLite file and everything derived from it.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` for team mode; without it, one SQLite file in the home. Of "
        "several hosts (`HOST:PORT,HOST:PORT`) the one that takes writes is used, and looked for "
        "again when it is lost.",
    )
    database_pool: int = Field(
        default=8, ge=1, le=200, description="PostgreSQL connections of one process, at most."
    )
    replica_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` of a streaming replica that searches may read from; of "
        "several replicas, their addresses with spaces between.",
    )
    redis_url: SecretStr | None = Field(
        default=None,
        description="`redis://...` or `rediss://...` where processes count calls and remember "
        "answers together; without it, each for itself.",
    )

    @field_validator("home")
    @classmethod
    def _of_the_user(cls, value: Path) -> Path:
        """A client's configuration file has no shell that would expand `~`."""
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
        """Whether other servers may work on the same database: team mode."""
        return self.database_url is not None

    @property
    def database_file(self) -> Path:
        return self.home / "commonplace.db"
