"""MCP resources: listing, reading and completing those of the surfaces."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError, InsufficientScope, InternalError, NotFound
from commonplace.model.actor import Actor, Scope
from commonplace.surfaces.call import require
from commonplace.surfaces.tool import Complete, PromptKind, ResourceKind
from commonplace.text.gate import unstorable

WARNINGS = "commonplace/warnings"
_LOG = logging.getLogger("commonplace.server")
# Protocol revisions before this one have a separate error code for a missing resource.
_WITHOUT_OWN_CODE = "2026-07-28"
_RESOURCE_NOT_FOUND = -32002
_PAGE = 100
_MAX_COMPLETIONS = 100


class McpResources:
    """The resources of all surfaces. Its methods read the store, so call them in a thread."""

    def __init__(self, application: LazyApplication, kinds: Sequence[ResourceKind]) -> None:
        self._application = application
        self._kinds = kinds

    def templates(self) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    name=kind.name,
                    title=kind.title,
                    description=kind.description,
                    uri_template=kind.template,
                    mime_type=kind.media_type,
                )
                for kind in self._kinds
            ]
        )

    def page(self, actor: Actor, offset: int) -> types.ListResourcesResult:
        with _as_mcp_errors():
            listed = [one for kind in self._kinds for one in self._page_of(kind, actor, offset)]
        more = len(listed) > _PAGE
        return types.ListResourcesResult(
            resources=listed[:_PAGE], next_cursor=str(offset + _PAGE) if more else None
        )

    def _page_of(self, kind: ResourceKind, actor: Actor, offset: int) -> list[types.Resource]:
        """A page of one kind of resources, plus one more if there are more."""
        if kind.page is None:
            return []
        require(actor, kind.scope)
        return [
            types.Resource(
                uri=listed.uri,
                name=listed.name,
                description=listed.description,
                mime_type=kind.media_type,
            )
            for listed in kind.page(self._application.get(), actor, _PAGE + 1, offset)
        ]

    def read(self, actor: Actor, uri: str, missing_code: int) -> types.ReadResourceResult:
        """The contents of a resource. One that the actor may not see is reported as missing."""
        try:
            with _as_mcp_errors():
                return types.ReadResourceResult(contents=[self._contents(actor, uri)])
        except NotFound as missing:
            details = {"uri": uri, "code": NotFound.code}
            hint = {"hint": missing.hint} if missing.hint else {}
            raise MCPError(missing_code, "Resource not found", {**details, **hint}) from None

    def _contents(self, actor: Actor, uri: str) -> types.TextResourceContents:
        for kind in self._kinds:
            if (id := resource_id(kind, uri)) is not None:
                require(actor, kind.scope)
                application = self._application.get()
                content = kind.read(application, actor, id)
                text = _text_of(content)
                application.capture.remember(actor, text, asked=uri)
                return types.TextResourceContents(
                    uri=uri, mime_type=kind.media_type, text=text, _meta=_warnings_of(content)
                )
        raise NotFound

    def complete(
        self, actor: Actor, prompts: Mapping[str, PromptKind], params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """Completions of a resource's id or a prompt's argument; none if it has no completer."""
        found: Sequence[str] = []
        if complete := self._completer(prompts, params.ref, params.argument.name):
            with _as_mcp_errors():
                require(actor, Scope.READ)
                found = complete(self._application.get(), actor, params.argument.value)
        shown = list(found[:_MAX_COMPLETIONS])
        more = len(found) > len(shown)
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(found), has_more=more)
        )

    def _completer(
        self,
        prompts: Mapping[str, PromptKind],
        ref: types.PromptReference | types.ResourceTemplateReference,
        argument: str,
    ) -> Complete | None:
        if isinstance(ref, types.ResourceTemplateReference):
            return next((one.complete for one in self._kinds if one.template == ref.uri), None)
        fields = prompts[ref.name].arguments if ref.name in prompts else ()
        return next((one.complete for one in fields if one.name == argument), None)


def resource_id(kind: ResourceKind, uri: str) -> str | None:
    for template in (kind.template, *kind.aliases):
        before, _, after = template.partition("{id}")
        id = uri.removeprefix(before).removesuffix(after)
        if uri == f"{before}{id}{after}" and "/" not in id:
            return None if unstorable(id) else id
    return None


def offset_of(cursor: str | None) -> int:
    """The offset in a cursor of ours; an error for anything else."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        raise MCPError(types.INVALID_PARAMS, "Unknown cursor")
    return int(cursor)


def not_found_code(revision: str) -> int:
    return _RESOURCE_NOT_FOUND if revision < _WITHOUT_OWN_CODE else types.INVALID_PARAMS


def _text_of(content: BaseModel | str) -> str:
    if isinstance(content, str):
        return content
    return json.dumps(content.model_dump(mode="json", by_alias=True), ensure_ascii=False)


def _warnings_of(content: BaseModel | str) -> dict[str, Any] | None:
    """Metadata with the warnings of plain text; a document has its own field for them."""
    from commonplace.safety.warnings import warnings_of

    warnings = warnings_of(content) if isinstance(content, str) else []
    return {WARNINGS: warnings} if warnings else None


@contextmanager
def _as_mcp_errors() -> Iterator[None]:
    """Convert errors to protocol errors; NotFound passes, for the caller to convert."""
    try:
        yield
    except NotFound:
        raise
    except InsufficientScope as error:
        raise MCPError(types.INVALID_REQUEST, error.message, {"code": error.code}) from None
    except CommonplaceError as error:
        raise MCPError(types.INTERNAL_ERROR, error.message, {"code": error.code}) from None
    except Exception:  # noqa: BLE001 - clients learn no details of an internal error
        _LOG.exception("resource failed")
        hidden = InternalError()
        raise MCPError(types.INTERNAL_ERROR, hidden.message, {"code": hidden.code}) from None
