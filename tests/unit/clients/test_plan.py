"""What becomes of a client's file: refused whole, or changed in our entry alone."""

from __future__ import annotations

import pytest

from commonplace.clients.catalog import CLIENTS, ServerCommand, roots
from commonplace.clients.plan import connected, disconnected, instructed, uninstructed
from commonplace.errors import ClientFileRefused

SERVER = ServerCommand("/opt/commonplace", ("mcp",))


def test_a_file_that_cannot_be_read_is_refused_with_the_reason() -> None:
    with pytest.raises(ClientFileRefused, match="a colon is missing, in line 1"):
        connected(CLIENTS["cursor"], '{"a" 1}', SERVER)
    with pytest.raises(ClientFileRefused, match="commonplace is not an object"):
        connected(CLIENTS["cursor"], '{"mcpServers": {"commonplace": 3}}', SERVER)
    with pytest.raises(ClientFileRefused, match="marks"):
        instructed(CLIENTS["codex"], "<!-- commonplace: begin -->\n", "Search.")


def test_a_table_inside_a_text_of_several_lines_is_not_taken_for_ours() -> None:
    text = 'notes = """\n[mcp_servers.commonplace]\n"""\nmcp_servers.commonplace.command = "x"\n'
    with pytest.raises(ClientFileRefused, match="cannot be edited safely"):
        disconnected(CLIENTS["codex"], text)


def test_a_file_with_nothing_but_ours_is_not_kept() -> None:
    zed, code = CLIENTS["zed"], CLIENTS["vscode"]
    assert disconnected(zed, connected(zed, "", SERVER)) == ""
    assert disconnected(zed, connected(zed, "// mine\n{}\n", SERVER)) == "// mine\n{}\n"
    assert uninstructed(code, instructed(code, "", "Search.")) == ""
    assert uninstructed(code, instructed(code, "Be brief.", "Search.")) == "Be brief.\n"


def test_folders_follow_the_system_and_the_variables_of_the_clients() -> None:
    linux = roots("/people/me", "linux", {})
    assert (linux["config"], linux["codex"]) == ("/people/me/.config", "/people/me/.codex")
    assert (linux["claude"], linux["claude_state"]) == ("/people/me/.claude", "/people/me")
    mac = roots("/people/me", "darwin", {"CODEX_HOME": "/c", "CLAUDE_CONFIG_DIR": "/d"})
    assert mac["config"] == "/people/me/Library/Application Support"
    assert (mac["xdg"], mac["codex"]) == ("/people/me/.config", "/c")
    assert (mac["claude"], mac["claude_state"]) == ("/d", "/d")
