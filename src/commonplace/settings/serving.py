"""Settings of a server: what it offers, under which names, and how it runs and stops."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, field_validator

from commonplace.settings.values import PART, HttpAddress, names_of

SURFACES = ("memory", "notes", "institutional", "documents", "registry", "workspace")
# Dialects for single clients, which are only served if listed.
SURFACES_ON_REQUEST = ("connector", "memories")
EVERY_SURFACE = (*SURFACES, *SURFACES_ON_REQUEST)
# The default port of `serve`.
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
        "this machine's own and that of the public URL.",
    )
    surfaces: str = Field(
        default="",
        description=f"Comma-separated dialects to offer, of {', '.join(EVERY_SURFACE)}; without "
        f"it, all but {' and '.join(SURFACES_ON_REQUEST)}.",
    )
    tool_aliases: bool = Field(
        default=False,
        description="Also offer tools whose name has a dot under a name with an underscore, for "
        "clients that refuse dots.",
    )
    output_schemas: bool = Field(
        default=False,
        description="Include output schemas in the tool list, for programs that generate types "
        "from them. They double the length of the list that models read; answers are structured "
        "either way.",
    )
    worker: bool = Field(
        default=True, description="Whether `serve` also does background work in its process."
    )
    watch: bool = Field(
        default=True,
        description="Whether `serve` and `mcp` watch ingested folders and keep their index fresh; "
        "needs a running worker.",
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
        description="Longest expected wait of a call for a thread; a call that would wait longer "
        "is refused at once, with the time after which to retry.",
    )
    shutdown_notice_seconds: float = Field(
        default=0.0,
        ge=0,
        le=600,
        description="How long `serve` goes on serving after it was asked to stop, while `/readyz` "
        "already reports it, so that a load balancer can notice.",
    )
    shutdown_seconds: int = Field(
        default=30,
        ge=1,
        le=3600,
        description="How long running calls may take to finish when the server stops.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Lowest level of log lines that are written to stderr."
    )

    @field_validator("surfaces")
    @classmethod
    def _only_surfaces(cls, value: str) -> str:
        """A dialect with a misspelled name would silently be missing."""
        if any(name not in EVERY_SURFACE for name in names_of(value)):
            raise ValueError(f"each must be one of {', '.join(EVERY_SURFACE)}, in lower case")
        return value

    @property
    def console_url(self) -> str:
        """The address of the console, for links to what agents cite."""
        return (self.public_url or f"http://127.0.0.1:{PORT}").rstrip("/")

    @property
    def resource(self) -> str:
        """The resource that clients request a token for: the address of our MCP endpoint."""
        return f"{(self.public_url or '').rstrip('/')}/mcp"
