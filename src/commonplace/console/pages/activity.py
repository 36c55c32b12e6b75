"""The pages of activity: agents' questions, call statistics, health, the audit log."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.pages.reading import href_of
from commonplace.console.plots import Plot, bars, curves
from commonplace.console.visits import Address, Visit, known
from commonplace.errors import CommonplaceError
from commonplace.model.activity import Outcome
from commonplace.model.actor import Actor, Scope
from commonplace.model.references import parse_reference
from commonplace.model.run import TargetStatus
from commonplace.operations.activity.periods import Activity, Period, Stretch

_CHANGES = 30
_QUESTIONS = 25
_PERIODS = {one.value: one for one in Period}
_SHOWN = {"all": None} | {one.value: one for one in Outcome}
_NAMES = {Period.DAY: "%H:%M", Period.WEEK: "%a %H:%M", Period.MONTH: "%-d %b"}


@dataclass(frozen=True, slots=True)
class DeliveredResult:
    """Something that a call returned: its reference, and its title if the reader may see it."""

    reference: str
    title: str
    href: str | None


async def activity(visit: Visit) -> Response:
    period = known(visit.query("period") or Period.DAY.value, _PERIODS, "period")
    audited = Scope.AUDIT in visit.actor.scopes

    def work(app: Application) -> dict[str, object]:
        activity = app.activity.of(visit.actor, period) if audited else None
        return {
            "activity": activity,
            "kept_days": app.settings.activity_days,
            "plots": _plots(activity) if activity and activity.calls else None,
        }

    shown = await visit.read(work)
    return await visit.page("activity/activity.html", periods=list(Period), period=period, **shown)


def _plots(activity: Activity) -> dict[str, Plot]:
    form = _NAMES[activity.period]
    names = [f"{one.start:{form}}" for one in activity.stretches]
    return {
        "calls": bars(
            [one.calls for one in activity.stretches],
            [one.failed for one in activity.stretches],
            names,
            [_tooltip(name, one) for name, one in zip(names, activity.stretches, strict=True)],
        ),
        "durations": curves(
            [
                ("median", [one.median for one in activity.stretches]),
                ("95th percentile", [one.slow for one in activity.stretches]),
            ],
            names,
        ),
    }


def _tooltip(name: str, one: Stretch) -> str:
    failed = f", {one.failed} failed" if one.failed else ""
    return f"{name} UTC: {one.calls} calls{failed}"


async def questions(visit: Visit) -> Response:
    outcome = known(visit.query("outcome") or "all", _SHOWN, "outcome")
    given = visit.query("before")
    before = int(given) if given.isdecimal() and len(given) < 18 else None
    found = await visit.read(
        lambda app: app.activity.questions(visit.actor, _QUESTIONS, before, outcome)
    )
    return await visit.page(
        "activity/questions.html",
        questions=found,
        outcomes=list(Outcome),
        outcome=outcome,
        first=before is None,
        more=len(found) == _QUESTIONS,
    )


async def given(visit: Visit) -> Response:
    """What a question was answered with, as far as the reader may see it."""
    key = visit.part("key")
    number = int(key) if key.isdecimal() and len(key) < 18 else 0

    def work(app: Application) -> list[DeliveredResult]:
        question = app.activity.question(visit.actor, number)
        return [_given(app, visit.actor, reference) for reference in question.given]

    return await visit.page("activity/given.html", given=await visit.read(work))


def _given(app: Application, actor: Actor, reference: str) -> DeliveredResult:
    try:
        opened = app.memory.opening.open(actor, parse_reference(reference))
    except CommonplaceError:
        return DeliveredResult(reference, "", None)
    return DeliveredResult(reference, opened.title, href_of(reference))


async def health(visit: Visit) -> Response:
    def work(app: Application) -> dict[str, object]:
        allowance, quotas = app.quotas.of(visit.actor)
        return {
            "status": app.status.of_org(visit.actor),
            "vitals": app.status.vitals() if Scope.ADMIN in visit.actor.scopes else None,
            "plan": allowance.plan,
            "quotas": quotas,
        }

    return await visit.page("activity/health.html", statuses=TargetStatus, **await visit.read(work))


async def audit(visit: Visit) -> Response:
    before = visit.query("before")

    def work(app: Application) -> dict[str, object]:
        trail = app.audit.newest_changes(visit.actor, before, _CHANGES)
        changed = [one.entity_id for one in trail.changes if one.entity == "entry"]
        ids = (id.partition("/")[2] for id in changed)
        return {"trail": trail, "titles": app.insight.titles(visit.actor, ids)}

    return await visit.page("activity/audit.html", listed=_CHANGES, **await visit.read(work))


async def retry(visit: Visit) -> Response:
    await visit.form()
    await visit.write(lambda app: app.status.retry_failed(visit.actor))
    return visit.go("/activity/health", done="retried")


ADDRESSES = (
    Address("GET", "/activity", activity),
    Address("GET", "/activity/questions", questions, Scope.AUDIT),
    Address("GET", "/activity/questions/{key}", given, Scope.AUDIT),
    Address("GET", "/activity/health", health),
    Address("GET", "/activity/audit", audit, Scope.AUDIT),
    Address("POST", "/activity/retry", retry, Scope.WRITE),
)
