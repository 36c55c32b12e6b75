"""Recent answers of the server, so that a repetition of them is not captured.

Holds a bounded amount, each agent's apart: what another was told is none of its business. What time
it is, the caller says.
"""

from __future__ import annotations

import threading
from collections import deque
from functools import cached_property

from commonplace.capture.likeness import Fingerprint, fingerprint
from commonplace.model.verdict import Peer

LONGEST_ANSWER = 200_000
MOST_CHARACTERS = 1_000_000
REMEMBERED_SECONDS = 3600.0


class _Answer:
    """One answer; its fingerprint is computed once, when it is first needed."""

    def __init__(self, at: float, reader: Peer, text: str, asked: str) -> None:
        self.at = at
        self.reader = reader
        self.length = len(text)
        self._text = text
        self._asked = asked

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint without the caller's own words, because answers repeat the query."""
        whole = fingerprint(self._text)
        return Fingerprint(whole.shingles - fingerprint(self._asked).shingles, whole.facts)


class HandedOut:
    """The latest answers of this process."""

    def __init__(self) -> None:
        self._answers: deque[_Answer] = deque()
        self._held = 0
        self._lock = threading.Lock()

    def add(self, reader: Peer, text: str, asked: str, at: float) -> None:
        answer = _Answer(at, reader, text[:LONGEST_ANSWER], asked)
        with self._lock:
            self._answers.append(answer)
            self._held += answer.length
            while self._held > MOST_CHARACTERS:
                self._held -= self._answers.popleft().length

    def of(self, reader: Peer, now: float) -> list[Fingerprint]:
        since = now - REMEMBERED_SECONDS
        with self._lock:
            lately = [a for a in self._answers if a.reader == reader and a.at > since]
        return [answer.fingerprint for answer in lately]
