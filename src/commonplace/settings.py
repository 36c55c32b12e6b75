"""Settings: read once from COMMONPLACE_* variables, frozen, each field describing itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator

from commonplace.errors import SettingsInvalid
from commonplace.model.actor import SYSTEM_ORG, Scope
from commonplace.model.secret import weakness

ENV_PREFIX = "COMMONPLACE_"
# Names that a dialect's users know a setting by; ours goes before them.
_ALSO_KNOWN_AS = {"max_source_files": "VALDR_KNOWLEDGE_MAX_SOURCE_FILES"}
SURFACES = ("notes", "institutional", "documents", "registry", "workspace")


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
    replica_url: SecretStr | None = Field(
        default=None,
        description="`postgresql://...` of a streaming replica that searches may read from.",
    )
    org: str = Field(
        default="local", min_length=1, max_length=100, description="Org of the local actor."
    )
    agent: str | None = Field(
        default=None,
        max_length=100,
        description="Agent that acts without a token; without it, the client's own name.",
    )
    scopes: str = Field(
        default="",
        description="Comma-separated scopes of whoever acts without a token; without it, the "
        "person at the command line or in the browser has all of them, an agent all but "
        "`knowledge:write_others`.",
    )
    public_url: str | None = Field(
        default=None,
        description="Address under which clients reach the server, such as "
        "`https://knowledge.example.com`; needed with an OAuth issuer.",
    )
    hosts: str = Field(
        default="",
        description="Comma-separated host names under which clients reach the server, besides "
        "this machine's own and the one of the public URL.",
    )
    token_key: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="Secret that stored tokens are hashed with, 32 characters or more; without "
        "it, one that is kept in the home, or with PostgreSQL in the database. Tokens end "
        "when it changes.",
    )
    local_access: Literal["until-token", "always", "never", "machine"] = Field(
        default="until-token",
        description="Who may call `/mcp` and `/rpc` of an embedded server on loopback without a "
        "token: the account that runs it, as long as no token is valid (`until-token`) or "
        "`always`; nobody (`never`); or, until a token is valid, every account of the `machine`, "
        "which is also what systems other than Linux need.",
    )
    metrics_open: bool = Field(
        default=False,
        description="Whether `/metrics` of a team's server is open to whoever reaches it; "
        "without it, it needs a token of scope `admin`.",
    )
    rate_limit: int = Field(
        default=60, ge=1, le=1_000_000, description="Calls that a token may make in a minute."
    )
    rate_limit_read: int = Field(
        default=600,
        ge=1,
        le=1_000_000,
        description="Calls in a minute of a token that has only scopes for reading.",
    )
    redis_url: SecretStr | None = Field(
        default=None,
        description="`redis://...` or `rediss://...` where processes count calls and remember "
        "answers together; without it, each for itself.",
    )
    oauth_issuer: str | None = Field(
        default=None,
        description="Issuer whose signed tokens (JWT) are accepted too, exactly as its tokens "
        "write it in `iss`.",
    )
    oauth_jwks_url: str | None = Field(
        default=None,
        description="Address of the issuer's keys; without it, the one that its metadata names.",
    )
    oauth_audience: str = Field(
        default="",
        description="Comma-separated values, one of which a signed token must carry in `aud`; "
        "without it, the public URL followed by `/mcp`.",
    )
    oauth_org_claim: str = Field(
        default="org", min_length=1, description="Claim of a signed token that names the org."
    )
    oauth_agent_claim: str = Field(
        default="sub", min_length=1, description="Claim of a signed token that names the agent."
    )
    oauth_org: str | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="Org of signed tokens that name none; without it, they are refused.",
    )
    surfaces: str = Field(
        default="",
        description=f"Comma-separated dialects to offer, of {', '.join(SURFACES)}; without it, "
        "all of them.",
    )
    network: bool = Field(
        default=False,
        description="Whether the orgs of this server are a network: what is contributed with "
        "visibility `network` is then read by all of them, otherwise by its own org alone. "
        "The same for all processes on one database.",
    )
    quota_knowledge_stored: int | None = Field(
        default=None,
        ge=0,
        description="Entries that an org may store a month, by any tool; without it, no limit.",
    )
    quota_bytes_stored: int | None = Field(
        default=None,
        ge=0,
        description="Bytes of files and pages that an org may store a month; without it, no limit.",
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
    also_read: str = Field(
        default="",
        description="Comma-separated names of files (`passwords.txt`) that are read from attached "
        "folders although such files hold credentials; without it they are left out, and the "
        "report of an ingest names them.",
    )
    max_source_files: int = Field(
        default=5_000,
        ge=1,
        le=1_000_000,
        description="How many files an attached folder may have "
        "(also `VALDR_KNOWLEDGE_MAX_SOURCE_FILES`).",
    )
    ingest_embedding_seconds: float = Field(
        default=30.0,
        ge=0,
        le=3600,
        description="How long after its beginning an `ingest` that a client waits for may still "
        "embed; the worker does the rest, and the answer says how much that is.",
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
    otlp_endpoint: str | None = Field(
        default=None,
        description="Address of an OpenTelemetry collector (OTLP over HTTP) that traces go to, "
        "such as `http://127.0.0.1:4318`; without it, `OTEL_EXPORTER_OTLP_ENDPOINT`, else none.",
    )
    shutdown_notice_seconds: float = Field(
        default=0.0,
        ge=0,
        le=600,
        description="How long `serve` goes on serving when told to stop, while `/readyz` says so: "
        "the time that a load balancer needs to notice.",
    )
    shutdown_seconds: int = Field(
        default=30,
        ge=1,
        le=3600,
        description="How long calls that are under way may take to finish when the server stops.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least important log line that is written to stderr."
    )

    @field_validator("database_url", "replica_url")
    @classmethod
    def _only_postgresql(cls, value: SecretStr | None) -> SecretStr | None:
        if value and urlsplit(value.get_secret_value()).scheme not in ("postgresql", "postgres"):
            raise ValueError("must start with postgresql://")
        return value

    @field_validator("token_key")
    @classmethod
    def _not_guessable(cls, value: SecretStr | None) -> SecretStr | None:
        if value and (problem := weakness(value.get_secret_value())):
            raise ValueError(problem)
        return value

    @field_validator("redis_url")
    @classmethod
    def _only_redis(cls, value: SecretStr | None) -> SecretStr | None:
        schemes = ("redis", "rediss", "unix")
        if value and urlsplit(value.get_secret_value()).scheme not in schemes:
            raise ValueError("must start with redis://, rediss:// or unix://")
        return value

    @field_validator("org", "oauth_org")
    @classmethod
    def _not_the_system(cls, value: str | None) -> str | None:
        """What belongs to the system is everybody's to read, so nobody acts in its name."""
        if value is not None and value.strip().casefold() == SYSTEM_ORG:
            raise ValueError(f"{SYSTEM_ORG} is reserved")
        return value

    @field_validator(
        "embedding_url", "otlp_endpoint", "public_url", "oauth_issuer", "oauth_jwks_url"
    )
    @classmethod
    def _only_http(cls, value: str | None) -> str | None:
        if value and not (urlsplit(value).scheme in ("http", "https") and urlsplit(value).netloc):
            raise ValueError("must start with http:// or https://")
        return value

    @field_validator("oauth_issuer", "oauth_jwks_url")
    @classmethod
    def _not_in_the_open(cls, value: str | None) -> str | None:
        """Whoever can change the keys on their way can sign as anybody."""
        split = urlsplit(value or "")
        if split.scheme == "http" and split.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError("must start with https://, unless it is on this machine")
        return value

    @field_validator("surfaces")
    @classmethod
    def _only_surfaces(cls, value: str) -> str:
        """A dialect that does not exist would be served as nothing, silently."""
        if any(name not in SURFACES for name in names_of(value)):
            raise ValueError(f"each must be one of {', '.join(SURFACES)}, in small letters")
        return value

    @field_validator("scopes")
    @classmethod
    def _only_scopes(cls, value: str) -> str:
        if any(name not in list(Scope) for name in names_of(value)):
            raise ValueError(f"each must be one of {', '.join(Scope)}")
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
    def resource(self) -> str:
        """What clients ask an issuer a token for: the address of MCP here."""
        return f"{(self.public_url or '').rstrip('/')}/mcp"

    @property
    def shared(self) -> bool:
        """Whether other servers may work on the same database: team mode."""
        return self.database_url is not None

    @property
    def database_file(self) -> Path:
        return self.home / "commonplace.db"


def load_settings(**overrides: object) -> Settings:
    """Read the environment; a wrong value is explained without being shown."""
    given = {name: _in_environment(name) for name in Settings.model_fields}
    present = {name: value for name, value in given.items() if value}
    if collector := os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT"):
        present.setdefault("otlp_endpoint", collector)
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
    if settings.oauth_issuer and not settings.public_url:
        raise SettingsInvalid(f"{ENV_PREFIX}OAUTH_ISSUER needs {ENV_PREFIX}PUBLIC_URL beside it")
    return settings


def _in_environment(name: str) -> str:
    own = os.environ.get(ENV_PREFIX + name.upper(), "")
    return own or os.environ.get(_ALSO_KNOWN_AS.get(name, ""), "")


def names_of(listed: str) -> list[str]:
    """The names in a comma-separated setting."""
    return [name.strip() for name in listed.split(",") if name.strip()]


def lowered_names_of(listed: str) -> frozenset[str]:
    return frozenset(name.lower() for name in names_of(listed))


def _explain(location: list[int | str], message: str) -> str:
    name = "_".join(str(part) for part in location).upper()
    return f"{ENV_PREFIX}{name}: {message.removeprefix('Value error, ')}"
