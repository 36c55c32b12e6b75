"""`commonplace brief` and `commonplace tidy`: what to read first, and what to clean up."""

from __future__ import annotations

from pathlib import Path

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import CommonplaceError
from commonplace.memory.news import Suggestion, Untidy
from commonplace.memory.opened import reference_of
from commonplace.model.entry import EntryKind
from commonplace.surfaces.memory.recent import suggested

project_option = click.option("--project", help="Only of this project, by its key.")


@click.command("brief", cls=Command)
@project_option
@click.option(
    "--tokens",
    type=click.IntRange(50, 5000),
    default=400,
    show_default=True,
    help="The length limit.",
)
@json_option
def brief_command(project: str | None, tokens: int, as_json: bool) -> None:
    """Print the few lines that an agent should read before it starts.

    Without --project, it is the project of this folder; outside of all projects, everything.
    Prints nothing if nothing is known, and says so on standard error.
    """
    with command_session() as session:
        key = project or _project_here(session)
        brief = session.application.memory.recent.brief(session.actor, key, tokens)
        _tell_if_unknown(session, project)
    if brief or as_json:
        emit({"project": key or None, "brief": brief}, brief, as_json=as_json)
    else:
        about, there = (f" about {key}", f" --project {key}") if key else ("", "")
        hint = f"`commonplace add{there}` keeps a note."
        click.echo(f"Nothing is known yet{about}: {hint}", err=True)


@click.command("tidy", cls=Command)
@project_option
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True)
@json_option
def tidy_command(project: str | None, limit: int, as_json: bool) -> None:
    """Show entries that look duplicate, contradictory or unused, with a command that fixes it.

    Nothing is changed by this command, and `undo` reverts the fix. Agents use `revise` for it.
    """
    with command_session() as session:
        found = session.application.memory.recent.tidy(session.actor, project or "", limit)
        _tell_if_unknown(session, project)
        lines = [_line(one, session.actor.org) for one in found]
        document = [_document(one, session.actor.org) for one in found]
    emit({"suggestions": document}, "\n".join(lines) or "Nothing looks untidy.", as_json=as_json)


def _tell_if_unknown(session: CommandSession, project: str | None) -> None:
    if project and (notice := session.application.memory.recent.unknown(session.actor, project)):
        click.echo(notice, err=True)


def _project_here(session: CommandSession) -> str:
    try:
        return session.application.workspace.project_at(session.actor, str(Path.cwd())).handle
    except (CommonplaceError, FileNotFoundError):
        return ""


def _line(one: Suggestion, org: str) -> str:
    names = [str(reference_of(entry, org)) for entry in one.entries]
    if one.why is Untidy.UNUSED:
        return f"{suggested(one)}: commonplace delete {names[0]}, or show it"
    kind = one.entries[0].kind
    option = "" if kind is EntryKind.NOTE else f" --kind {kind.value}"
    return f"{suggested(one)}: commonplace supersede{option} {' '.join(names)}"


def _document(one: Suggestion, org: str) -> dict[str, object]:
    return {
        "why": one.why.value,
        "reason": one.reason,
        "entries": [
            {"reference": str(reference_of(e, org)), "id": e.id, "title": e.content.title}
            for e in one.entries
        ],
    }
