"""Reads lines that the MCP SDK refuses to read, or answers them: their sender may be waiting."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import Any

import mcp_types as types
from anyio.streams.memory import MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import ErrorDetails

_NO_MESSAGE = "The line is not a JSON-RPC message."
_OF_THE_WHOLE = 1  # the first part of a location is the kind of message that was tried

Incoming = SessionMessage | Exception
Send = Callable[[SessionMessage], Awaitable[None]]


async def pass_on(
    incoming: AsyncIterable[Incoming], messages: MemoryObjectSendStream[Incoming], answer: Send
) -> None:
    """Pass on messages, and answer lines that are none; the SDK only drops these."""
    async with messages:
        async for item in incoming:
            read = _read_again(item) if isinstance(item, ValidationError) else item
            if isinstance(read, types.JSONRPCError):
                await answer(SessionMessage(read))
            elif read is not None:
                await messages.send(read)


def _read_again(refused: ValidationError) -> SessionMessage | types.JSONRPCError | None:
    """The message in a refused line, else the answer to it; None for an empty line."""
    nearest = min(refused.errors(), key=_depth)
    document = nearest["input"]
    if nearest["type"] != "json_invalid":
        whole = _depth(nearest) <= _OF_THE_WHOLE
        return _refusal(types.INVALID_REQUEST, _NO_MESSAGE, document if whole else None)
    if not document.strip():
        return None
    try:
        document = _document_in(document)
    except (RecursionError, ValueError):
        return _refusal(types.PARSE_ERROR, "The line is not JSON.", None)
    try:
        return SessionMessage(
            types.jsonrpc_message_adapter.validate_python(document, by_name=False)
        )
    except ValidationError:
        return _refusal(types.INVALID_REQUEST, _NO_MESSAGE, document)


def _depth(error: ErrorDetails) -> int:
    """How deep in the document the input of an error is; of a missing field it is the object."""
    return len(error["loc"]) - (error["type"] == "missing")


def _document_in(line: str) -> Any:
    """The document in a line with half a character, which only Python's reader takes.

    Clients send it that cut a text in the middle of an emoji. It stays in the arguments of a tool,
    which refuses it by their names. Anywhere else it is dropped: an answer may repeat that, and
    could not be sent.
    """
    given = json.loads(line)
    document = json.loads(json.dumps(given, ensure_ascii=False).encode(errors="ignore"))
    match given:
        case {"method": "tools/call", "params": {"arguments": arguments}}:
            document["params"]["arguments"] = arguments
    return document


def _refusal(code: int, message: str, document: Any) -> types.JSONRPCError:
    id = document.get("id") if isinstance(document, dict) else None
    known = id if type(id) in (str, int) else None
    return types.JSONRPCError(
        jsonrpc="2.0", id=known, error=types.ErrorData(code=code, message=message)
    )
