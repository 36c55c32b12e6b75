"""The pages of skills and units: lists, versions and verdicts."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.diffs import line_diff
from commonplace.console.paging import next_page, page_mark
from commonplace.console.visits import Address, Visit, known
from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.query import Filter
from commonplace.safety.warnings import warnings_of

_LISTED = 50
_KINDS = (EntryKind.SKILL, EntryKind.UNIT)
_NAMED = {kind.value: (kind,) for kind in _KINDS}


@dataclass(frozen=True, slots=True)
class KindListed:
    """A page of skills or of units; `further` is the cursor of the next page."""

    kind: EntryKind
    entries: list[Entry]
    further: str | None


async def skills(visit: Visit) -> Response:
    """The newest skills and units, or older ones of one kind."""
    asked, given = visit.query("kind"), visit.query("from")
    kinds = known(asked, _NAMED, "kind") if asked or given else _KINDS

    def listed(app: Application, kind: EntryKind) -> KindListed:
        before = page_mark(app, visit.actor, given)
        found = app.knowledge.older(visit.actor, Filter(kinds=(kind.value,)), _LISTED, before)
        return KindListed(kind, found, next_page(app, visit.actor, found, _LISTED))

    lists = await visit.read(lambda app: [listed(app, kind) for kind in kinds])
    return await visit.page("skills/skills.html", lists=lists, first=not given)


async def skill(visit: Visit) -> Response:
    id, against = visit.part("id"), visit.query("against")

    def work(app: Application) -> dict[str, object]:
        entry = app.knowledge.get(visit.actor, id).entry
        if entry.kind not in _KINDS:
            raise NotFound("No skill or unit with that id.")
        judged = app.insight.verdicts_on(visit.actor, entry)
        versions = app.insight.chain(visit.actor, entry)
        other = next((one for one in versions if one.id == against), None)
        return {
            "entry": entry,
            "versions": versions,
            "other": other,
            "lines": line_diff(other.content.body, entry.content.body) if other else [],
            "judged": judged,
            "reputation": app.verdicts.reputation(visit.actor, judged.contributor),
            "warnings": warnings_of(entry.content.title, entry.content.body),
        }

    shown = await visit.read(work)
    if against and shown["other"] is None:
        raise InvalidArgument("That is not a version of it.", field="against")
    return await visit.page("skills/skill.html", **shown)


ADDRESSES = (
    Address("GET", "/skills", skills),
    Address("GET", "/skills/{id}", skill),
)
