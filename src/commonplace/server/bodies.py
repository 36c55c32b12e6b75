"""Request bodies of limited size: larger ones are refused before they are read completely."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Message

from commonplace.errors import SourceTooLarge


async def whole_body(request: Request, max_bytes: int) -> bytes:
    return await limited(request, max_bytes).body()


def limited(request: Request, max_bytes: int) -> Request:
    """The same request, whose body raises SourceTooLarge when it exceeds a size."""
    refusal = SourceTooLarge(f"The request has more than {max_bytes:,} bytes.")
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > max_bytes:
        raise refusal
    received = 0

    async def receive() -> Message:
        nonlocal received
        message = await request.receive()
        received += len(message.get("body", b""))
        if received > max_bytes:
            raise refusal
        return message

    return Request(request.scope, receive)
