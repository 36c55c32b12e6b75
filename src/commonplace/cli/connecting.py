"""`commonplace connect` and `disconnect`: edits clients' files, showing every change first."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import click

from commonplace.cli.client_files import (
    FileChange,
    Machine,
    read_text,
    shown_path,
    without_mark,
    write,
)
from commonplace.cli.handshake import tools_of
from commonplace.cli.main import COMMANDS
from commonplace.cli.output import Command, emit, json_option
from commonplace.clients import plan
from commonplace.clients.catalog import CLIENTS, Client, ServerCommand
from commonplace.clients.hooks import HOOKS, SessionMoment
from commonplace.clients.wording import INSTRUCTIONS
from commonplace.errors import ClientFileRefused, InvalidArgument
from commonplace.settings import ENV_PREFIX

_HOME, _SURFACES = f"{ENV_PREFIX}HOME", f"{ENV_PREFIX}SURFACES"
# Caches of programs that run a package once (uvx, pipx run); a copy there may be deleted.
_TEMPORARY = ("/uv/archive-v", "/uv/builds-v", "/pipx/.cache/", "/.cache/uv/")

yes_option = click.option("--yes", "-y", is_flag=True, help="Write without asking.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only show what would be written.")
names_argument = click.argument(
    "names", nargs=-1, metavar="[CLIENT]...", type=click.Choice(list(CLIENTS))
)


@dataclass(slots=True)
class ClientPlan:
    """The changes to one client's files, and their outcome."""

    client: Client
    changes: list[FileChange] = field(default_factory=list)
    state: str = "unchanged"
    problem: str = ""
    backups: list[Path] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        return {
            "client": self.client.name,
            "state": self.state,
            "problem": self.problem or None,
            "files": [str(change.path) for change in self.changes],
            "backups": [str(backup) for backup in self.backups],
        }


Step = tuple[Path, Callable[[str], str]]


@dataclass(frozen=True, slots=True)
class ConnectOptions:
    """What to install in a client besides the server."""

    instructions: bool
    moments: Sequence[SessionMoment]


def planned(client: Client, steps: Sequence[Step]) -> ClientPlan:
    """All changes of a client, computed before any is written; none if a file is broken."""
    changes: dict[Path, FileChange] = {}
    for path, change in steps:
        try:
            current = changes.get(path) or FileChange(path, *[read_text(path)] * 2)
            mark, text = without_mark(current.after)
            changes[path] = replace(current, after=mark + change(text))
        except ClientFileRefused as error:
            problem = f"{shown_path(path)} is left alone: {error.message}."
            return ClientPlan(client, state="refused", problem=problem)
    return ClientPlan(client, [change for change in changes.values() if change.is_change])


@click.command("connect", cls=Command)
@names_argument
@yes_option
@dry_run_option
@click.option(
    "--instructions/--no-instructions",
    default=True,
    show_default=True,
    help="Tell agents when to use the memory, in the client's instructions file.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME",
    help=f"A setting of this shell to pass on, such as {ENV_PREFIX}DATABASE_URL; "
    f"{_HOME} and {_SURFACES} are always passed on.",
)
@click.option(
    "--brief/--no-brief",
    default=True,
    show_default=True,
    help="Begin sessions with a brief of the project, if the client has hooks.",
)
@click.option(
    "--capture/--no-capture",
    default=False,
    show_default=True,
    help="Look through the transcript when a session ends; moments found wait for review.",
)
@click.option(
    "--memories/--no-memories",
    default=None,
    help="Add the clients' own memory files as sources (default: ask, at a terminal).",
)
@click.option("--check/--no-check", default=True, help="First start the server and list its tools.")
@json_option
def connect_command(
    names: tuple[str, ...],
    yes: bool,
    dry_run: bool,
    instructions: bool,
    settings: tuple[str, ...],
    brief: bool,
    capture: bool,
    memories: bool | None,
    check: bool,
    as_json: bool,
) -> None:
    """Connect the MCP clients of this machine, or only the named ones."""
    machine, server = Machine.here(), this_server(settings)
    if any(part in server.program for part in _TEMPORARY):
        tell("This program runs from a cache that may be cleared; install it to keep it.")
    tools = tools_of(server.for_new_entry()) if check else []
    options = ConnectOptions(instructions, _moments(brief=brief, capture=capture))
    clients = _clients(machine, names)
    plans = [planned(one, connecting_steps(machine, one, server, options)) for one in clients]
    carried = carry_out(plans, "connected", yes=yes, dry_run=dry_run, as_json=as_json)
    if check:
        tell(f"The server answers with {len(tools)} tools.", when=not as_json)
    from commonplace.cli.client_notes import add_as_sources, memories_of

    files = memories_of(machine, clients)
    if memories is None:
        memories = carried and not yes and _confirm_memories(files)
    added = add_as_sources(files, quiet=as_json) if memories and not dry_run else []
    tell(f"Added as sources: {', '.join(source.name for source in added)}", when=bool(added))
    tell("A client that is running loads it when you restart it.", when=carried and not as_json)
    more = {"tools": len(tools), "memories": [str(path) for path in files], "taken": len(added)}
    _report(plans, carried, more, as_json=as_json)


@click.command("disconnect", cls=Command)
@names_argument
@yes_option
@dry_run_option
@json_option
def disconnect_command(names: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> None:
    """Remove Commonplace from the clients of this machine, or only from the named ones."""
    machine = Machine.here()

    clients = [CLIENTS[name] for name in names] or list(CLIENTS.values())
    plans = [planned(one, disconnecting_steps(machine, one)) for one in clients]
    plans = [one for one in plans if one.changes or one.problem or names]
    carried = carry_out(plans, "disconnected", yes=yes, dry_run=dry_run, as_json=as_json)
    _report(plans, carried, {}, as_json=as_json)


def _confirm_memories(files: Collection[Path]) -> bool:
    """Ask whether to add the clients' own memory files as sources."""
    if not files:
        return False
    listed = "".join(f"\n  {shown_path(path)}" for path in files)
    tell(f"These clients keep memories in files of their own:{listed}")
    return click.confirm("Add them as sources, so that every agent finds them?")


def _moments(*, brief: bool, capture: bool) -> list[SessionMoment]:
    """The moments of a session to hook into."""
    start = [SessionMoment.START] if brief and "brief" in COMMANDS else []
    return start + ([SessionMoment.END] if capture else [])


def connecting_steps(
    machine: Machine, client: Client, server: ServerCommand, options: ConnectOptions
) -> list[Step]:
    """The files of a client, each with the edit that connects it."""
    steps: list[Step] = [
        (machine.configuration(client), lambda text: plan.connected(client, text, server))
    ]
    if options.instructions and client.instructions:
        path = machine.path(client.instructions)
        steps.append((path, lambda text: plan.instructed(client, text, INSTRUCTIONS)))
    hooks = HOOKS.get(client.name)
    # A hook offers no tools.
    settings = {name: value for name, value in server.settings.items() if name != _SURFACES}
    hooked = replace(server, settings=settings)
    for moment in options.moments:
        if hooks and moment in hooks.events:
            change = partial(plan.hooked, client, server=hooked, moment=moment)
            steps.append((machine.path(hooks.file), change))
    return steps


def disconnecting_steps(machine: Machine, client: Client) -> list[Step]:
    """The files of a client, each with the edit that disconnects it."""
    steps: list[Step] = []
    if hooks := HOOKS.get(client.name):
        steps.append((machine.path(hooks.file), lambda text: plan.unhooked(client, text)))
    steps.append((machine.configuration(client), lambda text: plan.disconnected(client, text)))
    if client.instructions:
        path = machine.path(client.instructions)
        steps.append((path, lambda text: plan.uninstructed(client, text)))
    return steps


def this_server(settings: Sequence[str] = ()) -> ServerCommand:
    """The command of this program, with its full path: clients do not have the shell's PATH.

    A client gets `memory` alone, unless the shell or an entry that exists says otherwise
    (decision 0044).
    """
    program = Path(sys.executable).with_name("commonplace")
    missing = [name for name in settings if name not in os.environ]
    if missing:
        raise InvalidArgument(f"{missing[0]} is not set in this shell.", field="setting")
    wanted = [name for name in (_HOME, _SURFACES, *settings) if name in os.environ]
    given = {name: os.environ[name] for name in wanted}
    if _HOME in given:
        given[_HOME] = str(Path(given[_HOME]).expanduser().absolute())
    defaults = {_SURFACES: "memory"}
    if program.exists():
        return ServerCommand(str(program), ("mcp",), given, defaults)
    return ServerCommand(sys.executable, ("-m", "commonplace", "mcp"), given, defaults)


def _clients(machine: Machine, names: Sequence[str]) -> list[Client]:
    if names:
        return [CLIENTS[name] for name in dict.fromkeys(names)]
    found = machine.clients()
    if not found:
        command = shlex.join([this_server().program, *this_server().arguments])
        raise InvalidArgument(
            f"None of the known clients was found ({', '.join(CLIENTS)}). Configure any other "
            f"client to run: {command}"
        )
    return found


def carry_out(
    plans: Sequence[ClientPlan], done: str, *, yes: bool, dry_run: bool, as_json: bool
) -> bool:
    """Show all changes, ask, and write them; whether anything was written."""
    changing = [one for one in plans if one.changes]
    for one in changing:
        one.state = f"to be {done}"
    for line in _shown([change for one in changing for change in one.changes]):
        click.echo(_coloured(line), err=as_json)
    if dry_run or not changing:
        return False
    if not yes:
        if as_json or not sys.stdin.isatty():
            raise InvalidArgument("Nothing was written: use --yes, or run this at a terminal.")
        if not click.confirm("Write this?"):
            return False
    for one in changing:
        _write(one, done)
    return True


def _shown(changes: Sequence[FileChange]) -> Iterator[str]:
    """The diff of every change; identical hunks are shown once."""
    seen: set[tuple[str, ...]] = set()
    for change in changes:
        *header, first = islice(lines := change.diff(), 3)
        body = (first, *lines)
        yield from header
        yield from ["@@ the same lines as above @@"] if body in seen else body
        seen.add(body)


def _write(one: ClientPlan, done: str) -> None:
    """Write all files of a client; if one fails, those written before are restored."""
    one.state = done
    written: list[FileChange] = []
    for change in one.changes:
        try:
            if backup := write(change):
                one.backups.append(backup)
            written.append(change)
        except ClientFileRefused as error:
            for earlier in reversed(written):
                write(FileChange(earlier.path, earlier.after, earlier.before))
            one.state = "refused"
            one.problem = f"{shown_path(change.path)} is left alone: {error.message}."
            return


def _report(
    plans: Sequence[ClientPlan], carried: bool, more: dict[str, Any], *, as_json: bool
) -> None:
    document = {"clients": [one.document() for one in plans], "written": carried, **more}
    lines = [f"{one.client.title}: {one.problem or _state(one)}" for one in plans]
    failed = any(one.state == "refused" for one in plans)
    emit(document, "\n".join(lines or ["No client is connected."]), as_json=as_json, failed=failed)


def _state(one: ClientPlan) -> str:
    kept = ", ".join(map(shown_path, one.backups))
    return one.state + (f" (before: {kept})" if kept else "")


def tell(message: str, *, when: bool = True) -> None:
    if when:
        click.echo(message, err=True)


def _coloured(line: str) -> str:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    return click.style(line, fg=colours.get(line[:1]))
