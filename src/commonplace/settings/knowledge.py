"""Settings of knowledge: sharing between orgs, quotas, secrets, and what is kept of questions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from commonplace.settings.values import PART


class KnowledgeSettings(BaseModel):
    """What orgs share, how much they may store, and how secrets and questions are treated."""

    model_config = PART

    network: bool = Field(
        default=False,
        description="Whether the orgs of this server form a network: all of them can then read "
        "contributions with visibility `network`, otherwise only their own org can. Must be the "
        "same for all processes on one database.",
    )
    secrets: Literal["mask", "refuse"] = Field(
        default="mask",
        description="What happens to keys, tokens and passwords in a text that an agent wants "
        "remembered: they are removed (`mask`), or the text is refused (`refuse`).",
    )
    activity_days: int = Field(
        default=30,
        ge=0,
        le=3650,
        description="For how many days the console shows what agents asked, what they were "
        "given and how their calls went; 0 records none of it. Secrets in questions are masked.",
    )
    mask_written: bool = Field(
        default=False,
        description="Whether the tools of `notes` and `institutional`, and `add` for the text of a "
        "page, also remove keys, tokens and passwords; otherwise they store every text unchanged "
        "and warn about them.",
    )
    quota_knowledge_stored: int | None = Field(
        default=None,
        ge=0,
        description="Entries that an org may store per month, by any tool; without it, no limit.",
    )
    quota_bytes_stored: int | None = Field(
        default=None,
        ge=0,
        description="Bytes of files and pages that an org may store per month; without it, no "
        "limit.",
    )
    trusted_agents: str = Field(
        default="",
        description="Comma-separated agents of the org from whose verdicts reputation starts; "
        "without it, all of the org's agents.",
    )
