"""Extracts the scripts of Vue and Svelte components: blanks the rest, without moving a byte."""

from __future__ import annotations

import re

_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_END = re.compile(rb"</script\s*+>", re.IGNORECASE)
_NO_BREAK = re.compile(rb"[^\n]")


def scripts_of(source: bytes) -> bytes:
    kept, place = [], 0
    while (begin := _SCRIPT.search(source, place)) is not None:
        # Searched separately: one expression for the whole tag would rescan from every start.
        start = source.find(b">", begin.end()) + 1
        if not start:
            break
        end = _END.search(source, start)
        until = end.start() if end else len(source)
        kept += [_blank(source[place:start]), source[start:until]]
        place = until
    return b"".join([*kept, _blank(source[place:])])


def _blank(text: bytes) -> bytes:
    return _NO_BREAK.sub(b" ", text)
