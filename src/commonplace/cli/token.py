"""`commonplace token`: creates, lists, replaces and revokes tokens."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from commonplace.access.rules import NewToken, checked, lifetime_of, scopes_named
from commonplace.access.service import Issued
from commonplace.application import Application
from commonplace.cli.orgs import check_org
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.model.access import Token
from commonplace.model.actor import Scope
from commonplace.settings import names_of

_SCOPES = ", ".join(scope.value for scope in Scope)


def token_document(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "org": token.org,
        "agent": token.agent,
        "name": token.name,
        "scopes": sorted(token.scopes),
        "created_by": token.created_by,
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        "revoked_at": token.revoked_at.isoformat() if token.revoked_at else None,
        "last_used_at": token.last_used_at.isoformat() if token.last_used_at else None,
    }


def token_line(token: Token) -> str:
    used = f"last used {token.last_used_at:%Y-%m-%d}" if token.last_used_at else "never used"
    scopes = ",".join(sorted(token.scopes))
    return f"{token.id}  {token.org}/{token.agent}  {token.name}  {scopes}  {_end(token)}, {used}"


def _end(token: Token) -> str:
    if token.revoked_at:
        return f"revoked {token.revoked_at:%Y-%m-%d}"
    if token.expires_at is None:
        return "does not expire"
    past = token.expires_at <= datetime.now(UTC)
    return f"{'expired' if past else 'expires'} {token.expires_at:%Y-%m-%d %H:%M}"


@click.group("token")
def token_command() -> None:
    """Tokens: credentials for calls over HTTP."""


@token_command.command("create", cls=Command)
@click.option("--org", help="The org of the token (default: that of COMMONPLACE_ORG).")
@click.option("--new-org", is_flag=True, help="Create the org if it does not exist.")
@click.option("--agent", required=True, help="The agent that calls with the token act as.")
@click.option(
    "--scopes",
    default=f"{Scope.READ},{Scope.WRITE}",
    show_default=True,
    help=f"Its scopes, comma-separated: {_SCOPES}.",
)
@click.option("--expires", help="How long it is valid: 90d, 12h, 30min (default: until revoked).")
@click.option("--name", default="", help="Its name (default: the agent's name).")
@json_option
def create_token(
    org: str | None,
    new_org: bool,
    agent: str,
    scopes: str,
    expires: str | None,
    name: str,
    as_json: bool,
) -> None:
    """Create a token and show it, this once."""
    lifetime = lifetime_of(expires) if expires else None
    with command_session() as session:
        org = session.actor.org if org is None else org
        new = checked(NewToken(org, agent, scopes_named(names_of(scopes)), name, lifetime))
        if not new_org:
            check_org(session.application, org)
        _warn_of_local_access(session.application)
        issued = session.application.access.create(session.actor, new)
    _show(issued, as_json=as_json)


def _show(issued: Issued, *, as_json: bool) -> None:
    lines = [
        issued.text,
        "",
        token_line(issued.token),
        "Copy it now: only its hash is stored, so it cannot be shown again.",
    ]
    document = {**token_document(issued.token), "token": issued.text}
    emit(document, "\n".join(lines), as_json=as_json)


def _warn_of_local_access(application: Application) -> None:
    """Warn if this is the first token: local clients then need one too."""
    settings = application.settings
    if settings.shared or settings.local_access in ("always", "never"):
        return
    if not application.access.any_valid():
        click.echo(
            "From now on, clients on this machine need a token at /mcp and /rpc too: without one "
            "they are refused within 5 seconds, until every token is revoked or has expired. "
            "COMMONPLACE_LOCAL_ACCESS=always admits your own account without one.",
            err=True,
        )


@token_command.command("list", cls=Command)
@click.option("--org", help="Only of this org.")
@json_option
def list_tokens(org: str | None, as_json: bool) -> None:
    """List tokens, also invalid ones; never the secrets."""
    with command_session() as session:
        tokens = session.application.access.tokens(session.actor, [org] if org else [])
    lines = [token_line(token) for token in tokens] or ["There are no tokens."]
    emit({"tokens": [token_document(token) for token in tokens]}, "\n".join(lines), as_json=as_json)


@token_command.command("revoke", cls=Command)
@click.argument("id")
@json_option
def revoke_token(id: str, as_json: bool) -> None:
    """Revoke a token; within seconds, every server refuses it."""
    with command_session() as session:
        token = session.application.access.revoke(session.actor, session.token_id(id))
    emit(token_document(token), f"Revoked {token_line(token)}", as_json=as_json)


@token_command.command("replace", cls=Command)
@click.argument("id")
@json_option
def replace_token(id: str, as_json: bool) -> None:
    """Create a token with the same rights and lifetime as another, and revoke the old one."""
    with command_session() as session:
        issued = session.application.access.rotate(session.actor, session.token_id(id))
    _show(issued, as_json=as_json)
