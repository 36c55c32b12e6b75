"""The `trace` tool: questions about code by name, answered in short lines."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.codegraph.answering.told import told
from commonplace.codegraph.answering.traced import OF_FILES, Relation, Traced, TraceRequest
from commonplace.errors import NotFound
from commonplace.model.activity import unjudged
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import ReferenceKind, parsed
from commonplace.surfaces.arguments import NOT_BLANK, WHOLE
from commonplace.surfaces.memory.arguments import MemoryGiven
from commonplace.surfaces.tool import Markdown, Tool

_REFERENCES = tuple(f"{kind.value}:" for kind in (ReferenceKind.SYMBOL, ReferenceKind.FILE))


class TraceArguments(MemoryGiven):
    symbol: Annotated[str, Field(max_length=500), NOT_BLANK] = Field(
        description="Class.name, symbol:…, file, folder, . for all"
    )
    ask: Annotated[Relation, Field(strict=False)] = Relation.DEFINITION
    to: Annotated[str, Field(max_length=500)] | None = None
    project: Annotated[str, Field(max_length=200)] | None = None
    depth: Annotated[int, Field(ge=1, le=10), WHOLE] | None = None
    limit: Annotated[int, Field(ge=1, le=500), WHOLE] = 20
    offset: Annotated[int, Field(ge=0, le=1_000_000), WHOLE] | None = None
    context: Annotated[int, Field(ge=0, le=10), WHOLE] | None = None


def trace(application: Application, actor: Actor, given: TraceArguments, call: Call) -> Markdown:
    project, symbol = _named(given.symbol, given.project)
    _, to = _named(given.to or "", project)
    asked = TraceRequest(
        symbol=symbol,
        relation=given.ask,
        to=to,
        depth=given.depth or 0,
        offset=given.offset or 0,
        limit=given.limit,
        context=given.context or 0,
    )
    answer = application.memory.tracing.trace(actor, asked, project or "", call)
    places = (*(one.place for one in answer.traced.meant), *answer.traced.places)
    references = dict.fromkeys(str(answer.file_of(place)) for place in places)
    call.hands_out(unjudged(f"{given.ask.value} of {symbol}", tuple(references)))
    if answer.traced.unknown:
        raise _unknown(answer.traced, given.ask)
    return Markdown("\n".join(told(answer.traced, asked, answer.name_of, answer.docs)))


def _named(text: str, project: str | None) -> tuple[str | None, str]:
    """A symbol's or a file's reference is a name in a project."""
    if not text.startswith(_REFERENCES):
        return project, text
    reference = parsed(text)
    return reference.project, reference.symbol or reference.path


def _unknown(traced: Traced, ask: Relation) -> NotFound:
    near = ", ".join(traced.similar)
    hint = f"Nearest: {near}." if near else "recall finds by meaning."
    what = "file or module" if ask in OF_FILES else "symbol"
    return NotFound(f"No {what} is called {traced.unknown}.", hint=hint)


TRACE = Tool(
    name="trace",
    title="Trace code",
    description="Ask code by name: who uses it, what a change reaches, tests that reach it, a "
    "path; of files: importers, outline. Answers project/path:line, and what is not known.",
    scope=Scope.READ,
    arguments=TraceArguments,
    answer=None,
    run=trace,
    read_only=True,
    hands_out=True,
)
