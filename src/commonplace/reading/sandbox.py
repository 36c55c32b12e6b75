"""Reads files in processes apart, with limits of time, memory and size.

Decides how the process that reads is started, waited for and ended; what a file holds is decided
in it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from commonplace.errors import SourceError, SourceTooLarge, SourceUnreadable
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.extract import Extract
from commonplace.reading.child import extract_of
from commonplace.reading.extraction import Limits
from commonplace.reading.port import Original

_COMMAND = (sys.executable, "-X", "utf8", "-P", "-m", "commonplace.reading.child")
_LOOK_SECONDS = 0.2


class SandboxedReader:
    """Implements port.Reader. One file at a time; the process ends by itself when it is idle."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._one = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, original: Original, call: Call = PLAIN_CALL) -> Extract:
        with self._one, tempfile.TemporaryDirectory(prefix="commonplace-") as folder:
            answer = self._answer(original, Path(folder), call)
        if "extract" in answer:
            return extract_of(answer["extract"])
        kinds = {kind.code: kind for kind in (SourceTooLarge, SourceUnreadable)}
        raise kinds.get(answer["code"], SourceError)(answer["error"])

    def close(self) -> None:
        """End the process, and whatever it has begun."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()

    def _answer(self, original: Original, folder: Path, call: Call) -> dict[str, Any]:
        data, task, answer = folder / "data", folder / "task", folder / "answer"
        data.write_bytes(original.data)
        asked = {
            "data": str(data),
            "answer": str(answer),
            "name": original.name,
            "media_type": original.media_type,
            "limits": asdict(self._limits),
        }
        task.write_text(json.dumps(asked), "utf-8")
        try:
            self._ask(f"{task}\n".encode(), call)
        except BaseException:
            self.close()
            raise
        try:
            written: dict[str, Any] = json.loads(answer.read_text("utf-8"))
        except (OSError, ValueError):
            raise SourceUnreadable("The file broke off the program that reads it.") from None
        return written

    def _ask(self, task: bytes, call: Call) -> None:
        """Twice, because a process that nobody asked for long may go just now."""
        for _ in range(2):
            process = self._running()
            assert process.stdin is not None, "asked for when it was started"
            try:
                process.stdin.write(task)
                process.stdin.flush()
            except BrokenPipeError:
                self.close()
            else:
                self._await(process, call)
                return

    def _await(self, process: subprocess.Popen[bytes], call: Call) -> None:
        """Until it is done, nobody waits for it any longer, or its time is over."""
        assert process.stdout is not None, "asked for when it was started"
        deadline = time.monotonic() + self._limits.seconds
        while (left := deadline - time.monotonic()) > 0:
            if select.select([process.stdout], [], [], min(left, _LOOK_SECONDS))[0]:
                if not os.read(process.stdout.fileno(), 1):
                    self.close()
                return
            call.check()
        raise SourceTooLarge(f"Reading it takes longer than {self._limits.seconds:g} seconds.")

    def _running(self) -> subprocess.Popen[bytes]:
        """Without the variables of this process: a file has no business with its secrets."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        self._process = subprocess.Popen(  # noqa: S603 - our own module, no arguments
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        return self._process
