"""The `commonplace` command. Subcommands are imported only when they are called."""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import os
import sys
from difflib import get_close_matches
from typing import Any

import click
from typing_extensions import override

from commonplace import __version__

# Errors of a write to standard output, as when it goes to a file on a full disk.
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
# A name of its own, so that tests can pretend to run on Windows.
SYSTEM = sys.platform

# Groups of commands: name -> module and one-line help. The help is repeated here so that listing
# the commands imports none of them.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Getting started": {
        "init": ("init", "Make this folder a project, and index it."),
        "demo": ("demo", "Try Commonplace in a temporary home with sample notes."),
        "connect": ("connecting", "Connect the MCP clients of this machine."),
        "disconnect": ("connecting", "Remove Commonplace from those clients."),
        "completion": ("completion", "Print a script that completes commands in a shell."),
    },
    "Notes and other entries": {
        "recall": ("recall", "Ask one question of everything that is stored."),
        "open": ("recall", "Show what a reference names, such as note:1a2b3c4d5e."),
        "add": ("entries", "Store a note."),
        "search": ("search", "Find entries and documents by meaning and by words."),
        "list": ("entries", "List entries, newest first."),
        "show": ("entries", "Show an entry."),
        "edit": ("entries", "Change the body, title or tags of an entry."),
        "supersede": ("entries", "Mark an entry as replaced by another."),
        "history": ("lifecycle", "Show every revision of an entry."),
        "undo": ("lifecycle", "Undo the last change of an entry, or its deletion."),
        "delete": ("lifecycle", "Delete an entry; it can be restored."),
        "purge": ("lifecycle", "Erase an entry permanently."),
        "brief": ("memory", "Print what an agent should read before it starts."),
        "tidy": ("memory", "Show entries that look duplicate, contradictory or unused."),
        "capture": ("taking", "Look through transcripts or git history for moments."),
        "review": ("capturing", "Keep or drop what auto_capture flagged."),
        "weights": ("capturing", "Show what auto_capture has learned from feedback."),
        "skill": ("skills", "Import and export skills as folders."),
    },
    "Documents, projects and code": {
        "source": ("source", "Add, list and refresh documents and web pages."),
        "project": ("project", "Add projects, and attach folders to them."),
        "ingest": ("folders", "Bring the index of attached folders up to date."),
        "push": ("folders", "Send a folder to a server that cannot read it."),
        "find": ("find", "Search attached docs, code, notebooks and records."),
        "map": ("code", "Ask about a symbol: its callers, its definition."),
        "graph": ("code", "Import and export the code graph as SCIP indexes."),
    },
    "Serving": {
        "mcp": ("serving", "Speak MCP over standard input and output."),
        "serve": ("serving", "Serve over HTTP until stopped."),
        "worker": ("serving", "Do background work in a separate process."),
        "hook": ("hooks", "Run by clients when a session begins or ends."),
        "login": ("login", "Print a login link for this machine's browser."),
        "org": ("orgs", "List, create, move and erase orgs."),
        "token": ("token", "Create, list and revoke tokens for HTTP."),
        "quota": ("quota", "Show and set the monthly quotas of an org."),
        "plan": ("quota", "Define plans: named sets of quotas."),
    },
    "Maintenance": {
        "status": ("upkeep", "Show what is stored, the model, runs and failures."),
        "doctor": ("doctor", "Check the set-up and the data, and say how to fix problems."),
        "audit": ("audit", "Show the audit log of changes."),
        "backup": ("backup", "Write the whole database to a file."),
        "restore": ("backup", "Replace the database by a backup."),
        "salvage": ("backup", "Save what can still be read from a damaged database."),
        "export": ("transfer", "Export all stored knowledge, for another server."),
        "import": ("transfer", "Import an export, Markdown or another server's files."),
        "reembed": ("reembedding", "Embed everything with another model."),
        "rebuild": ("upkeep", "Rebuild all derived data: chunks, indexes, vectors."),
        "retry": ("upkeep", "Retry work that has failed."),
    },
}
COMMANDS = {name: module for group in GROUPS.values() for name, (module, _) in group.items()}


class LazyGroup(click.Group):
    """A group of commands that are imported when they are called."""

    @override
    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command that the arguments name; output that cannot be written is one error."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            if error.errno not in _UNWRITABLE or error.filename is not None:
                raise
            reason = os.strerror(error.errno).lower()
            click.echo(f"Error: The output cannot be written: {reason}.", err=True)
            # What is still buffered would be tried, and reported, once more at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)

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
        """Suggest similar names for a command that does not exist."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            similar = get_close_matches(args[0], COMMANDS, n=3)
            suggestion = f" Did you mean {' or '.join(similar)}?" if similar else ""
            ctx.fail(f"No such command '{args[0]}'.{suggestion}")
        return super().resolve_command(ctx, args)

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="commonplace")
def main() -> None:
    """One knowledge server for AI agents and the people who work with them."""
    # Skips the garbage collection at exit: it takes longer than most commands, and on a busy
    # machine longer than a server has to stop.
    atexit.register(gc.freeze)
    if SYSTEM == "win32":
        raise click.ClickException(
            "Commonplace runs on Linux and macOS. On Windows, run it inside WSL "
            "(https://learn.microsoft.com/windows/wsl)."
        )


def package_main() -> None:
    """The entry point `commonplace-mcp`; without arguments it runs the stdio server."""
    main(sys.argv[1:] or ["mcp"], prog_name="commonplace-mcp")
