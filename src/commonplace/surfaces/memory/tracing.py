"""The `trace` tool: questions about code by name, answered in short lines."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.codegraph.answering.forms import FORMS, read_trace
from commonplace.codegraph.answering.question import line_of
from commonplace.codegraph.answering.rendering import FILES_SHOWN, render_trace
from commonplace.codegraph.answering.trace import OF_FILES, Relation, TraceRequest, TraceResult
from commonplace.errors import InvalidArgument, NotFound
from commonplace.memory.service.tracing import TraceAnswer
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import ReferenceKind, parse_reference
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.arguments import NOT_BLANK, WHOLE
from commonplace.surfaces.memory.arguments import MemoryArguments
from commonplace.surfaces.tool import Markdown, Tool

_ALL = "."
_REFERENCES = tuple(f"{kind.value}:" for kind in (ReferenceKind.SYMBOL, ReferenceKind.FILE))


class TraceArguments(MemoryArguments):
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
    project, request = _request(given)
    answer = application.memory.tracing.trace(actor, request, project, call)
    places = (*(one.place for one in answer.traced.definitions), *answer.traced.places)
    references = dict.fromkeys(str(answer.file_of(place)) for place in places)
    described = f"{request.relation.value} of {request.symbol}"
    call.record_delivery(search_delivery(described, tuple(references)))
    if answer.traced.unknown:
        raise _unknown(answer.traced, request.relation)
    lines = render_trace(answer.traced, request, answer.name_of, answer.docs)
    warnings = [f"! warning: {reason}" for reason in warnings_of(*_quoted(answer))]
    return Markdown("\n".join([*lines, *warnings]))


def _quoted(answer: TraceAnswer) -> list[str]:
    """Text of other authors in the answer: source lines, commits and names of touched files."""
    traced = answer.traced
    places = (*(one.place for one in traced.definitions), *traced.places, *traced.unresolved)
    lines = [one.text for one in places if one.text]
    touched = [file for one in traced.commits for file in one.files[:FILES_SHOWN]]
    return [*lines, *(f"{one.author}: {one.subject}" for one in traced.commits), *touched]


def _request(given: TraceArguments) -> tuple[str, TraceRequest]:
    """The project and the request; `symbol` may be a name, a reference or a question in words."""
    project, path, symbol = _named(given.symbol)
    named = TraceRequest(symbol, given.ask, file=path)
    if given.ask in OF_FILES or (given.ask is Relation.HISTORY and path == symbol):
        named = TraceRequest(path or symbol, given.ask)
    elif "ask" not in given.model_fields_set:
        named = _without_relation(given.symbol, named)
    request = replace(
        named,
        to=_named(given.to)[2] if given.to else named.to,
        depth=given.depth or 0,
        offset=given.offset or 0,
        limit=given.limit,
        context=given.context or 0,
    )
    return given.project or project, request


def _without_relation(text: str, named: TraceRequest) -> TraceRequest:
    """The request if `ask` is missing: the question in words, or the outline of a file."""
    if " " in text.strip():
        return _parsed(text)
    is_file = "/" in named.symbol and line_of(named.symbol) is None
    return replace(named, relation=Relation.OUTLINE) if is_file else named


def _parsed(question: str) -> TraceRequest:
    request = read_trace(question)
    if request is None:
        forms = ", ".join(FORMS)
        raise InvalidArgument(f"Not understood. Ask in one of the forms {forms}.", field="symbol")
    return request


def _named(text: str) -> tuple[str, str, str]:
    """The project, file and symbol in a name or a reference."""
    text = text.strip().strip("`'\"")
    if not text.startswith(_REFERENCES):
        return "", "", text
    reference = parse_reference(text)
    return reference.project, reference.path, reference.symbol or reference.path


def _unknown(traced: TraceResult, ask: Relation) -> NotFound:
    if traced.unknown == _ALL:
        hint = "Give a name, a file or a folder; unused and cycles look at all."
        return NotFound(f"{ask.value} cannot be asked of all.", hint=hint)
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
    returns_knowledge=True,
)
