"""References as MCP resources: `commonplace://open/` plus the percent-encoded reference."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from commonplace.application import Application
from commonplace.errors import InvalidArgument, NotFound
from commonplace.memory.pieces import Selection
from commonplace.model.actor import Actor, Scope
from commonplace.model.references import parse_reference
from commonplace.surfaces.memory.formatting import opened_text
from commonplace.surfaces.tool import ResourceKind
from commonplace.text.gate import unstorable

# Large, as a person chose this resource for the model: as much as a model can take at once.
_BUDGET = 20_000


def read_reference(application: Application, actor: Actor, id: str) -> str:
    try:
        reference = parse_reference(unquote(id))
    except InvalidArgument as error:
        raise NotFound(error.message) from None
    opened = application.memory.opening.open(actor, reference)
    return opened_text(opened, Selection(opened.reference.portion), _BUDGET)


def complete_reference(application: Application, actor: Actor, beginning: str) -> Sequence[str]:
    written = unquote(beginning)
    return () if unstorable(written) else application.memory.opening.beginning(actor, written)


REFERENCES = ResourceKind(
    name="reference",
    title="Anything that is kept",
    description="What a reference such as note:1a2b3c4d5e or file:shop/src/cart.py#L10-20 names.",
    template="commonplace://open/{id}",
    aliases=(),
    scope=Scope.READ,
    read=read_reference,
    media_type="text/markdown",
    complete=complete_reference,
)
