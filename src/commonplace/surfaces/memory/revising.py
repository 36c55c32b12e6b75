"""The `revise` tool: corrects remembered entries and records feedback on them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.memory.revisions import ReviseAction, RevisionRequest
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import parse_reference
from commonplace.surfaces.arguments import NOT_BLANK, WHOLE
from commonplace.surfaces.memory.arguments import MemoryArguments, Time
from commonplace.surfaces.memory.remembering import Tags
from commonplace.surfaces.tool import Markdown, Tool


class ReviseArguments(MemoryArguments):
    reference: Annotated[str, Field(max_length=2000), NOT_BLANK]
    action: Annotated[ReviseAction, Field(strict=False)]
    text: Annotated[str, Field(max_length=32_000), NOT_BLANK] | None = None
    title: Annotated[str, Field(max_length=200), NOT_BLANK] | None = None
    tags: Tags | None = None
    by: Annotated[str, Field(max_length=2000)] | None = Field(
        None, description="reference, for supersede, merge, keep"
    )
    expires: Time | None = Field(None, description="default now")
    revision: Annotated[int, Field(ge=1), WHOLE] | None = Field(
        None, description="to restore; default the one before"
    )


def revise(application: Application, actor: Actor, given: ReviseArguments, call: Call) -> Markdown:
    request = RevisionRequest(
        action=given.action,
        text=given.text,
        title=given.title,
        tags=None if given.tags is None else tuple(given.tags),
        by=parse_reference(given.by) if given.by else None,
        expires=given.expires or "",
        revision=given.revision,
    )
    done = application.memory.revising.revise(
        actor, parse_reference(given.reference), request, call
    )
    return Markdown(f"{done.reference}: {done.summary.rstrip('.')}. {done.undo}".rstrip())


REVISE = Tool(
    name="revise",
    title="Revise",
    description="Correct, retag, supersede, expire, forget or restore an entry, or say that it "
    "helped or misled you, which moves its trust. Every change can be taken back by restore.",
    scope=Scope.WRITE,
    arguments=ReviseArguments,
    answer=None,
    run=revise,
    read_only=False,
    destructive=False,
)
