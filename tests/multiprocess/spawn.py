"""Starts members as processes of their own, speaks with them, and ends each by its own handle."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TextIO

from tests.forked import ForkedModule

_ROOT = Path(__file__).parents[2]


class Member:
    """One running process; what it printed to stderr explains a failure."""

    def __init__(self, files: Path, *command: str, home: str | None = None) -> None:
        self.ready = False
        told, said, self._errors = (files.with_suffix(end) for end in (".in", ".out", ".errors"))
        for pipe in (told, said):
            os.mkfifo(pipe)
        environment = {**os.environ, "COMMONPLACE_HOME": home} if home else os.environ
        streams = {"stdin": told, "stdout": said, "stderr": self._errors}
        self._process = ForkedModule(*command, env=environment, cwd=_ROOT, **streams)
        self._told = told.open("w", encoding="utf-8")
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._listener = Thread(target=self._listen, args=[said.open(encoding="utf-8")])
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
        self._told.write(line + "\n")
        self._told.flush()

    def kill(self) -> list[str]:
        """End it as a crash would; what it had said that nobody had read."""
        self._process.kill()
        return self._end()

    def finish(self) -> list[str]:
        """Let it end by itself, content with everything; what it said that nobody had read."""
        lines = self._end()
        assert (self._process.poll(), self._errors.read_text()) == (0, "")
        return lines

    def _listen(self, said: TextIO) -> None:
        """All the time: a member that nobody listens to would wait with its next word."""
        with said:
            for line in said:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _end(self) -> list[str]:
        """Its stdin is closed, so it knows that nothing more will be said."""
        with suppress(BrokenPipeError):
            self._told.close()
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
        return self._run("tests.multiprocess.member", role, *arguments)

    def command(self, home: str, *arguments: str) -> Member:
        """The product's own command line, on an embedded database."""
        return self._run("commonplace", *arguments, home=home)

    def _run(self, *command: str, home: str | None = None) -> Member:
        files = self._folder / f"member-{len(self._started)}"
        self._started.append(Member(files, *command, home=home))
        return self._started[-1]

    def kill_all(self) -> None:
        for member in self._started:
            member.kill()
