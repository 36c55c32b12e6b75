"""What orgs share with each other, how much each may store, and what is kept of questions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from commonplace.settings.values import PART


class KnowledgeSettings(BaseModel):
    """What orgs share, and how much they may store."""

    model_config = PART

    network: bool = Field(
        default=False,
        description="Whether the orgs of this server are a network: what is contributed with "
        "visibility `network` is then read by all of them, otherwise by its own org alone. "
        "The same for all processes on one database.",
    )
    secrets: Literal["mask", "refuse"] = Field(
        default="mask",
        description="What becomes of a text that an agent wants remembered and that holds a key, a "
        "token or a password: they are removed before it is kept (`mask`), or it is refused.",
    )
    activity_days: int = Field(
        default=30,
        ge=0,
        le=3650,
        description="For how many days the console can tell what agents asked, what they were "
        "given and how their calls went; 0 keeps none of it. Secrets in questions are masked.",
    )
    mask_written: bool = Field(
        default=False,
        description="Whether keys, tokens and passwords are also removed from what the tools of "
        "`notes` and `institutional` store, which otherwise keep every text as it was given and "
        "warn of them.",
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
