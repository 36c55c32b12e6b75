"""Agents that store and search without a pause, and remember what they were promised."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from tests.surfaces.clients import Caller
from tests.waiting import eventually


class Agents:
    """What was acknowledged, which errors there were, and how long the longest call took."""

    def __init__(self, callers: list[Caller]) -> None:
        self._callers = callers
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self.acknowledged: dict[str, str] = {}
        self.errors: Counter[str] = Counter()
        self.waits: set[int] = set()
        self.moments: list[float] = []
        self.longest = 0.0

    @contextmanager
    def calling(self) -> Iterator[None]:
        with ThreadPoolExecutor(len(self._callers)) as pool:
            calls = [pool.submit(self._call, number) for number in range(len(self._callers))]
            try:
                yield
            finally:
                self._stop.set()
        for call in calls:
            call.result()

    def wait_for(self, more: int) -> None:
        """Until so many more entries have been acknowledged."""
        wanted = len(self.acknowledged) + more
        eventually(lambda: len(self.acknowledged) >= wanted)

    def longest_pause(self, since: float) -> float:
        """Seconds in which nothing was acknowledged, from a moment on until now."""
        moments = [since, *(moment for moment in sorted(self.moments) if moment > since)]
        return max(after - before for before, after in pairwise(moments))

    def wait_for_errors(self) -> None:
        seen = self.errors.total()
        eventually(lambda: self.errors.total() > seen)

    def _call(self, number: int) -> None:
        turn = 0
        while not self._stop.is_set():
            turn += 1
            title = f"Agent {number} entry {turn}"
            stored = self._asked(number, "store_knowledge", title=title, body="harvest")
            if stored is not None:
                self.acknowledged[stored["id"]] = title
                self.moments.append(time.monotonic())
            self._asked(number, "search_knowledge", query=title)

    def _asked(self, number: int, tool: str, **given: Any) -> dict[str, Any] | None:
        started = time.monotonic()
        answer, failed = self._answer(number, tool, given)
        with self._lock:
            self.longest = max(self.longest, time.monotonic() - started)
            if failed:
                self.errors[answer["error"]["code"]] += 1
                self.waits.add(answer["error"].get("retryAfter", 0))
        return None if failed else answer

    def _answer(self, number: int, tool: str, given: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        result = self._callers[number].ask(tool, **given)
        assert result.structured_content is not None
        return result.structured_content, bool(result.is_error)


def assert_kept(caller: Caller, acknowledged: dict[str, str]) -> None:
    """Everything that was promised is there, and embedded in the end."""
    for id, title in acknowledged.items():
        assert caller.read(f"commonplace://knowledge/{id}")["title"] == title
    eventually(lambda: caller.call("search_knowledge", query="harvest")["pending"] == 0)
