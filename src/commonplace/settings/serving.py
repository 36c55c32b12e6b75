"""What a server offers, under which names, and how it runs and stops."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, field_validator

from commonplace.settings.values import PART, HttpAddress, names_of

SURFACES = ("memory", "notes", "institutional", "documents", "registry", "workspace")
# What single clients ask for under names of their own.
SURFACES_ON_REQUEST = ("connector", "memories")
EVERY_SURFACE = (*SURFACES, *SURFACES_ON_REQUEST)
# Where `serve` is found unless told otherwise.
PORT = 8765


class ServingSettings(BaseModel):
    """What a server offers, and how it runs."""

    model_config = PART

    public_url: HttpAddress | None = Field(
        default=None,
        description="Address under which clients reach the server, such as "
        "`https://knowledge.example.com`; needed with an OAuth issuer.",
    )
    hosts: str = Field(
        default="",
        description="Comma-separated host names under which clients reach the server, besides "
        "this machine's own and the one of the public URL.",
    )
    surfaces: str = Field(
        default="",
        description=f"Comma-separated dialects to offer, of {', '.join(EVERY_SURFACE)}; without "
        f"it, all but {' and '.join(SURFACES_ON_REQUEST)}.",
    )
    tool_aliases: bool = Field(
        default=False,
        description="Offer tools with a dot in their name under an underscore too, for clients "
        "that refuse dots.",
    )
    output_schemas: bool = Field(
        default=False,
        description="List the shapes of answers with the tools, for programs that make types of "
        "them; for models they are as many characters again, and answers have their structure "
        "without them.",
    )
    worker: bool = Field(
        default=True, description="Whether `serve` also does background work in its own process."
    )
    watch: bool = Field(
        default=True,
        description="Whether `serve` and `mcp` follow ingested folders and keep the index fresh; "
        "needs a worker somewhere.",
    )
    otlp_endpoint: HttpAddress | None = Field(
        default=None,
        description="Address of an OpenTelemetry collector (OTLP over HTTP) that traces go to, "
        "such as `http://127.0.0.1:4318`; without it, `OTEL_EXPORTER_OTLP_ENDPOINT`, else none.",
    )
    patience_seconds: float = Field(
        default=10.0,
        gt=0,
        le=3600,
        description="How long a call may probably have to wait for its turn; one that would wait "
        "longer is refused at once and told when to come again.",
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

    @field_validator("surfaces")
    @classmethod
    def _only_surfaces(cls, value: str) -> str:
        """A dialect that does not exist would be served as nothing, silently."""
        if any(name not in EVERY_SURFACE for name in names_of(value)):
            raise ValueError(f"each must be one of {', '.join(EVERY_SURFACE)}, in small letters")
        return value

    @property
    def console_url(self) -> str:
        """Where people open what agents cite."""
        return (self.public_url or f"http://127.0.0.1:{PORT}").rstrip("/")

    @property
    def resource(self) -> str:
        """What clients ask an issuer a token for: the address of MCP here."""
        return f"{(self.public_url or '').rstrip('/')}/mcp"
