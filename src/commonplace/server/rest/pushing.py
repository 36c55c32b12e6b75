"""The REST side of pushing a folder: what it holds, and the bytes that are not here yet."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.model.actor import Scope
from commonplace.model.workspace import KnowledgeType
from commonplace.server.bodies import whole_body
from commonplace.server.rest.handling import Rest, document_of
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated
from commonplace.workspace.pushing.manifest import FolderManifest, PushedFile

_ROOM_A_FILE = 2_000


class FileGiven(Arguments):
    path: str
    digest: str
    size: int


class ManifestGiven(Arguments):
    """A folder of a project, with all its files."""

    model_config = ConfigDict(strict=False, alias_generator=to_camel, validate_by_name=False)

    project: str
    name: str
    knowledge_type: KnowledgeType = KnowledgeType.CODE
    files: list[FileGiven]


@dataclass(frozen=True, slots=True)
class PushApi:
    rest: Rest

    def routes(self) -> list[Route]:
        return [
            self.rest.route("POST", "/api/push", self.push),
            self.rest.route("PUT", "/api/push/{digest}", self.keep),
        ]

    async def push(self, request: Request) -> Response:
        """What is missing, or, when nothing is, what was changed."""
        actor = self.rest.actor(request, Scope.WRITE)
        room = _ROOM_A_FILE * (self.rest.settings.max_source_files + 1)
        given = validated(ManifestGiven, await document_of(request, room))
        files = tuple(PushedFile(file.path, file.digest, file.size) for file in given.files)
        manifest = FolderManifest(given.project, given.name, given.knowledge_type, files)
        done = await self.rest.write(actor, lambda app: app.pushes.push(actor, manifest))
        if done.missing:
            return JSONResponse({"done": False, "missing": list(done.missing)})
        return JSONResponse(
            {
                "done": True,
                "resourceId": done.resource_id,
                "attachmentId": done.attachment_id,
                "runId": done.run_id or None,
                "written": done.written,
                "removed": done.removed,
            }
        )

    async def keep(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.WRITE)
        digest = request.path_params["digest"]
        data = await whole_body(request, self.rest.settings.source_max_bytes)
        await self.rest.write(actor, lambda app: app.pushes.keep(actor, digest, data))
        return JSONResponse({"success": True}, status_code=201)
