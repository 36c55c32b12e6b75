"""The known clients as data: their files, and the format of a server's entry in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

SERVER = "commonplace"


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """The command with which a client starts this server, and its environment variables.

    Only a new entry gets the `defaults`; one that exists keeps what its owner uses.
    """

    program: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)

    def for_new_entry(self) -> ServerCommand:
        return replace(self, settings={**self.defaults, **self.settings}, defaults={})


class Syntax(Enum):
    JSON = "json"
    TOML = "toml"


Entry = Callable[[ServerCommand], dict[str, Any]]


def plain_entry(server: ServerCommand) -> dict[str, Any]:
    entry: dict[str, Any] = {"command": server.program, "args": list(server.arguments)}
    return entry | ({"env": dict(server.settings)} if server.settings else {})


def typed_entry(server: ServerCommand) -> dict[str, Any]:
    return {"type": "stdio", **plain_entry(server)}


def local_entry(server: ServerCommand) -> dict[str, Any]:
    entry = {"type": "local", "command": [server.program, *server.arguments], "enabled": True}
    return entry | ({"environment": dict(server.settings)} if server.settings else {})


@dataclass(frozen=True, slots=True)
class Client:
    """An MCP client. Its paths begin with one of the `roots`, in braces."""

    name: str
    title: str
    files: tuple[str, ...]  # the first that exists is used; if none does, the last is created
    servers: tuple[str, ...]  # the path of the map of servers in the file
    marks: tuple[str, ...]  # files or folders whose existence shows that it is installed
    programs: tuple[str, ...] = ()
    syntax: Syntax = Syntax.JSON
    entry: Entry = plain_entry
    instructions: str = ""  # the file of instructions that it reads in every session
    opening: str = ""  # what that file must begin with
    memories: tuple[str, ...] = ()  # patterns of its own memory files


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            name="claude-code",
            title="Claude Code",
            files=("{claude_state}/.claude.json",),
            servers=("mcpServers",),
            marks=("{claude_state}/.claude.json", "{claude}"),
            programs=("claude",),
            entry=typed_entry,
            instructions="{claude}/CLAUDE.md",
            memories=("{claude}/CLAUDE.md", "{claude}/rules", "{claude}/projects/*/memory"),
        ),
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            files=("{config}/Claude/claude_desktop_config.json",),
            servers=("mcpServers",),
            marks=("{config}/Claude",),
        ),
        Client(
            name="cursor",
            title="Cursor",
            files=("{home}/.cursor/mcp.json",),
            servers=("mcpServers",),
            marks=("{home}/.cursor",),
            programs=("cursor", "cursor-agent"),
            memories=("{home}/.cursor/rules",),
        ),
        Client(
            name="vscode",
            title="Visual Studio Code",
            files=("{config}/Code/User/mcp.json",),
            servers=("servers",),
            marks=("{config}/Code/User",),
            programs=("code",),
            entry=typed_entry,
            instructions="{config}/Code/User/prompts/commonplace.instructions.md",
            opening='---\napplyTo: "**"\n---\n',
            memories=("{config}/Code/User/prompts",),
        ),
        Client(
            name="windsurf",
            title="Windsurf",
            files=("{home}/.codeium/windsurf/mcp_config.json",),
            servers=("mcpServers",),
            marks=("{home}/.codeium/windsurf",),
            programs=("windsurf",),
            instructions="{home}/.codeium/windsurf/memories/global_rules.md",
            memories=("{home}/.codeium/windsurf/memories",),
        ),
        Client(
            name="codex",
            title="Codex",
            files=("{codex}/config.toml",),
            servers=("mcp_servers",),
            marks=("{codex}",),
            programs=("codex",),
            syntax=Syntax.TOML,
            instructions="{codex}/AGENTS.md",
            memories=("{codex}/AGENTS.md", "{codex}/memories"),
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            files=("{home}/.gemini/settings.json",),
            servers=("mcpServers",),
            marks=("{home}/.gemini/settings.json",),
            programs=("gemini",),
            instructions="{home}/.gemini/GEMINI.md",
            memories=("{home}/.gemini/GEMINI.md",),
        ),
        Client(
            name="zed",
            title="Zed",
            files=("{xdg}/zed/settings.json",),
            servers=("context_servers",),
            marks=("{xdg}/zed",),
            programs=("zed", "zeditor"),
        ),
        Client(
            name="opencode",
            title="OpenCode",
            files=("{xdg}/opencode/opencode.jsonc", "{xdg}/opencode/opencode.json"),
            servers=("mcp",),
            marks=("{xdg}/opencode",),
            programs=("opencode",),
            entry=local_entry,
            instructions="{xdg}/opencode/AGENTS.md",
            memories=("{xdg}/opencode/AGENTS.md",),
        ),
    )
}


def roots(home: str, system: str, variables: Mapping[str, str]) -> dict[str, str]:
    """The folders below which clients keep their files, on a system and for one account."""
    xdg = variables.get("XDG_CONFIG_HOME") or f"{home}/.config"
    claude = variables.get("CLAUDE_CONFIG_DIR")
    return {
        "home": home,
        "xdg": xdg,
        "config": f"{home}/Library/Application Support" if system == "darwin" else xdg,
        "claude": claude or f"{home}/.claude",
        "claude_state": claude or home,
        "codex": variables.get("CODEX_HOME") or f"{home}/.codex",
    }
