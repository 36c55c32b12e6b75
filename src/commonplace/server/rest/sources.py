"""Sources over REST: add, list, show, search, refresh, remove."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.application import Application
from commonplace.documents.rules import NewSource
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Scope
from commonplace.model.call import PLAIN_CALL
from commonplace.model.query import Reach
from commonplace.model.source import SourceScope, SourceType
from commonplace.server.bodies import limited, whole_body
from commonplace.server.rest.handling import Rest, json_object, object_of
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated
from commonplace.surfaces.documents import wire
from commonplace.surfaces.documents.tools import search

_FORM_ROOM = 100_000


class SourceBody(Arguments):
    """The fields of a new source; a file is sent as a form, with its bytes in a separate part."""

    model_config = ConfigDict(strict=False, alias_generator=to_camel, validate_by_name=False)

    type: SourceType
    workspace_id: str | None = None
    space_id: str | None = None
    scope: SourceScope | None = None
    name: str | None = None
    source_url: str = ""
    title: str = ""
    content: str = ""


class ChunksParameters(Arguments):
    model_config = ConfigDict(strict=False)

    limit: Annotated[int, Field(ge=1, le=500)] = 50
    offset: Annotated[int, Field(ge=0)] = 0


class ReachParameters(Arguments):
    model_config = ConfigDict(strict=False, alias_generator=to_camel, validate_by_name=False)

    workspace_id: str | None = None
    space_id: str | None = None


@dataclass(frozen=True, slots=True)
class SourcesApi:
    rest: Rest

    def routes(self) -> list[Route]:
        return [
            self.rest.route("GET", "/api/sources", self.list),
            self.rest.route("POST", "/api/sources", self.add),
            self.rest.route("POST", "/api/sources/search", self.search),
            self.rest.route("POST", "/api/sources/refresh-all", self.refresh_all),
            self.rest.route("GET", "/api/sources/{id}", self.get),
            self.rest.route("DELETE", "/api/sources/{id}", self.remove),
            self.rest.route("GET", "/api/sources/{id}/chunks", self.chunks),
            self.rest.route("POST", "/api/sources/{id}/refresh", self.refresh),
        ]

    async def list(self, request: Request) -> Response:
        reach = _reach(request)
        actor = self.rest.actor(request, Scope.READ)
        sources = await self.rest.read(actor, lambda app: app.documents.in_reach(actor, reach))
        return _response(wire.list_answer(sources))

    async def add(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.WRITE)
        new = await self._new_source(request)
        source = await self.rest.write(actor, lambda app: app.documents.add(actor, new))
        return _response(wire.GetAnswer(source=wire.source_details(source)), 201)

    async def get(self, request: Request) -> Response:
        actor, id = self.rest.actor(request, Scope.READ), request.path_params["id"]
        source = await self.rest.read(actor, lambda app: app.documents.get(actor, id))
        return _response(wire.GetAnswer(source=wire.source_details(source)))

    async def chunks(self, request: Request) -> Response:
        actor, id = self.rest.actor(request, Scope.READ), request.path_params["id"]
        parameters = validated(ChunksParameters, dict(request.query_params))

        def shown(app: Application) -> list[dict[str, Any]]:
            source = app.documents.get(actor, id)
            found = app.documents.chunks(actor, id, parameters.limit, parameters.offset)
            return [_document(wire.chunk_shown(chunk, source)) for chunk in found]

        return JSONResponse({"chunks": await self.rest.read(actor, shown)})

    async def refresh(self, request: Request) -> Response:
        """Queue a source to be read again; a body replaces what the source was added with."""
        actor, id = self.rest.actor(request, Scope.WRITE), request.path_params["id"]
        new = await self._replacement(request)
        await self.rest.write(actor, lambda app: app.documents.refresh(actor, id, new))
        return JSONResponse({"success": True})

    async def refresh_all(self, request: Request) -> Response:
        reach = _reach(request)
        actor = self.rest.actor(request, Scope.WRITE)
        count = await self.rest.write(actor, lambda app: app.documents.refresh_all(actor, reach))
        return JSONResponse({"refreshed": count})

    async def remove(self, request: Request) -> Response:
        actor, id = self.rest.actor(request, Scope.WRITE), request.path_params["id"]
        await self.rest.write(actor, lambda app: app.documents.remove(actor, id))
        return JSONResponse({"success": True})

    async def search(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.READ)
        given = validated(wire.SearchArguments, await json_object(request, _FORM_ROOM))
        answer = await self.rest.read(actor, lambda app: search(app, actor, given, PLAIN_CALL))
        return _response(answer)

    async def _new_source(self, request: Request) -> NewSource:
        if not _is_form(request):
            return _new_source(await json_object(request, self._room))
        async with limited(request, self._room).form(max_files=1, max_fields=20) as form:
            return await _of_form(form)

    async def _replacement(self, request: Request) -> NewSource | None:
        """The source in the body, or None; a streamed body may turn out to be empty."""
        if _is_form(request):
            return await self._new_source(request)
        body = await whole_body(request, self._room)
        return _new_source(object_of(body)) if body else None

    @property
    def _room(self) -> int:
        return self.rest.settings.source_max_bytes + _FORM_ROOM


def _is_form(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("multipart/form-data")


async def _of_form(form: FormData) -> NewSource:
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    upload = form.get("file")
    if not isinstance(upload, UploadFile):
        raise InvalidArgument("The form must have a part named file.", field="file")
    data = await upload.read()
    return _new_source(
        {"type": "file", **fields}, data, upload.filename or "", upload.content_type or ""
    )


def _new_source(
    fields: dict[str, Any], data: bytes = b"", file_name: str = "", media_type: str = ""
) -> NewSource:
    given = validated(SourceBody, fields)
    if given.type is SourceType.FILE and not file_name:
        raise InvalidArgument("A file is sent as a form, in a part named file.", field="file")
    return NewSource(
        type=given.type,
        workspace=given.workspace_id,
        space=given.space_id,
        scope=given.scope,
        name=given.name,
        url=given.source_url,
        file_name=file_name,
        data=data,
        media_type=media_type,
        title=given.title or given.name or "",
        text=given.content,
    )


def _reach(request: Request) -> Reach | None:
    parameters = validated(ReachParameters, dict(request.query_params))
    return Reach(parameters.workspace_id, parameters.space_id) if parameters.workspace_id else None


def _document(shown: BaseModel) -> dict[str, Any]:
    return shown.model_dump(mode="json", by_alias=True)


def _response(answer: BaseModel, status: int = 200) -> Response:
    return JSONResponse(_document(answer), status_code=status)
