"""Reads documents in a child process, with a fork and limits of time, memory and size for each."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
from commonplace.reading.extraction import ReadingLimits
from commonplace.reading.port import Original

_PARSE = "commonplace.reading.parsing:parse"
# A character takes up to six bytes of JSON; blocks are added to that.
_BYTES_A_CHARACTER = 8
_ROOM = 1 << 20


class SandboxedReader:
    """Implements port.Reader; reads one document at a time."""

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._process = PipedChildProcess(
            _PARSE,
            ProcessLimits(
                limits.seconds,
                limits.memory_bytes,
                answer_bytes=_BYTES_A_CHARACTER * limits.chars + _ROOM,
                forked=True,
            ),
        )

    def read(self, original: Original, call: Call = PLAIN_CALL) -> Extract:
        question = {
            "name": original.name,
            "media_type": original.media_type,
            "limits": asdict(self._limits),
        }
        return _extract_of(self._process.ask(question, original.data, call))

    def close(self) -> None:
        self._process.close()


def _extract_of(answer: dict[str, Any]) -> Extract:
    blocks = tuple(Block(**{**b, "kind": BlockKind(b["kind"])}) for b in answer["blocks"])
    return Extract(answer["text"], blocks, tuple(answer["pages"]), answer["title"])
