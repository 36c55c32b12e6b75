"""`commonplace org`: lists, creates, moves and erases orgs."""

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
_PASSWORD = re.compile(r"\A[^/]*//[^/@:]*:[^@]+@|[?&]password=")
_PASSWORD_VISIBLE = (
    f"Other accounts of this machine can see the password in --to; give the address in {_TO} or "
    "on standard input (--to -), or the password in a file (~/.pgpass)."
)


def check_org(application: Application, org: str) -> None:
    """Raise NotFound if the org does not exist, so that a typo does not create one."""
    if not is_org(org):
        raise InvalidArgument("This is not a valid name for an org.", field="org")
    known = {application.settings.org, *application.access.orgs()}
    if org not in known:
        names = ", ".join(sorted(known))
        raise NotFound(
            f"There is no org {org}; known are {names}. `commonplace org create` creates one."
        )


@click.group("org")
def org_command() -> None:
    """Orgs: the tenants of a server. Everything stored belongs to one org."""


@org_command.command("list", cls=Command)
@json_option
def list_orgs(as_json: bool) -> None:
    """List the orgs that were created or have stored anything."""
    with command_session() as session:
        orgs = session.application.access.orgs()
    emit({"orgs": orgs}, "\n".join(orgs or ["No org has stored anything yet."]), as_json=as_json)


@org_command.command("remove", cls=Command)
@click.argument("org")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def remove_org(org: str, yes: bool, as_json: bool) -> None:
    """Erase an org with its tokens and everything that it stored. This cannot be undone."""
    with command_session() as session:
        check_org(session.application, org)
        if not yes:
            click.confirm(f"Erase {org} with everything it stored?", abort=True, err=True)
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
    """Move an org to another PostgreSQL database; reads go on, writes wait for seconds.

    Its agents must then call a server of that database, with tokens created there. If interrupted,
    run the same command again to continue.
    """
    if not is_org(org):
        raise InvalidArgument("This is not a valid name for an org.", field="org")
    if to == "-":
        to = sys.stdin.readline().strip()
    elif os.environ.get(_TO) != to and _PASSWORD.search(to):
        click.echo(_PASSWORD_VISIBLE, err=True)
    if not to.startswith(("postgresql://", "postgres://")):
        raise InvalidArgument("The other database must be a postgresql:// address.", field="to")
    settings = load_settings()
    start_logging(settings.log_level)
    report = build_moves(settings).move(org, to)
    rows = sum(report.counts.values())
    document = {"org": org, "rows": rows, "waited_seconds": round(report.waited_seconds, 3)}
    text = f"Moved {org}: {rows} rows; writes waited {report.waited_seconds:.1f} s"
    emit(document | {"counts": dict(report.counts)}, text, as_json=as_json)


@org_command.command("create", cls=Command)
@click.argument("org")
@json_option
def create_org(org: str, as_json: bool) -> None:
    """Create an org, so that tokens can be created for it."""
    with command_session() as session:
        created = session.application.access.create_org(session.actor, org)
    emit(
        {"org": org, "created": created},
        f"Created {org}" if created else f"The org {org} exists already",
        as_json=as_json,
    )
