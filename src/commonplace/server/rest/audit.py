"""The audit log over REST, page by page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.model.actor import Scope
from commonplace.model.change import AuditQuery, AuditTrail, Change
from commonplace.server.rest.handling import Rest
from commonplace.surfaces.arguments import Arguments
from commonplace.surfaces.call import validated


class AuditParameters(Arguments):
    """The query parameters; a time without a zone is UTC."""

    model_config = ConfigDict(strict=False)

    after: Annotated[str, Field(max_length=100)] = ""
    limit: Annotated[int, Field(ge=1, le=1000)] = 100
    since: datetime | None = None
    agent: Annotated[str, Field(max_length=1000)] | None = None
    entity: Annotated[str, Field(max_length=1000)] | None = None


@dataclass(frozen=True, slots=True)
class AuditApi:
    rest: Rest

    def routes(self) -> list[Route]:
        return [self.rest.route("GET", "/api/audit", self.page)]

    async def page(self, request: Request) -> Response:
        actor = self.rest.actor(request, Scope.AUDIT)
        parameters = validated(AuditParameters, dict(request.query_params))
        since = parameters.since
        if since is not None and since.tzinfo is None:
            since = since.replace(tzinfo=UTC)
        query = AuditQuery.of(
            parameters.after, parameters.limit, since, parameters.agent, parameters.entity
        )
        trail = await self.rest.read(actor, lambda app: app.audit.changes(actor, query))
        return JSONResponse(trail_document(trail))


def trail_document(trail: AuditTrail) -> dict[str, Any]:
    located = zip(trail.changes, trail.places, strict=True)
    return {
        "changes": [change_document(change, place) for change, place in located],
        "next": trail.cursor,
    }


def change_document(change: Change, place: str) -> dict[str, Any]:
    """Who changed what, when and through which client, without the content."""
    return {
        "cursor": place,
        "at": change.at.isoformat(),
        "org": change.org,
        "agent": change.agent,
        "client": change.client,
        "operation": change.operation.value,
        "entity": change.entity,
        "id": change.entity_id,
        "revision": change.revision,
    }
