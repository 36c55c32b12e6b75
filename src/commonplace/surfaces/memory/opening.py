"""The `open` tool: reads what a reference names, whole or in part, within a token budget."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from commonplace.application import Application
from commonplace.errors import InvalidArgument
from commonplace.memory.pieces import Selection
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import Portion, ShortReference, parse_reference
from commonplace.surfaces.arguments import WHOLE
from commonplace.surfaces.memory.arguments import MemoryArguments
from commonplace.surfaces.memory.formatting import opened_text
from commonplace.surfaces.tool import Markdown, Tool

_LINES = re.compile(r"L?(\d{1,9})(?:\s*-\s*L?(\d{1,9}))?")


def _lines(given: str) -> str:
    found = _LINES.fullmatch(given.strip())
    if not found or not 1 <= int(found[1]) <= int(found[2] or found[1]):
        raise ValueError("must be like 10-40")
    return given


class OpenArguments(MemoryArguments):
    reference: Annotated[str, Field(min_length=1, max_length=2000)]
    lines: Annotated[str, AfterValidator(_lines)] | None = Field(None, description="10-40")
    page: Annotated[int, Field(ge=1), WHOLE] | None = None
    section: Annotated[str, Field(max_length=500)] | None = Field(None, description="a heading")
    around: Annotated[int, Field(ge=0, le=20), WHOLE] = Field(0, description="neighbours")
    budget: Annotated[int, Field(ge=100, le=50_000), WHOLE] = Field(2000, description="tokens")
    history: bool = False


def open_reference(
    application: Application, actor: Actor, given: OpenArguments, _call: Call
) -> Markdown:
    reference = parse_reference(given.reference)
    opened = application.memory.opening.open(actor, reference, history=given.history)
    if opened.entry is not None:
        application.usage.count(actor, [opened.entry])
    return Markdown(opened_text(opened, _selection(given, opened.reference), given.budget))


def _selection(given: OpenArguments, reference: ShortReference) -> Selection:
    portions = [reference.portion]
    if given.lines:
        found = _LINES.fullmatch(given.lines.strip())
        assert found, "the argument was checked"
        portions.append(Portion(int(found[1]), int(found[2] or found[1])))
    if given.page is not None:
        portions.append(Portion(page=given.page))
    if len(portions) > 2 or (given.section and len(portions) > 1):
        raise InvalidArgument("Ask for lines, a page or a section, one of them.", field="lines")
    return Selection(portions[-1], given.section or "", given.around)


OPEN = Tool(
    name="open",
    title="Open",
    description="Read what a reference names (note:…, doc:…#p3, file:project/path#L10-20, "
    "symbol:…), whole or by lines, page, section or neighbours, within a token budget.",
    scope=Scope.READ,
    arguments=OpenArguments,
    answer=None,
    run=open_reference,
    read_only=True,
    returns_knowledge=True,
)
