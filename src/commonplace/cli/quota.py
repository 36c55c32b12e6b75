"""`commonplace quota` and `plan`: monthly quotas of orgs, and named sets of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import click

from commonplace.application import Application
from commonplace.cli.orgs import check_org
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.quota import METRICS, Quota

UNLIMITED = "unlimited"
_METRIC = click.option("--metric", type=click.Choice(METRICS), default=METRICS[0])
_ORG = click.option("--org", help="The org (default: the one in the settings).")


@contextmanager
def _acting_in(org: str | None) -> Iterator[tuple[Application, Actor]]:
    with command_session() as session:
        if org is not None:
            check_org(session.application, org)
        yield session.application, replace(session.actor, org=org or session.actor.org)


def _monthly(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise InvalidArgument(f"A quota is a whole number or {UNLIMITED}.", field="monthly")
    return int(text)


def _shown(monthly: int | None) -> str:
    return UNLIMITED if monthly is None else str(monthly)


@click.group("quota")
def quota_command() -> None:
    """Monthly quotas of an org."""


@quota_command.command("show", cls=Command)
@_ORG
@json_option
def show_quota(org: str | None, as_json: bool) -> None:
    """Show the plan of an org, its exceptions, and what it has used this month."""
    with _acting_in(org) as (application, actor):
        allowance, quotas = application.quotas.of(actor)
    document = {
        "org": actor.org,
        "plan": allowance.plan,
        "quotas": [_document(quota) for quota in quotas],
    }
    lines = [f"{actor.org}: {f'plan {allowance.plan}' if allowance.plan else 'no plan'}"]
    lines += [
        f"  {quota.metric}  {quota.used} of {_shown(quota.monthly)} ({quota.source})"
        for quota in quotas
    ]
    emit(document, "\n".join(lines), as_json=as_json)


def _document(quota: Quota) -> dict[str, Any]:
    return {
        "metric": quota.metric,
        "used": quota.used,
        "monthly": quota.monthly,
        "source": quota.source,
        "resets_at": quota.resets_at.isoformat(),
    }


@quota_command.command("set", cls=Command)
@click.argument("monthly")
@_METRIC
@_ORG
@json_option
def set_quota(monthly: str, metric: str, org: str | None, as_json: bool) -> None:
    """Set a quota for one org, overriding its plan: a number per month, or `unlimited`."""
    limit = _monthly(monthly)
    with _acting_in(org) as (application, actor):
        application.quotas.override(actor, metric, limit)
    document = {"org": actor.org, "metric": metric, "monthly": limit}
    emit(document, f"{actor.org}: {metric} {_shown(limit)} a month", as_json=as_json)


@quota_command.command("clear", cls=Command)
@_METRIC
@_ORG
@json_option
def clear_quota(metric: str, org: str | None, as_json: bool) -> None:
    """Remove a quota set for one org, so that its plan applies again."""
    with _acting_in(org) as (application, actor):
        application.quotas.withdraw(actor, metric)
    emit(
        {"org": actor.org, "metric": metric}, f"{actor.org}: {metric} by its plan", as_json=as_json
    )


@click.group("plan")
def plan_command() -> None:
    """Plans: named sets of quotas that orgs are assigned to."""


@plan_command.command("list", cls=Command)
@json_option
def list_plans(as_json: bool) -> None:
    """List the plans and their monthly quotas."""
    with _acting_in(None) as (application, actor):
        plans = application.quotas.plans(actor)
    lines = [f"{plan}  {_limits(limits)}" for plan, limits in plans.items()]
    document = {"plans": {plan: dict(limits) for plan, limits in plans.items()}}
    emit(document, "\n".join(lines or ["No plan is defined."]), as_json=as_json)


def _limits(limits: Mapping[str, int | None]) -> str:
    return ", ".join(f"{metric} {_shown(monthly)}" for metric, monthly in limits.items())


@plan_command.command("set", cls=Command)
@click.argument("plan")
@click.argument("monthly")
@_METRIC
@json_option
def set_plan(plan: str, monthly: str, metric: str, as_json: bool) -> None:
    """Set a monthly quota of a plan: a number, or `unlimited`."""
    limit = _monthly(monthly)
    with _acting_in(None) as (application, actor):
        application.quotas.define(actor, plan, metric, limit)
    document = {"plan": plan, "metric": metric, "monthly": limit}
    emit(document, f"{plan}: {metric} {_shown(limit)} a month", as_json=as_json)


@plan_command.command("drop", cls=Command)
@click.argument("plan")
@json_option
def drop_plan(plan: str, as_json: bool) -> None:
    """Delete a plan that no org is assigned to."""
    with _acting_in(None) as (application, actor):
        application.quotas.drop(actor, plan)
    emit({"plan": plan}, f"Dropped {plan}", as_json=as_json)


@plan_command.command("assign", cls=Command)
@click.argument("org")
@click.argument("plan", required=False)
@json_option
def assign_plan(org: str, plan: str | None, as_json: bool) -> None:
    """Assign an org to a plan; without PLAN, to none."""
    with _acting_in(org) as (application, actor):
        application.quotas.assign(actor, plan)
    emit({"org": org, "plan": plan}, f"{org}: {plan or 'no plan'}", as_json=as_json)
