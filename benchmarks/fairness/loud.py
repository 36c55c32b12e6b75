"""The loud org at its worst, in a process of its own so that it disturbs only the server.

python -m benchmarks.fairness.loud PLAN, a JSON object; that it begins, and how each of its
calls ended, is printed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import anyio
from mcp import Client

from benchmarks.fairness.callers import rest, text_of
from benchmarks.fairness.installation import LOUD, Installation
from benchmarks.load.clients import connected

NOTES, NOTE_LENGTH = 60, 32_000
CAPTURES, CAPTURE_LENGTH = 45, 900_000
FILES, FILE_LENGTH = 8, 250_000


async def store_notes(place: Installation) -> None:
    """One minute of a token's limit, one after the other."""
    async with connected(place.address, place.tokens[f"{LOUD}/writer"]) as client:
        for number in range(NOTES):
            note = {"title": f"Long {number}", "body": text_of(NOTE_LENGTH, 1000 + number)}
            await _told(partial(client.call_tool, "store_knowledge", note))


async def capture(place: Installation) -> None:
    """All at once."""
    item = {"type": "pattern", "project": "noise", "file_context": "noise.py"}
    content = text_of(CAPTURE_LENGTH, 2000)

    async def one(client: Client, number: int) -> None:
        given = {**item, "summary": f"Capture {number}", "content": f"{number}\n\n{content}"}
        await _told(partial(client.call_tool, "capture_knowledge", given))

    async with (
        connected(place.address, place.tokens[f"{LOUD}/writer"]) as client,
        anyio.create_task_group() as group,
    ):
        for number in range(CAPTURES):
            group.start_soon(one, client, number)


async def send_files(place: Installation) -> None:
    """Each takes many seconds to read and to embed."""
    async with rest(place, f"{LOUD}/writer") as http:
        for number in range(FILES):
            sent = {"file": (f"slow-{number}.md", text_of(FILE_LENGTH, 3000 + number).encode())}
            answer = await http.post("/api/sources", files=sent, data={"workspaceId": "w"})
            print("accepted" if answer.status_code == 201 else "refused", flush=True)


async def _told(call: Callable[[], Awaitable[Any]]) -> None:
    try:
        answer = await call()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told in the report
        print(type(error).__name__, flush=True)
    else:
        print("refused" if answer.is_error else "accepted", flush=True)


LOADS: dict[str, Callable[[Installation], Awaitable[None]]] = {
    f"{NOTES} notes of {NOTE_LENGTH:,} characters": store_notes,
    f"{CAPTURES} captures of {CAPTURE_LENGTH:,} characters at once": capture,
    f"{FILES} files of {FILE_LENGTH:,} characters": send_files,
}


def main() -> None:
    plan = json.loads(sys.argv[1])
    print("begun", flush=True)
    anyio.run(LOADS[plan["load"]], Installation(plan["address"], plan["tokens"]))


if __name__ == "__main__":
    main()
