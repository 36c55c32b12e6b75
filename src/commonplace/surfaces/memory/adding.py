"""The `add` tool: adds folders, files, web pages and texts as sources."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.memory.additions import Addition
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.memory.arguments import MemoryArguments
from commonplace.surfaces.tool import Markdown, Tool

# Reading a whole repository may take long; the tool reports its progress meanwhile.
_DEADLINE_SECONDS = 3600.0
_LONGEST = 3_000_000


class AddArguments(MemoryArguments):
    into: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="project or workspace; made if new"
    )
    folder: Annotated[str, Field(max_length=4000)] | None = Field(None, description="absolute path")
    url: Annotated[str, Field(max_length=2000)] | None = None
    text: Annotated[str, Field(max_length=2_000_000)] | None = Field(
        None, description="Markdown page, with title"
    )
    title: Annotated[str, Field(max_length=255)] | None = None
    name: Annotated[str, Field(max_length=255)] | None = Field(None, description="of the file")
    content: Annotated[str, Field(max_length=_LONGEST)] | None = Field(
        None, description="its bytes, base64"
    )
    docs: bool = Field(False, description="the folder holds documents, not code")
    background: bool = False


def add(application: Application, actor: Actor, given: AddArguments, call: Call) -> Markdown:
    written = application.analysis.written(actor, (given.title or "", given.text or ""), call)
    title, text = written.texts
    new = Addition(
        into=given.into or "",
        folder=given.folder or "",
        url=given.url or "",
        text=text,
        title=title,
        file_name=given.name or "",
        content=given.content or "",
        docs=given.docs,
        background=given.background,
    )
    done = application.memory.adding.add(actor, new, call)
    told = f"Added {done.reference}: {done.summary}."
    return Markdown("\n".join([told, *(f"! {warning}" for warning in written.warnings)]))


ADD = Tool(
    name="add",
    title="Add a source",
    description="Bring in a folder of code or docs, a web page, a page of text or a file's bytes, "
    "into a project or workspace. Tells its progress; recall finds it then.",
    scope=Scope.WRITE,
    arguments=AddArguments,
    answer=None,
    run=add,
    read_only=False,
    idempotent=False,
    deadline_seconds=_DEADLINE_SECONDS,
)
