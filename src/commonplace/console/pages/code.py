"""Code: questions about symbols, their neighbourhood to walk through, and what a change reaches."""

from __future__ import annotations

from starlette.responses import Response

from commonplace.application import Application
from commonplace.codegraph.answering.question import read_question
from commonplace.console.drawing import drawn
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
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
        return {"projects": projects, "found": found, "symbols": symbols}

    shown = await visit.read(work)
    return visit.page("code/code.html", query=query, project=project, roles=_ROLES, **shown)


def _mapped(app: Application, actor: Actor, query: str, project: str) -> CodeMap:
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    request = MapRequest(query, read_question(query), ShownLimits(_SHOWN))
    return app.lookup.code_map(actor, app.lookup.outlook(actor, scope), request)


async def neighbourhood(visit: Visit) -> Response:
    key = _key(visit.named("key"))
    around = await visit.read(lambda app: app.insight.neighbourhood(visit.actor, key))
    return visit.page("code/symbol.html", around=around, drawing=drawn(around))


async def impact(visit: Visit) -> Response:
    key = _key(visit.named("key"))
    root = await visit.read(lambda app: app.insight.impact(visit.actor, key))
    return visit.page("code/impact.html", root=root)


def _key(given: str) -> int:
    if not given.isdecimal() or len(given) > 18:
        raise InvalidArgument("A symbol's key is a number.", field="key")
    return int(given)


ADDRESSES = (
    Address("GET", "/code", code),
    Address("GET", "/code/symbols/{key}", neighbourhood),
    Address("GET", "/code/symbols/{key}/impact", impact),
)
