"""`commonplace audit`: who changed what, when, and through which client."""

from __future__ import annotations

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.cli.times import time_option
from commonplace.memory.times import time_ago
from commonplace.model.change import AuditQuery, Change
from commonplace.server.rest.audit import trail_document


@click.command("audit", cls=Command)
@click.option("--since", help="Only changes since: 2026-01-31 or 7d.")
@click.option("--agent", help="Only changes by this agent.")
@click.option("--entity", help="Only this kind (entry, source, ...), or one entity as kind/id.")
@click.option("--after", default="", help="Continue after this cursor.")
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
@json_option
def audit_command(
    since: str | None,
    agent: str | None,
    entity: str | None,
    after: str,
    limit: int,
    as_json: bool,
) -> None:
    """Show the audit log, oldest first; `next` is the cursor of the next page."""
    query = AuditQuery.of(after, limit, time_option(since, "since", time_ago), agent, entity)
    with command_session() as session:
        trail = session.application.audit.changes(session.actor, query)
    lines = [*map(_line, trail.changes)]
    if trail.cursor:
        lines.append(f"next: --after {trail.cursor}")
    emit(trail_document(trail), "\n".join(lines) or "No changes.", as_json=as_json)


def _line(change: Change) -> str:
    who = f"{change.agent} ({change.client})"
    what = f"{change.operation.value} {change.entity}/{change.entity_id}"
    return f"{change.at:%Y-%m-%d %H:%M:%S}  {who}  {what}"
