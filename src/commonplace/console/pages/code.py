"""Code: questions about symbols, their neighbourhood to walk through, and what a change reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from starlette.responses import Response

from commonplace.application import Application
from commonplace.codegraph.answering.forms import read_form
from commonplace.codegraph.answering.question import read_question
from commonplace.codegraph.answering.traced import TraceRequest
from commonplace.console.drawing import drawn
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.actor import Actor
from commonplace.operations.insight.neighbourhood import SymbolNode
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.search.code_map import CodeMap, MapRequest
from commonplace.workspace.search.grouping import ShownLimits

_SHOWN = 60
_ROLES = {
    "definition": "Defined",
    "reference": "Used",
    "test": "Tested",
    "doc": "Documented",
    "import": "Imported",
    "export": "Exported",
    "related": "Related",
    "unknown": "Elsewhere",
}


async def code(visit: Visit) -> Response:
    query, project = visit.asked("q"), visit.asked("project")
    given = visit.asked("from")
    offset = int(given) if given.isdecimal() and len(given) < 8 else 0

    def work(app: Application) -> dict[str, object]:
        shown: dict[str, object] = {"answer": None, "found": None}
        shown["projects"] = app.workspace.projects(visit.actor)
        form = read_form(query)
        if form is not None:
            return shown | _traced(app, visit.actor, form, project, offset)
        if not query:
            return shown
        found = _mapped(app, visit.actor, query, project)
        parts = found.question.parts
        symbols = app.insight.symbols(visit.actor, parts[-1]) if parts else []
        symbols = bearing(symbols, ".".join(parts))
        return shown | {"found": found, "symbols": symbols, "seal": _seal(app, visit.actor)}

    shown = await visit.read(work)
    return await visit.page("code/code.html", query=query, project=project, roles=_ROLES, **shown)


def bearing(symbols: list[SymbolNode], name: str) -> list[SymbolNode]:
    """Those with the whole of a name, `Cart.add`; where none has, those with its last part."""
    whole = f".{name}".casefold()
    return [one for one in symbols if f".{one.symbol.path}".casefold().endswith(whole)] or symbols


def _traced(
    app: Application, actor: Actor, form: TraceRequest, project: str, offset: int
) -> dict[str, object]:
    """What is followed step by step, page by page."""
    asked = replace(form, limit=_SHOWN, offset=offset)
    answer = app.memory.tracing.trace(actor, asked, project)
    end = offset + len(answer.traced.places) + len(answer.traced.unresolved)
    more = answer.traced.total + answer.traced.unresolved_count > end
    return {"answer": answer, "further": end if more else None}


def _mapped(app: Application, actor: Actor, query: str, project: str) -> CodeMap:
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    request = MapRequest(query, read_question(query), ShownLimits(_SHOWN))
    return app.workspace_search.code_map(actor, app.workspace_search.scoped(actor, scope), request)


async def neighbourhood(visit: Visit) -> Response:
    def work(app: Application) -> dict[str, object]:
        around = app.insight.neighbourhood(visit.actor, _key(app, visit))
        return {"around": around, "drawing": drawn(around), "seal": _seal(app, visit.actor)}

    return await visit.page("code/symbol.html", **await visit.read(work))


async def impact(visit: Visit) -> Response:
    def work(app: Application) -> dict[str, object]:
        root = app.insight.impact(visit.actor, _key(app, visit))
        return {"root": root, "seal": _seal(app, visit.actor)}

    return await visit.page("code/impact.html", **await visit.read(work))


def _seal(app: Application, actor: Actor) -> Callable[[SymbolNode], str]:
    """How pages name a symbol: rows are counted over all orgs, and nobody is to count others'."""
    return lambda node: app.upkeep.sealed(actor, node.symbol.key)


def _key(app: Application, visit: Visit) -> int:
    try:
        return app.upkeep.unsealed(visit.actor, visit.named("key"))
    except InvalidArgument:
        raise NotFound("No symbol has that address.") from None


ADDRESSES = (
    Address("GET", "/code", code),
    Address("GET", "/code/symbols/{key}", neighbourhood),
    Address("GET", "/code/symbols/{key}/impact", impact),
)
