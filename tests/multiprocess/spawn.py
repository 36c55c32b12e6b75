"""Starts members as real processes, speaks with them, and ends each by its own handle."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

_ROOT = Path(__file__).parents[2]
_COMMAND_LINE = "from commonplace.cli.main import main; main()"


class Member:
    """One running process; what it printed to stderr explains a failure."""

    def __init__(self, errors: Path, arguments: Sequence[str], home: str | None) -> None:
        self.ready = False
        self._errors = errors
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        with errors.open("wb") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=_ROOT,
                env={**os.environ, "COMMONPLACE_HOME": home} if home else None,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        self._listener = Thread(target=self._listen)
        self._listener.start()

    def wait_until_ready(self) -> None:
        """Until it has started, however often this is asked."""
        if not self.ready:
            self.expect("ready")
            self.ready = True

    def is_ready(self) -> bool:
        """Whether it has started; it must not have ended."""
        if not self.ready and not self._lines.empty():
            self.wait_until_ready()
        self.assert_running()
        return self.ready

    def assert_running(self) -> None:
        assert self._process.poll() is None, self._errors.read_text()

    def expect(self, word: str) -> list[str]:
        """The lines up to the one that is this word."""
        lines: list[str] = []
        while (line := self._lines.get()) is not None:
            if line == word:
                return lines
            lines.append(line)
        self._end()
        raise AssertionError(f"ended before {word!r}: {self._errors.read_text()}")

    def tell(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def kill(self) -> list[str]:
        """End it as a crash would; what it had said that nobody had read."""
        self._process.kill()
        return self._end()

    def finish(self) -> list[str]:
        """Let it end by itself, content with everything; what it said that nobody had read."""
        lines = self._end()
        assert (self._process.returncode, self._errors.read_text()) == (0, "")
        return lines

    def _listen(self) -> None:
        """All the time: a member that nobody listens to would wait with its next word."""
        assert self._process.stdout
        with self._process.stdout as spoken:
            for line in spoken:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _end(self) -> list[str]:
        """Its stdin is closed, so it knows that nothing more will be said."""
        assert self._process.stdin
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._listener.join()
        left = [self._lines.get() for _ in range(self._lines.qsize())]
        return [line for line in left if line is not None]


class Members:
    """Everything that one test started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._started: list[Member] = []

    def start(self, role: str, *arguments: str) -> Member:
        return self._run(["-m", "tests.multiprocess.member", role, *arguments])

    def command(self, home: str, *arguments: str) -> Member:
        """The product's own command line, on an embedded database."""
        return self._run(["-c", _COMMAND_LINE, *arguments], home)

    def _run(self, arguments: Sequence[str], home: str | None = None) -> Member:
        errors = self._folder / f"stderr-{len(self._started)}.txt"
        self._started.append(Member(errors, arguments, home))
        return self._started[-1]

    def kill_all(self) -> None:
        for member in self._started:
            member.kill()
