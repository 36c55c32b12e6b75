"""The `commonplace` command. Subcommands are imported only when they are called."""

from __future__ import annotations

import atexit
import gc
import importlib
import sys
from difflib import get_close_matches

import click
from typing_extensions import override

from commonplace import __version__

# Files are read in processes that are forked and kept apart by means that Windows does not have.
SYSTEM = sys.platform

# What each command does, in groups: name -> module of the command, and the line about it in the
# list of all, so that a list loads none of them.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Getting started": {
        "init": ("beginning", "Make this folder a project, and index it."),
        "demo": ("demo", "Look around in a throwaway home with invented notes."),
        "connect": ("connecting", "Connect the MCP clients of this machine."),
        "disconnect": ("connecting", "Take it out of those clients again."),
    },
    "Notes and other entries": {
        "recall": ("asking", "Ask one question of everything that is stored."),
        "open": ("asking", "Show what a reference names, such as note:1a2b3c4d5e."),
        "add": ("entries", "Store a note."),
        "search": ("search", "Find entries and documents by meaning and by words."),
        "list": ("entries", "List entries, newest first."),
        "show": ("entries", "Show an entry whole."),
        "edit": ("entries", "Change the body, title or tags of an entry."),
        "supersede": ("entries", "Mark an entry as replaced by another."),
        "history": ("lifecycle", "Show every revision of an entry."),
        "undo": ("lifecycle", "Undo the last change of an entry, or its deletion."),
        "delete": ("lifecycle", "Take an entry out of sight."),
        "purge": ("lifecycle", "Erase an entry for good."),
        "brief": ("memory", "Print what an agent should read before it starts."),
        "tidy": ("memory", "Show what looks doubled, contradicting or unused."),
        "capture": ("taking", "Look through transcripts or git history for moments."),
        "review": ("capturing", "Keep or drop what auto_capture flagged."),
        "weights": ("capturing", "Show what feedback taught auto_capture."),
        "skill": ("skills", "Exchange skills with folders."),
    },
    "Documents, projects and code": {
        "source": ("source", "Add, list and refresh documents and web pages."),
        "project": ("project", "Add projects, and attach folders to them."),
        "ingest": ("folders", "Bring the index of attached folders up to date."),
        "push": ("folders", "Send a folder to a server that cannot read it."),
        "find": ("attached", "Find passages of what is attached."),
        "map": ("code", "Ask about a symbol: its callers, its definition."),
        "graph": ("code", "Exchange the graph of symbols as SCIP indexes."),
    },
    "Serving": {
        "mcp": ("running", "Speak MCP over standard input and output."),
        "serve": ("running", "Serve over HTTP until stopped."),
        "worker": ("running", "Do background work, apart from any server."),
        "hook": ("hooks", "What clients run when a session begins or ends."),
        "login": ("login", "Print a fresh link for this machine's browser."),
        "org": ("orgs", "List, make and erase orgs."),
        "token": ("token", "Make, list and revoke tokens for callers over HTTP."),
        "quota": ("quota", "Show and set what an org may use in a month."),
        "plan": ("quota", "Name quotas that orgs are put on."),
    },
    "Keeping it well": {
        "status": ("upkeep", "Show what is stored, the model, runs and failures."),
        "doctor": ("doctor", "Check the set-up, and say how to mend it."),
        "audit": ("auditing", "Show the record of changes."),
        "backup": ("safekeeping", "Write the whole database into a file."),
        "restore": ("safekeeping", "Make the database what a backup says."),
        "salvage": ("safekeeping", "Save what can still be read of a damaged database."),
        "export": ("moving", "Write everything that was given, for another server."),
        "import": ("moving", "Take in an export, Markdown or another server's files."),
        "reembed": ("reembedding", "Embed everything with another model."),
        "rebuild": ("upkeep", "Make everything anew that is derived."),
        "retry": ("upkeep", "Queue again what could not be embedded."),
    },
}
COMMANDS = {name: module for group in GROUPS.values() for name, (module, _) in group.items()}


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

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A name that does not exist is answered with those that are like it."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            like = get_close_matches(args[0], COMMANDS, n=3)
            meant = f" Did you mean {' or '.join(like)}?" if like else ""
            ctx.fail(f"No such command '{args[0]}'.{meant}")
        return super().resolve_command(ctx, args)

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="commonplace")
def main() -> None:
    """One knowledge server for AI agents and the people beside them."""
    # A process that ends gives everything back at once; to look through it all first takes longer
    # than most commands, and on a busy machine longer than a server's time to stop.
    atexit.register(gc.freeze)
    if SYSTEM == "win32":
        raise click.ClickException(
            "Commonplace runs on Linux and macOS. On Windows it runs inside WSL "
            "(https://learn.microsoft.com/windows/wsl), where this command works as it is."
        )


def package_main() -> None:
    """The command that has the package's name: without arguments it is the server."""
    main(sys.argv[1:] or ["mcp"], prog_name="commonplace-mcp")
