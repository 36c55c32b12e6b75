"""Settings: read once from COMMONPLACE_* variables, frozen, each field describing itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from commonplace.errors import SettingsInvalid

ENV_PREFIX = "COMMONPLACE_"
# Names that a dialect's users know a setting by; ours goes before them.
_ALSO_KNOWN_AS = {"max_source_files": "VALDR_KNOWLEDGE_MAX_SOURCE_FILES"}


def default_home() -> Path:
    """The per-user data folder, as the XDG convention places it."""
    if data := os.environ.get("XDG_DATA_HOME"):
        return Path(data) / "commonplace"
    try:
        return Path.home() / ".local" / "share" / "commonplace"
    except RuntimeError:
        raise SettingsInvalid(f"{ENV_PREFIX}HOME: this user has no home folder; set it") from None


class Settings(BaseModel):
    """Everything that can be configured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path = Field(
        default_factory=default_home,
        description="Data folder: the SQLite file and everything derived from it.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` for team mode; without it, one SQLite file in the home.",
    )
    database_pool: int = Field(
        default=8, ge=1, le=200, description="PostgreSQL connections of one process, at most."
    )
    org: str = Field(
        default="local", min_length=1, max_length=100, description="Org of the local actor."
    )
    agent: str | None = Field(
        default=None,
        max_length=100,
        description="Agent of the local actor; without it, the connecting client's own name.",
    )
    scopes: str = Field(
        default="",
        description="Comma-separated scopes of the local actor; without it, all of them.",
    )
    surfaces: str = Field(
        default="", description="Comma-separated dialects to offer; without it, all of them."
    )
    quota_knowledge_stored: int | None = Field(
        default=None,
        ge=0,
        description="Entries that an org may store a month; without it, no limit.",
    )
    trusted_agents: str = Field(
        default="",
        description="Comma-separated agents of the org whose verdicts reputation starts from; "
        "without it, all of the org's agents.",
    )
    embedding_url: str | None = Field(
        default=None,
        description="An OpenAI-compatible `/v1` endpoint; without it, the bundled model.",
    )
    embedding_model: str | None = Field(
        default=None, description="Model name to ask the endpoint for (needed with a URL)."
    )
    embedding_dimension: int | None = Field(
        default=None,
        ge=8,
        le=4000,
        description="Vector length of the endpoint's model (needed with a URL).",
    )
    embedding_api_key: SecretStr | None = Field(
        default=None, description="Bearer key for the endpoint, if it wants one."
    )
    embedding_query_prefix: str = Field(
        default="", description="Text that the endpoint's model wants before a query."
    )
    embedding_passage_prefix: str = Field(
        default="", description="Text that the endpoint's model wants before a stored passage."
    )
    embedding_threads: int = Field(
        default=2, ge=1, le=64, description="Threads that the bundled model computes with."
    )
    embedding_idle_seconds: float = Field(
        default=300.0, gt=0, description="Unload the bundled model after this long without use."
    )
    source_max_bytes: int = Field(
        default=50_000_000,
        ge=1,
        le=1_000_000_000,
        description="How large an uploaded file or a fetched page may be.",
    )
    source_seconds: float = Field(
        default=60.0, gt=0, le=3600, description="How long reading one file may take."
    )
    source_memory_bytes: int = Field(
        default=1_000_000_000,
        ge=200_000_000,
        description="How much memory reading one file may take (on Linux).",
    )
    fetch_seconds: float = Field(
        default=30.0, gt=0, le=600, description="How long fetching one page may take."
    )
    fetch_allow: str = Field(
        default="",
        description="Comma-separated hosts, addresses and networks that may be fetched from "
        "although they are not on the public web.",
    )
    fetch_robots: bool = Field(
        default=True,
        description="Whether a site's robots.txt is obeyed when its pages are fetched.",
    )
    roots: str = Field(
        default="",
        description="Comma-separated folders that a team server may read; without it, none. An "
        "embedded server may read whatever its user may.",
    )
    max_source_files: int = Field(
        default=5_000,
        ge=1,
        le=1_000_000,
        description="How many files an attached folder may have "
        "(also `VALDR_KNOWLEDGE_MAX_SOURCE_FILES`).",
    )
    tool_aliases: bool = Field(
        default=False,
        description="Offer tools with a dot in their name under an underscore too, for clients "
        "that refuse dots.",
    )
    worker: bool = Field(
        default=True, description="Whether `serve` also does background work in its own process."
    )
    watch: bool = Field(
        default=True,
        description="Whether `serve` and `mcp` follow ingested folders and keep the index fresh; "
        "needs a worker somewhere.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least important log line that is written to stderr."
    )

    @field_validator("database_url")
    @classmethod
    def _only_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        if value and urlsplit(value.get_secret_value()).scheme not in ("postgresql", "postgres"):
            raise ValueError("must start with postgresql://")
        return value

    @field_validator("embedding_url")
    @classmethod
    def _only_http(cls, value: str | None) -> str | None:
        if value and not (urlsplit(value).scheme in ("http", "https") and urlsplit(value).netloc):
            raise ValueError("must start with http:// or https://")
        return value

    @field_validator("home")
    @classmethod
    def _of_the_user(cls, value: Path) -> Path:
        """A client's configuration file has no shell that would expand `~`."""
        try:
            return value.expanduser().absolute()
        except RuntimeError:
            raise ValueError("that user has no home folder") from None

    @property
    def database_file(self) -> Path:
        return self.home / "commonplace.db"


def load_settings(**overrides: object) -> Settings:
    """Read the environment; a wrong value is explained without being shown."""
    given = {name: _in_environment(name) for name in Settings.model_fields}
    present = {name: value for name, value in given.items() if value}
    try:
        settings = Settings.model_validate(present | overrides)
    except ValidationError as error:
        problems = "; ".join(_explain(list(p["loc"]), p["msg"]) for p in error.errors())
        raise SettingsInvalid(problems) from None
    if settings.embedding_url and not (settings.embedding_model and settings.embedding_dimension):
        raise SettingsInvalid(
            f"{ENV_PREFIX}EMBEDDING_URL needs {ENV_PREFIX}EMBEDDING_MODEL "
            f"and {ENV_PREFIX}EMBEDDING_DIMENSION beside it"
        )
    return settings


def _in_environment(name: str) -> str:
    own = os.environ.get(ENV_PREFIX + name.upper(), "")
    return own or os.environ.get(_ALSO_KNOWN_AS.get(name, ""), "")


def names_of(listed: str) -> list[str]:
    """The names in a comma-separated setting."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def _explain(location: list[int | str], message: str) -> str:
    name = "_".join(str(part) for part in location).upper()
    return f"{ENV_PREFIX}{name}: {message}"
