"""Projects over REST: add, list, show, remove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.model.actor import Scope
from commonplace.model.workspace import Project
from commonplace.server.rest.handling import Rest, json_object
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated
from commonplace.workspace.projects.identity import NewProject, project_document

_LARGEST_BODY = 100_000


class ProjectBody(Arguments):
    """A new project, or additional roots for the existing project with the key."""

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
        return JSONResponse({"projects": [_document(one) for one in found]})

    async def add(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.WRITE)
        body = validated(ProjectBody, await json_object(request, _LARGEST_BODY))
        new = NewProject(body.key, tuple(body.roots or ()), body.id, body.name)
        project = await self.rest.write(actor, lambda app: app.workspace.add_project(actor, new))
        return JSONResponse({"project": _document(project)}, status_code=201)

    async def get(self, request: Request) -> Response:
        actor, named = self.rest.actor(request, Scope.READ), request.path_params["project"]
        project = await self.rest.read(actor, lambda app: app.workspace.project(actor, named))
        return JSONResponse({"project": _document(project)})

    async def remove(self, request: Request) -> Response:
        actor, named = self.rest.actor(request, Scope.WRITE), request.path_params["project"]
        await self.rest.write(actor, lambda app: app.workspace.remove_project(actor, named))
        return JSONResponse({"success": True})


def _document(project: Project) -> dict[str, Any]:
    return {to_camel(name): value for name, value in project_document(project).items()}
