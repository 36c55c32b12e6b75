"""The pages of knowledge: the list of entries, one entry, and its history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.diffs import DiffLine, line_diff
from commonplace.console.filters import ENTRY_KINDS, FILTERS, Suggestions, filter_from, suggestions
from commonplace.console.paging import next_page, page_mark
from commonplace.console.visits import Address, Visit
from commonplace.errors import AccessDenied, InvalidArgument, NotFound
from commonplace.knowledge.history import Revision
from commonplace.knowledge.rules import THINGS
from commonplace.knowledge.values import EntryView
from commonplace.model.actor import Actor
from commonplace.model.capture import Access
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.query import Filter, RetrievalMode, SearchRequest
from commonplace.model.references import parse_reference
from commonplace.model.rights import Verb, permit, whose_is
from commonplace.safety.warnings import warnings_of

LISTED = 50
_CHOICES = 8
_NEVER = Access()
# Their bodies have a format of their own; a change needs a new version.
UNEDITED = frozenset({EntryKind.SKILL, EntryKind.UNIT})
_FIELDS = (
    ("title", "Title"),
    ("tags", "Tags"),
    ("visibility", "Visibility"),
    ("project", "Project"),
    ("confidence", "Confidence"),
    ("expires_at", "Expires"),
    ("category", "Category"),
    ("superseded_by", "Superseded by"),
    ("deleted_at", "Deleted"),
)


@dataclass(frozen=True, slots=True)
class WholeEntry:
    """An entry with everything that its page shows."""

    view: EntryView
    access: Access
    revisions: list[Revision]
    chain: list[Entry]
    warnings: list[str]
    may: frozenset[str]
    network: bool

    @property
    def entry(self) -> Entry:
        return self.view.entry

    @property
    def written_by(self) -> Revision | None:
        """The first revision; None if the reader may not see the history."""
        return self.revisions[0] if self.revisions else None


@dataclass(frozen=True, slots=True)
class FieldChange:
    name: str
    before: str
    after: str


async def entries(visit: Visit) -> Response:
    wanted, given = _listed(filter_from(visit.request.query_params)), visit.query("from")

    def work(app: Application) -> tuple[list[Entry], str | None, Suggestions]:
        before = page_mark(app, visit.actor, given)
        found = app.knowledge.older(visit.actor, wanted, LISTED, before)
        further = next_page(app, visit.actor, found, LISTED)
        return found, further, suggestions(app, visit.actor)

    found, further, hints = await visit.read(work)
    selected = {name: visit.query(name) for name in FILTERS}
    return await visit.page(
        "knowledge/list.html",
        entries=found,
        wanted=wanted,
        first=not given,
        narrowed=any(selected.values()),
        address=urlencode({name: value for name, value in selected.items() if value}),
        further=further,
        hints=hints,
        kinds=ENTRY_KINDS,
        selected=selected,
    )


def _listed(wanted: Filter) -> Filter:
    if any(kind not in ENTRY_KINDS for kind in wanted.kinds):
        raise InvalidArgument(f"kind is one of {', '.join(ENTRY_KINDS)}.", field="kind")
    return wanted


async def choices(visit: Visit) -> Response:
    """Entries that match the text typed so far, as suggestions."""
    query = visit.query("q")
    request = SearchRequest(
        query=query, filter=Filter(kinds=ENTRY_KINDS), limit=_CHOICES, mode=RetrievalMode.LEXICAL
    )
    found = await visit.read(lambda app: app.retrieval.search(visit.actor, request).hits)
    return await visit.page(
        "knowledge/choices.html", entries=[hit.entry for hit in found if hit.entry]
    )


def whole_entry(app: Application, actor: Actor, id: str) -> WholeEntry:
    view = app.knowledge.get(actor, id)
    entry = view.entry
    mine = entry.org == actor.org
    return WholeEntry(
        view=view,
        access=app.usage.of(actor, [entry]).get(entry.key, _NEVER),
        revisions=app.knowledge.history(actor, id) if mine else [],
        chain=app.insight.chain(actor, entry) if mine else [],
        warnings=warnings_of(entry.content.title, entry.content.body),
        may=allowed(actor, entry),
        network=app.settings.network,
    )


def allowed(actor: Actor, entry: Entry) -> frozenset[str]:
    """What the actor may do to an entry; pages offer only these actions."""
    if entry.org != actor.org:
        return frozenset()
    return frozenset(verb.name for verb in Verb if _permits(actor, entry, verb))


def _permits(actor: Actor, entry: Entry, verb: Verb) -> bool:
    if verb is Verb.CHANGE and entry.kind in UNEDITED:
        return False
    try:
        permit(actor, THINGS[entry.kind], verb, whose_is(actor, entry.agent))
    except (AccessDenied, KeyError):
        return False
    return True


async def entry(visit: Visit) -> Response:
    id = visit.part("id")
    try:
        shown = await visit.read(lambda app: whole_entry(app, visit.actor, id))
    except NotFound:
        if ":" in id:
            found = await visit.read(
                lambda app: app.memory.opening.entry(visit.actor, parse_reference(id))
            )
            return visit.go(page_of(found.id))
        return await _gone(visit, id)
    return await visit.page("knowledge/entry.html", shown=shown, entry=shown.entry)


async def _gone(visit: Visit, id: str) -> Response:
    """The page of a deleted entry, which offers to restore it."""
    revisions = await visit.read(lambda app: app.knowledge.history(visit.actor, id))
    return await visit.page("knowledge/gone.html", 410, id=id, last=revisions[-1])


async def history(visit: Visit) -> Response:
    id = visit.part("id")
    revisions = await visit.read(lambda app: app.knowledge.history(visit.actor, id))
    last = _revision(visit.query("to"), revisions, revisions[-1])
    earlier = [one for one in revisions if one.number < last.number]
    first = _revision(visit.query("from"), revisions, earlier[-1] if earlier else last)
    lines = await visit.read(lambda _app: _compared(first, last))
    return await visit.page(
        "knowledge/history.html",
        id=id,
        title=revisions[-1].image["title"],
        revisions=list(reversed(revisions)),
        first=first,
        last=last,
        fields=_changed(first, last),
        lines=lines,
        current=revisions[-1].number,
        gone=revisions[-1].image["deleted_at"] is not None,
    )


def _revision(given: str, revisions: list[Revision], default: Revision) -> Revision:
    number = int(given) if given.isdecimal() and len(given) < 10 else default.number
    return next((one for one in revisions if one.number == number), default)


def _compared(first: Revision, last: Revision) -> list[DiffLine]:
    return line_diff(first.image["body"], last.image["body"])


def _changed(first: Revision, last: Revision) -> list[FieldChange]:
    return [
        FieldChange(title, _value(name, first), _value(name, last))
        for name, title in _FIELDS
        if first.image.get(name) != last.image.get(name)
    ]


def _value(name: str, revision: Revision) -> str:
    value = revision.image.get(name)
    if value is None or value == []:
        return "none"
    if name.endswith("_at"):
        return f"{datetime.fromtimestamp(value / 1_000_000, UTC):%-d %b %Y, %H:%M}"
    return ", ".join(value) if isinstance(value, list) else str(value)


def page_of(id: str) -> str:
    return f"/knowledge/{quote(id, safe='')}"


ADDRESSES = (
    Address("GET", "/knowledge", entries),
    Address("GET", "/knowledge/choices", choices),
    Address("GET", "/knowledge/{id}", entry),
    Address("GET", "/knowledge/{id}/history", history),
)
