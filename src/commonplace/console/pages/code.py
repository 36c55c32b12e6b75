"""Code: questions about symbols, their neighbourhood to walk through, and what a change reaches."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import Response

from commonplace.application import Application
from commonplace.codegraph.answering.question import read_question
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

    def work(app: Application) -> dict[str, object]:
        projects = app.workspace.projects(visit.actor)
        found = _mapped(app, visit.actor, query, project) if query else None
        name = found.question.parts[-1] if found and found.question.parts else ""
        symbols = app.insight.symbols(visit.actor, name) if name else []
        seal = _seal(app, visit.actor)
        return {"projects": projects, "found": found, "symbols": symbols, "seal": seal}

    shown = await visit.read(work)
    return await visit.page("code/code.html", query=query, project=project, roles=_ROLES, **shown)


def _mapped(app: Application, actor: Actor, query: str, project: str) -> CodeMap:
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    request = MapRequest(query, read_question(query), ShownLimits(_SHOWN))
    return app.lookup.code_map(actor, app.lookup.scoped(actor, scope), request)


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
