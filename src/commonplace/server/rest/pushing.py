"""Pushing a folder over REST: first its manifest, then the bytes that the server lacks."""

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
from commonplace.server.rest.handling import Rest, json_object
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated
from commonplace.workspace.pushing.manifest import FolderManifest, PushedFile

_MANIFEST_BYTES_A_FILE = 2_000


class PushedFileBody(Arguments):
    path: str
    digest: str
    size: int


class ManifestBody(Arguments):
    """A folder of a project, with the digests of all its files."""

    model_config = ConfigDict(strict=False, alias_generator=to_camel, validate_by_name=False)

    project: str
    name: str
    knowledge_type: KnowledgeType = KnowledgeType.CODE
    files: list[PushedFileBody]


@dataclass(frozen=True, slots=True)
class PushApi:
    rest: Rest

    def routes(self) -> list[Route]:
        return [
            self.rest.route("POST", "/api/push", self.push),
            self.rest.route("PUT", "/api/push/{digest}", self.keep),
        ]

    async def push(self, request: Request) -> Response:
        """Apply a manifest, or answer which files' bytes are missing."""
        actor = self.rest.actor(request, Scope.WRITE)
        max_bytes = _MANIFEST_BYTES_A_FILE * (self.rest.settings.max_source_files + 1)
        body = validated(ManifestBody, await json_object(request, max_bytes))
        files = tuple(PushedFile(file.path, file.digest, file.size) for file in body.files)
        manifest = FolderManifest(body.project, body.name, body.knowledge_type, files)
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
