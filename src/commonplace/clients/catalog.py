"""The clients that can be connected, as data: their files, and how each writes down a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

SERVER = "commonplace"


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a client starts us: a program with its arguments, and settings of ours."""

    program: str
    arguments: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)


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
    """A program that speaks MCP. Paths begin with one of the `roots`, in braces."""

    name: str
    title: str
    files: tuple[str, ...]  # the first that exists is the one; else the first is made
    servers: tuple[str, ...]  # the names that lead to the map of servers
    marks: tuple[str, ...]  # files or folders that only this client makes
    programs: tuple[str, ...] = ()
    syntax: Syntax = Syntax.JSON
    entry: Entry = plain_entry
    instructions: str = ""  # the file of instructions that it reads in every session
    opening: str = ""  # what that file has to begin with
    memories: tuple[str, ...] = ()  # where it keeps what it was told; patterns


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
    """The folders that clients keep their files below, on a system and for one person."""
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
