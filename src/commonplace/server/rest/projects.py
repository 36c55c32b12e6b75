"""The REST side of projects: adding, listing, showing and removing them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.model.actor import Scope
from commonplace.model.workspace import Project
from commonplace.server.rest.handling import Rest, document_of
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated
from commonplace.workspace.projects.identity import NewProject, project_document

_LARGEST_BODY = 100_000


class ProjectGiven(Arguments):
    """A new project, or more roots for the one that has the key."""

    key: str
    roots: list[str] | None = None
    id: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ProjectsApi:
    rest: Rest

    def routes(self) -> list[Route]:
        return [
            self.rest.route("GET", "/api/projects", self.list),
            self.rest.route("POST", "/api/projects", self.add),
            self.rest.route("GET", "/api/projects/{project}", self.get),
            self.rest.route("DELETE", "/api/projects/{project}", self.remove),
        ]

    async def list(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.READ)
        found = await self.rest.read(actor, lambda app: app.workspace.projects(actor))
        return JSONResponse({"projects": [_shown(one) for one in found]})

    async def add(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.WRITE)
        given = validated(ProjectGiven, await document_of(request, _LARGEST_BODY))
        new = NewProject(given.key, tuple(given.roots or ()), given.id, given.name)
        project = await self.rest.write(actor, lambda app: app.workspace.add_project(actor, new))
        return JSONResponse({"project": _shown(project)}, status_code=201)

    async def get(self, request: Request) -> Response:
        actor, named = self.rest.actor(request, Scope.READ), request.path_params["project"]
        project = await self.rest.read(actor, lambda app: app.workspace.project(actor, named))
        return JSONResponse({"project": _shown(project)})

    async def remove(self, request: Request) -> Response:
        actor, named = self.rest.actor(request, Scope.WRITE), request.path_params["project"]
        await self.rest.write(actor, lambda app: app.workspace.remove_project(actor, named))
        return JSONResponse({"success": True})


def _shown(project: Project) -> dict[str, Any]:
    return {to_camel(name): value for name, value in project_document(project).items()}
