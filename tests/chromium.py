"""A headless browser, controlled through a pipe with the DevTools protocol.

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
    """The path of the browser."""
    return program(_NAMES, "chromium")


class Browser:
    """One tab of a running browser."""

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
        """The value of an expression in the page; None while the page is loading."""
        answer = self._ask("Runtime.evaluate", expression=script, returnByValue=True)
        return answer.get("result", {}).get("value")

    def text(self) -> str:
        return str(self.run("document.body ? document.body.innerText : ''") or "")

    def wait_for(self, wanted: str) -> str:
        """The text of the page, once it contains a text."""
        text = ""
        for _ in patiently(_PATIENCE):
            if wanted in (text := self.text()):
                return text
        raise AssertionError(text)

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
            answer = json.loads(self._receive())
            if answer.get("id") == self._number:
                result: dict[str, Any] = answer.get("result", {})
                return result

    def _receive(self) -> bytes:
        message = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "the browser has ended"
            message += byte
        return bytes(message)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a temporary profile, controlled through its descriptors 3 and 4."""
    commands, answers = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = [
            *("--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}"),
            *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
            *("--disable-background-networking", "about:blank"),
        ]
        # A shell moves the ends to 3 and 4, which may be in use in this process.
        script = f'exec 3<&{commands[0]} 4>&{answers[1]}; exec "$0" "$@"'
        process = subprocess.Popen(
            ["/bin/bash", "-c", script, executable(), *arguments],
            pass_fds=(commands[0], answers[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands[0])
        os.close(answers[1])
        browser = Browser(process, answers[0], commands[1])
        try:
            yield browser
        finally:
            process.kill()
            process.wait()
            browser.close()
