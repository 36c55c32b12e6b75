"""What the quiet org does: it searches, and adds one thing whose time to meaning is taken."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
import httpx2
from mcp import Client

from benchmarks.fairness.installation import QUIET, Installation
from benchmarks.load.clients import VOCABULARY, connected

_SEARCH_EVERY = 0.5
_LOOK_EVERY = 0.25
_CORPUS = 12
_PATIENCE = 60.0


@dataclass(slots=True)
class Experience:
    """Of the quiet org: seconds of each search and to the meaning of what it added, if it came."""

    searches: list[float] = field(default_factory=list)
    failed: int = 0
    meaning: float | None = None


def text_of(length: int, seed: int) -> str:
    dice = random.Random(seed)
    words = VOCABULARY.split()
    lines = (" ".join(dice.choices(words, k=12)) + "." for _ in range(length // 60))
    return "\n\n".join(lines)[:length]


async def settle(place: Installation) -> None:
    """A few notes of the quiet org, embedded: the model is in memory and there is what to find."""
    async with connected(place.address, place.tokens[f"{QUIET}/writer"]) as client:
        for number in range(_CORPUS):
            title, body = f"Note {number}", text_of(300, number)
            await client.call_tool("store_knowledge", {"title": title, "body": body})
        with anyio.move_on_after(_PATIENCE):
            await _until(partial(_embedded, client))


async def live(place: Installation, seconds: float, files: bool) -> Experience:
    """Searches all the time; what is added early on is a note, or a page where files compete."""
    lived = Experience()
    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            group.start_soon(_search, place, lived)
            group.start_soon(_add_page if files else _add_note, place, lived)
    return lived


async def _search(place: Installation, lived: Experience) -> None:
    dice = random.Random(0)
    async with connected(place.address, place.tokens[f"{QUIET}/reader"]) as client:
        while True:
            query = " ".join(dice.choices(VOCABULARY.split(), k=2))
            began = time.monotonic()
            # One that is cut off when the time is over has taken this long at least.
            try:
                answer = await client.call_tool("search_knowledge", {"query": query})
                lived.failed += bool(answer.is_error)
            finally:
                lived.searches.append(time.monotonic() - began)
            await anyio.sleep(max(0.0, _SEARCH_EVERY - (time.monotonic() - began)))


async def _add_note(place: Installation, lived: Experience) -> None:
    began = time.monotonic()
    note = {"title": f"At {began}", "body": text_of(300, int(began))}
    async with connected(place.address, place.tokens[f"{QUIET}/writer"]) as client:
        await client.call_tool("store_knowledge", note)
    async with connected(place.address, place.tokens[f"{QUIET}/onlooker"]) as client:
        await _until(partial(_embedded, client))
    lived.meaning = time.monotonic() - began


async def _add_page(place: Installation, lived: Experience) -> None:
    began = time.monotonic()
    page = {"type": "page", "workspaceId": "w", "title": f"At {began}"}
    page["content"] = text_of(300, int(began))
    async with rest(place, f"{QUIET}/writer") as http:
        id = (await http.post("/api/sources", json=page)).json()["source"]["id"]
    async with rest(place, f"{QUIET}/onlooker") as http:
        await _until(partial(_ready, http, id))
    lived.meaning = time.monotonic() - began


async def _embedded(client: Client) -> bool:
    found = await client.call_tool("search_knowledge", {"query": "harvest"})
    return found.structured_content is not None and not found.structured_content["pending"]


async def _ready(http: httpx2.AsyncClient, id: str) -> bool:
    source: dict[str, Any] = (await http.get(f"/api/sources/{id}")).json()["source"]
    return bool(source["status"] == "ready")


async def _until(met: Callable[[], Awaitable[bool]]) -> None:
    while not await met():  # noqa: ASYNC110 - it is a server that is waited for
        await anyio.sleep(_LOOK_EVERY)


def rest(place: Installation, caller: str) -> httpx2.AsyncClient:
    headers = {"Authorization": f"Bearer {place.tokens[caller]}"}
    return httpx2.AsyncClient(base_url=place.address, headers=headers, timeout=_PATIENCE)
