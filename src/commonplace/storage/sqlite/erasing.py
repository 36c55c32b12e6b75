"""Erases deleted text from the file in short steps, between which others may write."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from commonplace.storage.sqlite import connections
from commonplace.storage.sqlite.connections import SqliteConnection, gate, transaction

_PAGES_AT_ONCE = 64
_PAUSE_SECONDS = 0.02
# The record in which FTS5 keeps its segments by level, behind four bytes that count its options.
_STRUCTURE = 10
_OPTIONS_BYTES = 4

Turn = Callable[[], AbstractContextManager[SqliteConnection]]


def merge_tokens(turn: Turn) -> None:
    """Merge the text index, which drops deleted tokens. Does not wait for the end of what others
    add meanwhile.

    FTS5's own `optimize` does the same in one transaction.
    """
    begun = _merge(turn, -_PAGES_AT_ONCE)
    if begun >= 0:
        while _merge(turn, _PAGES_AT_ONCE) >= begun:
            pass


def _merge(turn: Turn, pages: int) -> int:
    """Do one step; below zero, it begins anew with all segments. Returns the highest level that is
    being merged, or -1."""
    started = time.monotonic()
    with turn() as connection, transaction(connection, write=True, derived=True), gate():
        # With more, small new segments could keep it from going on with few large ones.
        for command, value in (("usermerge", 2), ("merge", pages)):
            connection.execute(
                "INSERT INTO passages_fts (passages_fts, rank) VALUES (?, ?)", (command, value)
            )
        (structure,) = connection.execute(
            "SELECT block FROM passages_fts_data WHERE id = ?", (_STRUCTURE,)
        ).fetchone()
    pause(time.monotonic() - started)
    return _highest_merged(structure)


def _highest_merged(structure: bytes) -> int:
    numbers = _numbers(structure[_OPTIONS_BYTES:])
    levels, _segments, _written = (next(numbers) for _ in range(3))
    highest = -1
    for level in range(levels):
        merged, segments = next(numbers), next(numbers)
        for _ in range(3 * segments):
            next(numbers)
        if merged:
            highest = level
    return highest


def _numbers(data: bytes) -> Iterator[int]:
    """Numbers of variable length, seven bits to a byte."""
    number = 0
    for byte in data:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            yield number
            number = 0


def empty_log(turn: Turn) -> bool:
    """Empty the write-ahead log of old pages; False if a reader needs them for too long.

    Writers have to wait during an attempt, so each is short.
    """
    deadline = time.monotonic() + connections.BUSY_SECONDS
    while True:
        with turn() as connection, gate():
            _wait_at_most(connection, _PAUSE_SECONDS)
            try:
                needed = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            finally:
                _wait_at_most(connection, connections.BUSY_SECONDS)
        if not needed or time.monotonic() >= deadline:
            return not needed
        pause(_PAUSE_SECONDS)


def _wait_at_most(connection: SqliteConnection, seconds: float) -> None:
    connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")


def pause(seconds: float) -> None:
    """Leave the write lock to other processes, which look for it every few milliseconds."""
    time.sleep(min(seconds, _PAUSE_SECONDS))
