"""The same conversation over stdio and HTTP, with servers that may not leave the machine."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp import MCPError

from commonplace.settings import Settings
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.conversation import STORY, converse
from tests.surfaces.institutional.steps import (
    ALL_TOOLS,
    AUTO_CAPTURE,
    CAPTURE,
    GET,
    NOT_FOUND,
    UNKNOWN_ID,
    capture,
    captured_id,
    error,
    found,
    get,
    refuse,
)
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes, started

INVALID_PARAMS = -32602
# Every name that is looked up and every connection that is made passes here, whoever asks for it.
NO_NETWORK = """
import os, sys

open(os.environ["LEFT_THE_MACHINE"], "a").close()

def refuse(event, arguments):
    if event == "socket.getaddrinfo":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    if host not in (None, "", "127.0.0.1", "::1", "localhost"):
        with open(os.environ["LEFT_THE_MACHINE"], "a") as file:
            file.write(f"{event} {host}\\n")
        raise OSError("no network")

sys.addaudithook(refuse)
"""


def connected(processes: Processes, settings: Settings, transport: str, mode: str) -> Caller:
    if transport == "http":
        return processes.connect(processes.http(settings), mode=mode)
    return processes.stdio(settings, mode=mode).caller


@pytest.mark.requirement(
    "institutional.tools.all-listed",
    "institutional.tools.success-envelope",
    "institutional.tools.one-text-block",
    "institutional.tools.unknown-tool",
    "institutional.errors.shape",
)
@pytest.mark.parametrize(
    ("dialect", "transport", "mode"),
    [
        ("sqlite", "stdio", "legacy"),
        ("sqlite", "http", "auto"),
        ("postgres", "stdio", "auto"),
        ("postgres", "http", "legacy"),
    ],
)
def test_every_tool_on_every_transport(
    processes: Processes, wired: Settings, transport: str, mode: str
) -> None:
    caller = connected(processes, wired, transport, mode)
    assert caller.tools().keys() >= ALL_TOOLS
    assert converse(caller, UNKNOWN_ID) == ALL_TOOLS
    assert error(caller, GET, id=UNKNOWN_ID) == NOT_FOUND
    refuse(caller, CAPTURE, "summary", summary="")
    with pytest.raises(MCPError) as unknown:
        caller.ask("forget_everything")
    assert unknown.value.code == INVALID_PARAMS


@pytest.mark.requirement(
    "institutional.capture.timestamps-equal-at-first",
    "institutional.capture.timestamps-ms-z",
    "institutional.expect.unicode-round-trip",
)
def test_a_moment_is_that_of_the_call(processes: Processes, wired: Settings) -> None:
    caller = processes.stdio(wired).caller
    text = "sécond ✓ 🦊\r\n\t\u2028"
    before = round(time.time() * 1000) - 1
    item = capture(caller, content=text)
    after = round(time.time() * 1000) + 1
    assert item["updated_at"] == item["created_at"]
    at = datetime.strptime(item["created_at"], "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    assert before <= at.timestamp() * 1000 <= after
    assert before <= int(item["id"].split("-")[1]) <= after
    assert get(caller, item["id"])["content"] == text


@pytest.mark.requirement("institutional.expect.no-network", "institutional.capture.embeds-at-once")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_a_fresh_install_needs_nothing_from_outside(
    processes: Processes,
    settings: Settings,
    transport: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the model inside the package, and whoever tries to leave the machine recorded."""
    left, site = tmp_path / "left.txt", tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(NO_NETWORK)
    monkeypatch.setenv("PYTHONPATH", str(site), prepend=":")
    monkeypatch.setenv("LEFT_THE_MACHINE", str(left))
    fresh = settings.model_copy(update={"home": tmp_path / "fresh"})
    processes.start = started
    caller = connected(processes, fresh, transport, "legacy")
    assert converse(caller, UNKNOWN_ID) == ALL_TOOLS
    lunch = captured_id(caller, summary="Lunch", content="The cafeteria serves soup on Tuesdays.")
    prices = captured_id(
        caller, summary="Caching", content="The storefront purges its CDN on every change."
    )
    assert found(caller, "how do we keep shoppers from seeing old prices") == [prices, lunch]
    assert "Results" in caller.text(AUTO_CAPTURE, text=STORY, threshold=0.7, auto_save=True)
    assert left.read_text() == ""
