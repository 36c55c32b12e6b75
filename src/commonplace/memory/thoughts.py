"""Thoughts to remember and the results, as values."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace

from commonplace.capture.secrets import Secret, mask_secrets
from commonplace.errors import ContentRefused
from commonplace.memory.comparing import Difference
from commonplace.model.entry import Entry, EntryContent, Place, plain_tag
from commonplace.model.references import ShortReference
from commonplace.model.thought import ThoughtKind, kind_named

_LONGEST_TITLE = 100
_SENTENCE = re.compile(r"(?<=[.!?])\s")
# What may stand around a label or before a title: marks of headings, emphasis, quotes and lists.
_MARKS = "#*_-> \t\n"
_KEYS = ("title", "text", "kind", "project", "tags", "source", "expires", "replaces")


@dataclass(frozen=True, slots=True)
class Thought:
    """A thought to remember; `anyway` stores it despite duplicates and contradictions. Without a
    kind it is what a label such as "Gotcha: ..." calls it, what it replaces was, or a fact."""

    text: str
    title: str = ""
    kind: ThoughtKind | None = None
    project: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""
    expires: str = ""
    replaces: ShortReference | None = None
    anyway: bool = False

    @property
    def stated_kind(self) -> ThoughtKind | None:
        """The kind that was given, or else the one that the text begins with."""
        label, colon, _ = self.text.partition(":")
        return self.kind or (kind_named(label.strip(_MARKS)) if colon else None)

    @property
    def token(self) -> str:
        """An idempotency token, equal for identical thoughts."""
        values = [str(getattr(self, key)) for key in _KEYS]
        return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Known:
    """A known entry that conflicts with a thought: it contradicts it, or, without a difference,
    says the same."""

    entry: Entry
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The entry stored, or the known entries that prevented it."""

    entry: Entry | None
    known: tuple[Known, ...] = ()
    secrets: tuple[Secret, ...] = ()
    replaced: ShortReference | None = None


def without_secrets(thought: Thought, *, refuse: bool) -> tuple[Thought, tuple[Secret, ...]]:
    """The thought with its secrets masked, and the secrets found; with `refuse` an error."""
    text, title, source = map(mask_secrets, (thought.text, thought.title, thought.source))
    found = (*text.found, *title.found, *source.found)
    if found and refuse:
        named = ", ".join(dict.fromkeys(secret.title for secret in found))
        raise ContentRefused(f"The text holds what looks like a secret: {named}.")
    return replace(thought, text=text.text, title=title.text, source=source.text), found


def content_of(thought: Thought) -> EntryContent:
    """The content of the note that stores a thought."""
    return EntryContent(
        title=thought.title.strip() or title_in(thought.text),
        body=thought.text,
        tags=tuple(dict.fromkeys(plain_tag(tag) for tag in thought.tags)),
        place=Place(project=thought.project or None),
        attributes={"origin": thought.source} if thought.source else {},
        category=(thought.stated_kind or ThoughtKind.FACT).value,
    )


def title_in(text: str) -> str:
    """The first sentence of a text, cut to the length of a title."""
    line = next((line.strip("#*-> \t") for line in text.splitlines() if line.strip("#*-> \t")), "")
    first = _SENTENCE.split(line, maxsplit=1)[0]
    if len(first) <= _LONGEST_TITLE:
        return first or text.strip()[:_LONGEST_TITLE]
    return first[: _LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
