"""Connecting the clients of this machine: a change of their files is shown before it is made."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
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

_HOME = f"{ENV_PREFIX}HOME"
# Where programs that run a package once keep it; such a copy may be gone tomorrow.
_PASSING = ("/uv/archive-v", "/uv/builds-v", "/pipx/.cache/", "/.cache/uv/")

yes_option = click.option("--yes", "-y", is_flag=True, help="Write without asking.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Only show what would be written.")
names_argument = click.argument(
    "names", nargs=-1, metavar="[CLIENT]...", type=click.Choice(list(CLIENTS))
)


@dataclass(slots=True)
class ClientPlan:
    """What is to be done for one client, and what came of it."""

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
class ConnectionWishes:
    """What a client is to have beside the server."""

    instructions: bool
    moments: Sequence[SessionMoment]


def planned(client: Client, steps: Sequence[Step]) -> ClientPlan:
    """All changes of a client, worked out before any is made; a file that is broken ends it."""
    changes: dict[Path, FileChange] = {}
    for path, change in steps:
        try:
            there = changes.get(path) or FileChange(path, *[read_text(path)] * 2)
            mark, text = without_mark(there.after)
            changes[path] = replace(there, after=mark + change(text))
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
    help="Whether to tell its agents when to use the memory, in the file that they read.",
)
@click.option(
    "--setting",
    "settings",
    multiple=True,
    metavar="NAME",
    help=f"A setting of this shell to write down too, such as {ENV_PREFIX}DATABASE_URL; "
    f"{_HOME} always is, where it is set.",
)
@click.option(
    "--brief/--no-brief",
    default=True,
    show_default=True,
    help="Whether a session begins with what is known of its project, where the client has hooks.",
)
@click.option(
    "--capture/--no-capture",
    default=False,
    show_default=True,
    help="Whether to look through what was said when a session ends; what is found "
    "waits for review.",
)
@click.option(
    "--memories/--no-memories",
    default=None,
    help="Whether to take in what these clients keep of what they were told, as sources; "
    "without it, asked at a terminal.",
)
@click.option("--check/--no-check", default=True, help="Start the server first and ask for tools.")
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
    """Connect the MCP clients of this machine, or those that are named."""
    machine, server = Machine.here(), this_server(settings)
    if any(part in server.program for part in _PASSING):
        tell("This program runs from a cache and may be gone tomorrow; install it to keep it.")
    tools = tools_of(server) if check else []

    wanted = ConnectionWishes(instructions, _moments(brief=brief, capture=capture))
    chosen = _chosen(machine, names)
    plans = [planned(one, connecting_steps(machine, one, server, wanted)) for one in chosen]
    carried = carry_out(plans, "connected", yes=yes, dry_run=dry_run, as_json=as_json)
    if check:
        tell(f"The server answers with {len(tools)} tools.", when=not as_json)
    from commonplace.cli.client_memories import memories_of, take_in

    kept = memories_of(machine, chosen)
    if memories is None:
        memories = carried and not yes and _wants_in(kept)
    taken = take_in(kept, quiet=as_json) if memories and not dry_run else []
    tell(f"Taken in: {', '.join(source.name for source in taken)}", when=bool(taken))
    more = {"tools": len(tools), "memories": [str(path) for path in kept], "taken": len(taken)}
    _report(plans, carried, more, as_json=as_json)


@click.command("disconnect", cls=Command)
@names_argument
@yes_option
@dry_run_option
@json_option
def disconnect_command(names: tuple[str, ...], yes: bool, dry_run: bool, as_json: bool) -> None:
    """Take Commonplace out of the clients of this machine again, or out of those named."""
    machine = Machine.here()

    chosen = [CLIENTS[name] for name in names] or list(CLIENTS.values())
    plans = [planned(one, disconnecting_steps(machine, one)) for one in chosen]
    plans = [one for one in plans if one.changes or one.problem or names]
    carried = carry_out(plans, "disconnected", yes=yes, dry_run=dry_run, as_json=as_json)
    _report(plans, carried, {}, as_json=as_json)


def _wants_in(kept: Sequence[Path]) -> bool:
    """Asks whether what lies in files of clients shall be found by all of them."""
    if not kept:
        return False
    named = "".join(f"\n  {shown_path(path)}" for path in kept)
    tell(f"These clients keep what they were told in files of their own:{named}")
    return click.confirm("Take them in as sources, so that every agent finds it?")


def _moments(*, brief: bool, capture: bool) -> list[SessionMoment]:
    """The moments that are asked for; there is nothing to say at the start without a brief."""
    start = [SessionMoment.START] if brief and "brief" in COMMANDS else []
    return start + ([SessionMoment.END] if capture else [])


def connecting_steps(
    machine: Machine, client: Client, server: ServerCommand, wanted: ConnectionWishes
) -> list[Step]:
    """The files of a client, each with what is done to it."""
    steps: list[Step] = [
        (machine.configuration(client), lambda text: plan.connected(client, text, server))
    ]
    if wanted.instructions and client.instructions:
        path = machine.path(client.instructions)
        steps.append((path, lambda text: plan.instructed(client, text, INSTRUCTIONS)))
    hooks = HOOKS.get(client.name)
    for moment in wanted.moments:
        if hooks and moment in hooks.events:
            change = partial(plan.hooked, client, server=server, moment=moment)
            steps.append((machine.path(hooks.file), change))
    return steps


def disconnecting_steps(machine: Machine, client: Client) -> list[Step]:
    """The same files, with what was done to them undone."""
    steps: list[Step] = []
    if hooks := HOOKS.get(client.name):
        steps.append((machine.path(hooks.file), lambda text: plan.unhooked(client, text)))
    steps.append((machine.configuration(client), lambda text: plan.disconnected(client, text)))
    if client.instructions:
        path = machine.path(client.instructions)
        steps.append((path, lambda text: plan.uninstructed(client, text)))
    return steps


def this_server(settings: Sequence[str] = ()) -> ServerCommand:
    """This very program, by its full path: clients do not have a shell's settings."""
    program = Path(sys.executable).with_name("commonplace")
    missing = [name for name in settings if name not in os.environ]
    if missing:
        raise InvalidArgument(f"{missing[0]} is not set in this shell.", field="setting")
    wanted = [name for name in (_HOME, *settings) if name in os.environ]
    given = {name: os.environ[name] for name in wanted}
    if _HOME in given:
        given[_HOME] = str(Path(given[_HOME]).expanduser().absolute())
    if program.exists():
        return ServerCommand(str(program), ("mcp",), given)
    return ServerCommand(sys.executable, ("-m", "commonplace", "mcp"), given)


def _chosen(machine: Machine, names: Sequence[str]) -> list[Client]:
    if names:
        return [CLIENTS[name] for name in dict.fromkeys(names)]
    found = machine.clients()
    if not found:
        command = shlex.join([this_server().program, *this_server().arguments])
        raise InvalidArgument(
            f"No client was found that is known here ({', '.join(CLIENTS)}). Any other starts "
            f"this command: {command}"
        )
    return found


def carry_out(
    plans: Sequence[ClientPlan], done: str, *, yes: bool, dry_run: bool, as_json: bool
) -> bool:
    """Shows every change, asks, and makes them; whether anything was written."""
    changing = [one for one in plans if one.changes]
    for one in changing:
        one.state = f"to be {done}"
    for line in _shown([change for one in changing for change in one.changes]):
        click.echo(_coloured(line), err=as_json)
    if dry_run or not changing:
        return False
    if not yes:
        if as_json or not sys.stdin.isatty():
            raise InvalidArgument("Nothing was written: say --yes, or ask at a terminal.")
        if not click.confirm("Write this?"):
            return False
    for one in changing:
        _write(one, done)
    return True


def _shown(changes: Sequence[FileChange]) -> Iterator[str]:
    """Every change; what is the same in several files is shown in the first of them."""
    seen: set[tuple[str, ...]] = set()
    for change in changes:
        *header, first = islice(lines := change.diff(), 3)
        body = (first, *lines)
        yield from header
        yield from ["@@ the same lines as above @@"] if body in seen else body
        seen.add(body)


def _write(one: ClientPlan, done: str) -> None:
    """All files of a client; what was written before one fails is put back."""
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


def tell(what: str, *, when: bool = True) -> None:
    if when:
        click.echo(what, err=True)


def _coloured(line: str) -> str:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    return click.style(line, fg=colours.get(line[:1]))
