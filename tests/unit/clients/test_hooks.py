"""Our commands among a client's hooks: added once, taken out alone."""

from __future__ import annotations

import json

import pytest

from commonplace.clients.catalog import ServerCommand
from commonplace.clients.hooks import HOOKS, SessionMoment, hooked, start_output, unhooked
from commonplace.clients.json_nodes import JsonUnreadable

SERVER = ServerCommand("/opt/my tools/commonplace", ("mcp",), {"COMMONPLACE_HOME": "/data"})
MODULE = ServerCommand("/usr/bin/python3", ("-m", "commonplace", "mcp"))
COMMAND = "env COMMONPLACE_HOME=/data '/opt/my tools/commonplace' hook start --client claude-code"


def test_a_hook_is_a_command_for_the_shell() -> None:
    document = json.loads(hooked("claude-code", "", SERVER, SessionMoment.START))
    assert document == {
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": COMMAND}]}]}
    }
    cursor = json.loads(hooked("cursor", "", MODULE, SessionMoment.END))
    ours = "/usr/bin/python3 -m commonplace hook end --client cursor"
    assert cursor == {"version": 1, "hooks": {"sessionEnd": [{"command": ours}]}}


@pytest.mark.parametrize("client", HOOKS)
def test_hooks_of_others_stay_and_ours_comes_once(client: str) -> None:
    event = HOOKS[client].events[SessionMoment.START]
    theirs = {"matcher": "startup", "hooks": [{"type": "command", "command": "date"}]}
    text = json.dumps({"theme": "dark", "hooks": {event: [theirs]}}, indent=2) + "\n"
    once = hooked(client, text, SERVER, SessionMoment.START)
    assert hooked(client, once, SERVER, SessionMoment.START) == once
    moved = json.loads(hooked(client, once, MODULE, SessionMoment.START))
    assert [len(moved["hooks"][event]), moved["hooks"][event][0]] == [2, theirs]
    both = hooked(client, once, SERVER, SessionMoment.END)
    left = json.loads(unhooked(client, both))
    assert left["hooks"] == {event: [theirs]}
    assert left["theme"] == "dark"


@pytest.mark.parametrize("client", HOOKS)
def test_a_file_of_our_hooks_alone_is_not_kept(client: str) -> None:
    assert unhooked(client, hooked(client, "", SERVER, SessionMoment.START)) == ""
    assert unhooked(client, "") == ""


def test_a_file_that_says_something_else_is_refused() -> None:
    for text in ('{"hooks": []}', '{"hooks": {"SessionStart": {}}}', "[]"):
        with pytest.raises(JsonUnreadable):
            hooked("claude-code", text, SERVER, SessionMoment.START)


@pytest.mark.parametrize("foreign", [["x"], [None], [{"command": 3}], "x", 3])
def test_entries_of_any_shape_are_somebody_elses(foreign: object) -> None:
    text = json.dumps({"hooks": {"SessionStart": [{"hooks": foreign}, 4]}})
    assert unhooked("claude-code", text) == text
    put = hooked("claude-code", text, SERVER, SessionMoment.START)
    assert json.loads(unhooked("claude-code", put)) == json.loads(text)


def test_each_client_is_answered_in_its_own_way() -> None:
    claude = json.loads(start_output("claude-code", "We use Kafka."))
    assert claude["hookSpecificOutput"] == {
        "hookEventName": "SessionStart",
        "additionalContext": "We use Kafka.",
    }
    assert json.loads(start_output("cursor", "Hi")) == {"additional_context": "Hi"}
