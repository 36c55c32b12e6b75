"""A real browser without a window, told what to do through a pipe (the DevTools protocol).

Debian's `chromium` is installed where none is found and the rights allow it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.debian import program
from tests.waiting import patiently

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_PATIENCE = 60.0


def executable() -> str:
    """The browser of this machine."""
    return program(_NAMES, "chromium")


class Browser:
    """One tab of one browser."""

    def __init__(self, process: subprocess.Popen[bytes], reading: int, writing: int) -> None:
        self._process = process
        self._answers = os.fdopen(reading, "rb")
        self._commands = os.fdopen(writing, "wb")
        self._number = 0
        self._session: str | None = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        self._ask("Page.enable")

    def open(self, url: str) -> None:
        self._ask("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """What an expression in the page gives; None while the page is being exchanged."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer.get("result", {}).get("value")

    def text(self) -> str:
        return str(self.run("document.body ? document.body.innerText : ''") or "")

    def wait_for(self, wanted: str) -> str:
        """The text of the page, once it holds what is wanted."""
        shown = ""
        for _ in patiently(_PATIENCE):
            if wanted in (shown := self.text()):
                return shown
        raise AssertionError(shown)

    def close(self) -> None:
        for pipe in (self._answers, self._commands):
            pipe.close()

    def forget_cookies(self) -> None:
        self._ask("Network.clearBrowserCookies")

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": self._number, "method": method, "params": params, **session}
        self._commands.write(json.dumps(message).encode() + b"\0")
        self._commands.flush()
        while True:
            heard = json.loads(self._heard())
            if heard.get("id") == self._number:
                result: dict[str, Any] = heard.get("result", {})
                return result

    def _heard(self) -> bytes:
        heard = bytearray()
        while (letter := self._answers.read(1)) != b"\0":
            assert letter, "the browser has ended"
            heard += letter
        return bytes(heard)


@contextmanager
def browser() -> Iterator[Browser]:
    """Its descriptors 3 and 4 are the pipe; its profile is thrown away."""
    told, heard = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = [
            *("--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}"),
            *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
            *("--disable-background-networking", "about:blank"),
        ]
        # A shell puts the ends where the browser looks for them; other numbers may be in use here.
        placed = f'exec 3<&{told[0]} 4>&{heard[1]}; exec "$0" "$@"'
        process = subprocess.Popen(
            ["/bin/bash", "-c", placed, executable(), *arguments],
            pass_fds=(told[0], heard[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(told[0])
        os.close(heard[1])
        shown = Browser(process, heard[0], told[1])
        try:
            yield shown
        finally:
            process.kill()
            process.wait()
            shown.close()
