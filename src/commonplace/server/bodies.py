"""Request bodies up to a size: what is larger is refused before it is taken in."""

from __future__ import annotations

from starlette.requests import Request
from starlette.types import Message

from commonplace.errors import SourceTooLarge


async def whole_body(request: Request, most: int) -> bytes:
    return await limited(request, most).body()


def limited(request: Request, most: int) -> Request:
    """The same request; reading more than so many bytes of it raises SourceTooLarge."""
    refusal = SourceTooLarge(f"The request has more than {most:,} bytes.")
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > most:
        raise refusal
    taken = 0

    async def receive() -> Message:
        nonlocal taken
        message = await request.receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise refusal
        return message

    return Request(request.scope, receive)
