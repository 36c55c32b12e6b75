"""Settings of access control: who may call, with which scopes and how often."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, field_validator

from commonplace.model.actor import SYSTEM_ORG, Scope
from commonplace.model.secret import weakness
from commonplace.settings.values import PART, HttpAddress, names_of


class AccessSettings(BaseModel):
    """Who may call, with which scopes and how often."""

    model_config = PART

    org: str = Field(
        default="local", min_length=1, max_length=100, description="Org of the local actor."
    )
    agent: str | None = Field(
        default=None,
        max_length=100,
        description="Agent name of callers without a token; without it, the client's own name.",
    )
    scopes: str = Field(
        default="",
        description="Comma-separated scopes of callers without a token; without it, the "
        "person at the command line or in the browser has all of them, an agent all but "
        "`knowledge:write_others`.",
    )
    token_key: SecretStr | None = Field(
        default=None,
        min_length=32,
        description="Secret that stored tokens are hashed with, at least 32 characters; without "
        "it, one is generated and kept in the home or, with PostgreSQL, in the database. If it "
        "changes, all tokens become invalid.",
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
        description="Whether a team server's `/metrics` is open without a token; otherwise it "
        "needs a token with the scope `admin`.",
    )
    rate_limit: int = Field(
        default=60, ge=1, le=1_000_000, description="Calls that a token may make per minute."
    )
    rate_limit_read: int = Field(
        default=600,
        ge=1,
        le=1_000_000,
        description="Calls per minute for a token that only has scopes for reading.",
    )
    oauth_issuer: HttpAddress | None = Field(
        default=None,
        description="Issuer whose signed tokens (JWT) are accepted too, exactly as its tokens "
        "write it in `iss`.",
    )
    oauth_jwks_url: HttpAddress | None = Field(
        default=None,
        description="Address of the issuer's keys; without it, the address in its metadata.",
    )
    oauth_audience: str = Field(
        default="",
        description="Comma-separated values, one of which must be in a signed token's `aud`; "
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

    @field_validator("scopes")
    @classmethod
    def _only_scopes(cls, value: str) -> str:
        if any(name not in list(Scope) for name in names_of(value)):
            raise ValueError(f"each must be one of {', '.join(Scope)}")
        return value

    @field_validator("token_key")
    @classmethod
    def _not_guessable(cls, value: SecretStr | None) -> SecretStr | None:
        if value and (problem := weakness(value.get_secret_value())):
            raise ValueError(problem)
        return value

    @field_validator("org", "oauth_org")
    @classmethod
    def _not_the_system(cls, value: str | None) -> str | None:
        """Everybody can read what belongs to the system, so nobody may act as it."""
        if value is not None and value.strip().casefold() == SYSTEM_ORG:
            raise ValueError(f"{SYSTEM_ORG} is reserved")
        return value

    @field_validator("oauth_issuer", "oauth_jwks_url")
    @classmethod
    def _not_in_the_open(cls, value: str | None) -> str | None:
        """Anyone who can alter the keys in transit can sign as anybody."""
        split = urlsplit(value or "")
        if split.scheme == "http" and split.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError("must start with https://, unless it is on this machine")
        return value
