"""The `commonplace` command. Subcommands are imported only when they are called."""

from __future__ import annotations

import importlib

import click
from typing_extensions import override

from commonplace import __version__

# Command name -> module that defines a click command of the same name.
COMMANDS = {
    "add": "entries",
    "show": "entries",
    "list": "entries",
    "edit": "entries",
    "supersede": "entries",
    "history": "lifecycle",
    "restore": "lifecycle",
    "delete": "lifecycle",
    "purge": "lifecycle",
    "search": "search",
    "find": "attached",
    "review": "capturing",
    "weights": "capturing",
    "project": "project",
    "source": "source",
    "ingest": "folders",
    "push": "folders",
    "map": "code",
    "graph": "code",
    "skill": "skills",
    "mcp": "running",
    "serve": "running",
    "worker": "running",
    "status": "upkeep",
    "doctor": "doctor",
    "rebuild": "upkeep",
    "retry": "upkeep",
}


class LazyGroup(click.Group):
    """Knows its commands by name and loads one when it is asked for."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"commonplace.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="commonplace")
def main() -> None:
    """One knowledge server for AI agents and the people beside them."""
