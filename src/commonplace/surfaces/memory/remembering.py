"""The `remember` tool: stores a decision, fact, how-to or the like, without duplicates."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.memory.opened import reference_of, sort_of
from commonplace.memory.thoughts import Known, Remembered, Thought
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.entry import Entry
from commonplace.model.references import parse_reference
from commonplace.model.thought import ThoughtKind
from commonplace.surfaces.arguments import NOT_BLANK
from commonplace.surfaces.memory.arguments import LISTED, MemoryArguments, Time
from commonplace.surfaces.memory.formatting import joined, warned
from commonplace.surfaces.tool import Markdown, Tool
from commonplace.text.snippet import snippet

Tag = Annotated[str, Field(max_length=100), NOT_BLANK]
Tags = Annotated[list[Tag], Field(max_length=16), LISTED]
_SHOWN = 200


class RememberArguments(MemoryArguments):
    text: Annotated[str, Field(max_length=32_000), NOT_BLANK]
    title: Annotated[str, Field(max_length=200)] | None = None
    kind: Annotated[ThoughtKind, Field(strict=False)] | None = Field(
        None, description='else as in "Gotcha: …", or fact'
    )
    project: Annotated[str, Field(max_length=200), NOT_BLANK] | None = None
    tags: Tags | None = None
    source: Annotated[str, Field(max_length=2000)] | None = Field(None, description="where from")
    expires: Time | None = Field(None, description="2030-01-31 or 7d")
    replaces: Annotated[str, Field(max_length=2000)] | None = Field(None, description="reference")
    anyway: bool = Field(False, description="store although alike")


def remember(
    application: Application, actor: Actor, given: RememberArguments, call: Call
) -> Markdown:
    thought = Thought(
        text=given.text,
        title=given.title or "",
        kind=given.kind,
        project=given.project or "",
        tags=tuple(given.tags or ()),
        source=given.source or "",
        expires=given.expires or "",
        replaces=parse_reference(given.replaces) if given.replaces else None,
        anyway=given.anyway,
    )
    return Markdown(
        _answer(application.memory.remembering.remember(actor, thought, call), actor.org)
    )


def _answer(done: Remembered, org: str) -> str:
    lines = [_stored(done.entry, org)] if done.entry else _conflicts(done, org)
    if done.replaced:
        lines.append(f"It replaces {done.replaced}, which stays in its history.")
    if done.secrets:
        named = ", ".join(dict.fromkeys(secret.title for secret in done.secrets))
        lines.append(f"Secrets were removed before anything was kept: {named}.")
    return "\n".join(lines)


def _stored(entry: Entry, org: str) -> str:
    project = entry.content.place.project
    return "Remembered " + joined(
        [str(reference_of(entry, org)), sort_of(entry), entry.content.title, project]
    )


def _conflicts(done: Remembered, org: str) -> list[str]:
    first = reference_of(done.known[0].entry, org)
    differs = done.known[0].difference is not None
    confirm = "" if differs else f"revise {first} helped confirms it; "
    return [
        "Not stored: "
        + ("this may contradict what is known." if differs else "this is known already."),
        *(line for one in done.known for line in _known(one, org)),
        f"What to do: {confirm}replaces={first} stores yours in its place; anyway=true keeps both.",
    ]


def _known(one: Known, org: str) -> list[str]:
    entry = one.entry
    text = " ".join(snippet(entry.content.body, entry.content.title, _SHOWN).split())
    why = f" ({one.difference.reason})" if one.difference else ""
    who = f"by {entry.agent}, trust {entry.content.confidence:.2f}"
    title = entry.content.title
    return warned(f"- {reference_of(entry, org)} {title}, {who}{why}: {text}", title, text)


REMEMBER = Tool(
    name="remember",
    title="Remember",
    description="Keep a decision, fact, how-to, gotcha, preference or open question that the next "
    "agent needs. What is known or seems to contradict it is shown instead, with what to do.",
    scope=Scope.WRITE,
    arguments=RememberArguments,
    answer=None,
    run=remember,
    read_only=False,
    idempotent=True,
)
