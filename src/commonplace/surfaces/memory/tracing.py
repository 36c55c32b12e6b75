"""The `trace` tool: questions about code by name, answered in short lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from commonplace.application import Application
from commonplace.codegraph.answering.traced import Relation, Traced, TracedPlace, TraceRequest
from commonplace.errors import NotFound
from commonplace.memory.service.tracing import TraceAnswer
from commonplace.model.activity import unjudged
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import ReferenceKind, parsed
from commonplace.surfaces.arguments import NOT_BLANK, WHOLE
from commonplace.surfaces.memory.arguments import MemoryGiven
from commonplace.surfaces.tool import Markdown, Tool

_FOLLOWED = (Relation.IMPACT, Relation.SUBCLASSES, Relation.IMPLEMENTATIONS)
_SYMBOL = f"{ReferenceKind.SYMBOL.value}:"


class TraceArguments(MemoryGiven):
    symbol: Annotated[str, Field(max_length=500), NOT_BLANK] = Field(
        description="name, Class.name or symbol:…"
    )
    ask: Annotated[Relation, Field(strict=False)] = Relation.DEFINITION
    to: Annotated[str, Field(max_length=500)] | None = Field(None, description="end of a path")
    project: Annotated[str, Field(max_length=200)] | None = None
    depth: Annotated[int, Field(ge=1, le=10), WHOLE] = 3
    limit: Annotated[int, Field(ge=1, le=500), WHOLE] = 40


def trace(application: Application, actor: Actor, given: TraceArguments, call: Call) -> Markdown:
    project, symbol = _named(given.symbol, given.project)
    _, to = _named(given.to or "", project)
    asked = TraceRequest(symbol, given.ask, to, max(given.depth, _least_depth(given)))
    answer = application.memory.tracing.trace(actor, asked, project or "", call)
    places = answer.traced.meant + answer.traced.places
    references = dict.fromkeys(str(answer.file_of(place)) for place in places)
    call.hands_out(unjudged(f"{given.ask.value} of {symbol}", tuple(references)))
    if answer.traced.unknown:
        raise _unknown(answer.traced)
    return Markdown("\n".join(_told(answer, given)))


def _least_depth(given: TraceArguments) -> int:
    """A path is looked for as far as it goes, unless somebody says how far."""
    return 10 if given.ask is Relation.PATH and "depth" not in given.model_fields_set else 1


def _named(text: str, project: str | None) -> tuple[str | None, str]:
    """A symbol's reference is a name in a project."""
    if not text.startswith(_SYMBOL):
        return project, text
    reference = parsed(text)
    return reference.project, reference.symbol


def _unknown(traced: Traced) -> NotFound:
    near = ", ".join(traced.similar)
    hint = f"Nearest: {near}." if near else "recall finds by meaning."
    return NotFound(f"No symbol is called {traced.unknown}.", hint=hint)


def _told(answer: TraceAnswer, given: TraceArguments) -> list[str]:
    traced = answer.traced
    lines = [_definition(answer, place) for place in traced.meant[: given.limit]]
    if given.ask is Relation.DEFINITION:
        return lines
    shown = traced.places[: given.limit]
    what = given.ask.value if given.ask is not Relation.PATH else f"path to {given.to}"
    lines.append(f"{what}: {len(traced.places) or 'none'}")
    lines += [_place(answer, place, given) for place in shown]
    if left := len(traced.places) - len(shown):
        lines.append(f"… {left} more; raise limit")
    if not traced.complete:
        lines.append("… and further ones that were not followed")
    return lines + _unresolved(answer, given)


def _definition(answer: TraceAnswer, place: TracedPlace) -> str:
    reference = str(answer.file_of(place)).replace("file:", _SYMBOL, 1)
    return f"{reference}#{place.symbol} {place.kind}, line {place.line}"


def _place(answer: TraceAnswer, place: TracedPlace, given: TraceArguments) -> str:
    sure = "" if place.confidence >= 1 else f" {place.confidence:.2f}"
    far = f" depth {place.depth}" if given.ask in _FOLLOWED else ""
    use = f" ({place.use}{sure})" if place.use else ""
    named = f" {place.symbol}" if place.symbol else ""
    return f"{_at(answer, place)}{named}{use}{far}"


def _at(answer: TraceAnswer, place: TracedPlace) -> str:
    return f"{str(answer.file_of(place)).removeprefix('file:')}:{place.line}"


def _unresolved(answer: TraceAnswer, given: TraceArguments) -> list[str]:
    traced = answer.traced
    if not traced.unresolved_count:
        return []
    what = "calls" if given.ask is Relation.CALLEES else "uses of the name"
    shown: Sequence[TracedPlace] = traced.unresolved
    lines = [f"unresolved: {traced.unresolved_count} {what} whose target is not known"]
    return lines + [f"? {_at(answer, place)} {place.symbol}".rstrip() for place in shown]


TRACE = Tool(
    name="trace",
    title="Trace code",
    description="Ask code by name: callers, callees, references, subclasses, tests, docs, impact "
    "of a change, a path to another symbol. Answers project/path:line with confidence.",
    scope=Scope.READ,
    arguments=TraceArguments,
    answer=None,
    run=trace,
    read_only=True,
    hands_out=True,
)
