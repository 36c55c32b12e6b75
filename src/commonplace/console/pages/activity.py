"""Activity and health: how the server keeps up, what is used, and who wrote what."""

from __future__ import annotations

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.visits import Address, Visit
from commonplace.model.actor import Scope
from commonplace.model.run import TargetStatus

_CHANGES = 30


async def activity(visit: Visit) -> Response:
    before, scopes = visit.asked("before"), visit.actor.scopes

    def work(app: Application) -> dict[str, object]:
        allowance, quotas = app.quotas.of(visit.actor)
        audited = Scope.AUDIT in scopes
        return {
            "status": app.upkeep.status(visit.actor),
            "vitals": app.upkeep.vitals() if Scope.ADMIN in scopes else None,
            "plan": allowance.plan,
            "quotas": quotas,
            "trail": app.upkeep.newest_changes(visit.actor, before, _CHANGES) if audited else None,
        }

    shown = await visit.read(work)
    return await visit.page(
        "activity/activity.html", listed=_CHANGES, statuses=TargetStatus, **shown
    )


async def retry(visit: Visit) -> Response:
    await visit.form()
    await visit.write(lambda app: app.upkeep.retry_failed(visit.actor))
    return visit.go("/activity", done="retried")


ADDRESSES = (
    Address("GET", "/activity", activity),
    Address("POST", "/activity/retry", retry, Scope.WRITE),
)
