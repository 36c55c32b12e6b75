"""Settings of reading: which files, pages and folders may be read, and at what cost."""

from __future__ import annotations

from pydantic import BaseModel, Field

from commonplace.settings.values import PART


class ReadingSettings(BaseModel):
    """Which files, pages and folders may be read, and at what cost."""

    model_config = PART

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
        description="Comma-separated hosts, addresses and networks outside the public web that "
        "may be fetched from nonetheless.",
    )
    fetch_robots: bool = Field(
        default=True,
        description="Whether fetching pages obeys a site's robots.txt.",
    )
    roots: str = Field(
        default="",
        description="Comma-separated folders that a team server may read; without it, none. An "
        "embedded server may read everything that its user may.",
    )
    also_read: str = Field(
        default="",
        description="Comma-separated file names (`passwords.txt`) to read from attached folders "
        "although such files usually contain credentials; other such files are skipped, and the "
        "report of an ingest names them.",
    )
    max_source_files: int = Field(
        default=5_000,
        ge=1,
        le=1_000_000,
        description="How many files an attached folder may have "
        "(also `VALDR_KNOWLEDGE_MAX_SOURCE_FILES`).",
    )
    history_commits: int = Field(
        default=1_000,
        ge=0,
        le=100_000,
        description="How many of the latest commits that touched an attached folder are kept for "
        "`recall`; 0 keeps none.",
    )
    ingest_embedding_seconds: float = Field(
        default=30.0,
        ge=0,
        le=3600,
        description="For how long an `ingest` that a client waits for may embed, counted from its "
        "start; the worker does the rest, and the answer says how much that is.",
    )
