"""Skills and units: what agents share, in which versions, who vouches for it, and how far."""

from __future__ import annotations

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.diffs import line_diff
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.query import Filter
from commonplace.safety.warnings import warnings_of

_LISTED = 100
_KINDS = (EntryKind.SKILL, EntryKind.UNIT)


async def skills(visit: Visit) -> Response:
    def work(app: Application) -> list[list[Entry]]:
        return [
            app.knowledge.older(visit.actor, Filter(kinds=(kind.value,)), _LISTED)
            for kind in _KINDS
        ]

    found, units = await visit.read(work)
    return await visit.page("skills/skills.html", skills=found, units=units)


async def skill(visit: Visit) -> Response:
    id, against = visit.named("id"), visit.asked("against")

    def work(app: Application) -> dict[str, object]:
        entry = app.knowledge.get(visit.actor, id).entry
        if entry.kind not in _KINDS:
            raise NotFound("No skill or unit with that id.")
        standing = app.insight.standing(visit.actor, entry)
        versions = app.insight.chain(visit.actor, entry)
        other = next((one for one in versions if one.id == against), None)
        return {
            "entry": entry,
            "versions": versions,
            "other": other,
            "lines": line_diff(other.content.body, entry.content.body) if other else [],
            "standing": standing,
            "reputation": app.registry.reputation(visit.actor, standing.contributor),
            "warnings": warnings_of(entry.content.title, entry.content.body),
        }

    shown = await visit.read(work)
    if against and shown["other"] is None:
        raise InvalidArgument("That is no version of it.", field="against")
    return await visit.page("skills/skill.html", **shown)


ADDRESSES = (
    Address("GET", "/skills", skills),
    Address("GET", "/skills/{id}", skill),
)
