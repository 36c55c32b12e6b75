"""Orgs from the command line: which there are, making one on purpose, and erasing one."""

from __future__ import annotations

import os
import re
import sys

import click

from commonplace.access.rules import is_org
from commonplace.application import Application
from commonplace.bootstrap import build_moves
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.errors import InvalidArgument, NotFound
from commonplace.logs import start_logging
from commonplace.settings import load_settings

_TO = "COMMONPLACE_MOVE_TO"
_PASSWORD = re.compile(r"//[^/@:]*:[^@]+@|[?&]password=")
_SEEN = (
    f"Other accounts of this machine can see the password in --to; give the address in {_TO} or "
    "on standard input (--to -), or the password in a file (~/.pgpass)."
)


def check_org(application: Application, org: str) -> None:
    """NotFound where nobody has made the org: a name mistyped makes none."""
    if not is_org(org):
        raise InvalidArgument("No org can be called that.", field="org")
    known = {application.settings.org, *application.access.orgs()}
    if org not in known:
        named = ", ".join(sorted(known))
        raise NotFound(
            f"There is no org {org}; there are {named}. Make it with `commonplace org create`."
        )


@click.group("org")
def org_command() -> None:
    """Orgs: who works together and shares what it knows."""


@org_command.command("list", cls=Command)
@json_option
def list_orgs(as_json: bool) -> None:
    """List the orgs that anything was stored or made for."""
    with command_session() as session:
        orgs = session.application.access.orgs()
    emit({"orgs": orgs}, "\n".join(orgs or ["No org has stored anything yet."]), as_json=as_json)


@org_command.command("remove", cls=Command)
@click.argument("org")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def remove_org(org: str, yes: bool, as_json: bool) -> None:
    """Erase an org with everything that it stored, and its tokens; nothing brings it back."""
    with command_session() as session:
        check_org(session.application, org)
        if not yes:
            click.confirm(f"Erase everything of {org} for good?", abort=True, err=True)
        rows = session.application.transfer.erase_org(session.actor, org)
    emit({"org": org, "erased": rows}, f"Erased {org}", as_json=as_json)


@org_command.command("move", cls=Command)
@click.argument("org")
@click.option(
    "--to",
    required=True,
    envvar=_TO,
    show_envvar=True,
    help="The other database: postgresql://..., or - to read that from standard input.",
)
@json_option
def move_org(org: str, to: str, as_json: bool) -> None:
    """Move an org to another PostgreSQL database while its agents read; writes wait for seconds.

    Its agents have to call a server of that database then, with tokens made there. Interrupted, the
    same command goes on.
    """
    if not is_org(org):
        raise InvalidArgument("No org can be called that.", field="org")
    if to == "-":
        to = sys.stdin.readline().strip()
    elif os.environ.get(_TO) != to and _PASSWORD.search(to):
        click.echo(_SEEN, err=True)
    if not to.startswith(("postgresql://", "postgres://")):
        raise InvalidArgument("The other database has to be a postgresql:// address.", field="to")
    settings = load_settings()
    start_logging(settings.log_level)
    report = build_moves(settings).move(org, to)
    rows = sum(report.counts.values())
    document = {"org": org, "rows": rows, "waited_seconds": round(report.waited_seconds, 3)}
    told = f"Moved {org}: {rows} rows; writes waited {report.waited_seconds:.1f} s"
    emit(document | {"counts": dict(report.counts)}, told, as_json=as_json)


@org_command.command("create", cls=Command)
@click.argument("org")
@json_option
def create_org(org: str, as_json: bool) -> None:
    """Make an org, so that tokens can be made for it."""
    with command_session() as session:
        made = session.application.access.create_org(session.actor, org)
    emit(
        {"org": org, "created": made},
        f"Made {org}" if made else f"There is an org {org} already",
        as_json=as_json,
    )
