"""A notebook (one per agent and scope) and the rules for its notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from commonplace.errors import InvalidArgument
from commonplace.model.chunk import TrustTier
from commonplace.model.entry import EntryContent, Place
from commonplace.text.gate import clean

MAX_HANDLE = 100
DEFAULT_TRUST = TrustTier.MEMORY
DEFAULT_WEIGHT = 0.7
_LONGEST_DERIVED_TITLE = 80


@dataclass(frozen=True, slots=True)
class NewNote:
    """A note to append; trust and weight apply to the whole notebook, None keeps them."""

    handle: str
    body: str
    title: str | None = None
    trust: TrustTier | None = None
    weight: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def normal_handle(given: str) -> str:
    """The handle in lower case, without surrounding blanks."""
    handle = clean(given, field="agentHandle", max_chars=MAX_HANDLE).strip().lower()
    if not handle:
        raise InvalidArgument("agentHandle must not be blank.", field="agentHandle")
    return handle


def locator_of(project: str | None, handle: str) -> str:
    place = f"project/{quote(project, safe='')}" if project else "global"
    return f"valdr-agent-notes://{place}/{quote(handle, safe='')}"


def title_of(handle: str) -> str:
    """The notebook's title: `Checkout reviewer notebook` for `checkout-reviewer`."""
    words = " ".join(handle.replace("-", " ").replace("_", " ").split())
    return f"{words[:1].upper()}{words[1:]} notebook"


def note_content(note: NewNote, project: str | None, resource: int) -> EntryContent:
    """The entry of a note; without a title, its first line is the title."""
    first_line = next(iter(note.body.strip().splitlines()), "")
    title = note.title or first_line[:_LONGEST_DERIVED_TITLE]
    return EntryContent(
        title=title,
        body=note.body,
        place=Place(project=project, resource=resource),
        attributes={"metadata": dict(note.metadata)},
    )
