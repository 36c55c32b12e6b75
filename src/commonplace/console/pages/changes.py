"""Actions on entries: create, edit, supersede, delete, restore; on one entry or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.filters import day_from, tags_in
from commonplace.console.pages.knowledge import UNEDITED, page_of
from commonplace.console.visits import Address, SentForm, Visit, known, number
from commonplace.errors import AccessDenied, CommonplaceError, Conflict, InvalidArgument, NotFound
from commonplace.model.actor import Actor, Scope
from commonplace.model.entry import Entry, EntryContent, EntryKind, Visibility, plain_tag
from commonplace.surfaces.http_status import http_status

_MOST_AT_ONCE = 100
# An expiry must lie in the future, so "expire now" means in a moment.
_A_MOMENT = timedelta(seconds=2)
_VISIBILITIES = {one.value: one for one in Visibility}
_EMPTY = EntryContent("", "")


async def new(visit: Visit) -> Response:
    return await _writing(visit, replace(_EMPTY, title=visit.query("title")), None)


async def add(visit: Visit) -> Response:
    form = await visit.form()
    return await _written(visit, form, None, lambda app, content: _added(app, visit, content))


async def editing(visit: Visit) -> Response:
    id = visit.part("id")
    entry = (await visit.read(lambda app: app.knowledge.get(visit.actor, id))).entry
    return await _writing(visit, entry.content, entry, succeeding=visit.query("as") == "successor")


async def edit(visit: Visit) -> Response:
    """Save a new revision, or a successor that replaces the entry."""
    form, id = await visit.form(), visit.part("id")
    entry = (await visit.read(lambda app: app.knowledge.get(visit.actor, id))).entry
    succeeding = form.text("as") == "successor"

    def work(app: Application, content: EntryContent) -> Response:
        if succeeding:
            return _succeeded(app, visit, entry, content)
        return _edited(app, visit, entry, content, form)

    return await _written(visit, form, entry, work)


async def _written(
    visit: Visit,
    form: SentForm,
    entry: Entry | None,
    work: Callable[[Application, EntryContent], Response],
) -> Response:
    """Save what was typed; if it is refused, show the form again with the error and the text."""
    before = entry.content if entry else _EMPTY
    try:
        content = _content(form, before)
        return await visit.write(lambda app: work(app, content))
    except CommonplaceError as error:
        return await _writing(visit, form, entry, error)


def _fields_of(content: EntryContent) -> dict[str, str]:
    """The fields of the form, as they show a content."""
    return {
        "title": content.title,
        "body": content.body,
        "tags": ", ".join(content.tags),
        "project": content.place.project or "",
        "visibility": content.visibility.value,
        "confidence": str(round(content.confidence * 100)),
        "expires_at": content.expires_at.date().isoformat() if content.expires_at else "",
    }


async def _writing(
    visit: Visit,
    shown: EntryContent | SentForm,
    entry: Entry | None,
    problem: CommonplaceError | None = None,
    *,
    succeeding: bool = False,
) -> Response:
    """The form, with a content or with what was typed and refused."""
    if isinstance(shown, SentForm):
        succeeding = shown.text("as") == "successor"
        fields = {name: shown.text(name) for name in _fields_of(_EMPTY)}
    else:
        fields = _fields_of(shown)
    return await visit.page(
        "knowledge/edit.html",
        http_status(problem) if problem else 200,
        fields=fields,
        entry=entry,
        problem=problem,
        succeeding=succeeding,
        visibilities=list(Visibility),
    )


def _content(form: SentForm, before: EntryContent) -> EntryContent:
    return replace(
        before,
        title=form.text("title").strip(),
        body=form.text("body"),
        tags=tags_in(form.text("tags")),
        visibility=known(form.text("visibility"), _VISIBILITIES, "visibility"),
        confidence=_share(form.text("confidence")),
        place=replace(before.place, project=form.text("project").strip() or None),
        expires_at=day_from(form.text("expires_at"), "expires", end=True),
    )


def _share(given: str) -> float:
    return number(given, "confidence") / 100


def _added(app: Application, visit: Visit, content: EntryContent) -> Response:
    entry = app.knowledge.add(visit.actor, EntryKind.NOTE, content, source="person")
    return visit.go(page_of(entry.id), done="added")


def _edited(
    app: Application, visit: Visit, entry: Entry, content: EntryContent, form: SentForm
) -> Response:
    given = form.text("revision")
    revision = number(given, "revision") if given else entry.revision
    if entry.kind in UNEDITED:
        raise InvalidArgument("Skills and units are changed by a new version.", field="kind")
    if _same_day(content, entry.content):
        content = replace(content, expires_at=entry.content.expires_at)
    edited = app.knowledge.edit(visit.actor, entry.id, content, revision=revision)
    return visit.go(page_of(entry.id), done="saved", of=_step_back(edited))


def _same_day(content: EntryContent, before: EntryContent) -> bool:
    """Whether the date is unchanged; then the stored time of day, which the form lacks, is kept."""
    both = content.expires_at, before.expires_at
    return all(both) and len({moment.date() for moment in both if moment}) == 1


def _succeeded(app: Application, visit: Visit, entry: Entry, content: EntryContent) -> Response:
    fresh = replace(content, place=replace(content.place, resource=None))
    newer = app.knowledge.add(visit.actor, entry.kind, fresh, source="person")
    app.knowledge.supersede(visit.actor, entry.kind, entry.id, newer.id)
    return visit.go(page_of(newer.id), done="added")


async def supersede(visit: Visit) -> Response:
    form, id = await visit.form(), visit.part("id")
    by = form.text("by").strip().rpartition("/")[2]

    def work(app: Application) -> Entry:
        old = app.knowledge.get(visit.actor, id).entry
        app.knowledge.supersede(visit.actor, old.kind, id, by)
        return app.knowledge.get(visit.actor, id).entry

    done = await visit.write(work)
    return visit.go(page_of(id), done="superseded", of=_step_back(done))


async def delete(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    entry = await visit.write(lambda app: app.knowledge.delete(visit.actor, id))
    return visit.go("/knowledge", done="deleted", of=_step_back(entry))


async def restore(visit: Visit) -> Response:
    form, id = await visit.form(), visit.part("id")
    given = form.text("revision")
    revision = number(given, "revision") if given else None
    await visit.write(lambda app: app.knowledge.restore(visit.actor, id, revision))
    return visit.go(page_of(id), done="restored")


async def purge(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    await visit.write(lambda app: app.knowledge.purge(visit.actor, id))
    return visit.go("/knowledge", done="purged")


async def bulk(visit: Visit) -> Response:
    """Apply one action to several entries, each as a revision of its own, so it can be undone."""
    form = await visit.form()
    ids, back = form.texts("ids")[:_MOST_AT_ONCE], form.text("back")
    if not ids:
        raise InvalidArgument("Select at least one entry.", field="ids")
    done, change = _bulk_action(form)

    def work(app: Application) -> tuple[list[Entry], int]:
        visit.charge(len(ids))
        changed, left = [], 0
        for id in ids:
            try:
                changed.append(change(app, visit.actor, id))
            except (AccessDenied, NotFound, Conflict, InvalidArgument):
                left += 1
        return changed, left

    changed, left = await visit.write(work)
    path = back if back.startswith("/knowledge") else "/knowledge"
    counts = {"n": str(len(changed)), "left": str(left) if left else ""}
    return visit.go(path, done=done, of=_steps_back(changed), **counts)


Change = Callable[[Application, Actor, str], Entry]


def _bulk_action(form: SentForm) -> tuple[str, Change]:
    action, tags = form.text("action"), tags_in(form.text("tag"))
    if action == "delete":
        return "deleted", lambda app, actor, id: app.knowledge.delete(actor, id)
    if action == "expire":
        return "expired", _expired
    if action not in ("tag", "untag"):
        raise InvalidArgument("action is one of delete, expire, tag, untag.", field="action")
    if not tags:
        raise InvalidArgument("Name at least one tag.", field="tag")
    if action == "tag":
        return "tagged", lambda app, actor, id: _retagged(app, actor, id, add=tags)
    return "untagged", lambda app, actor, id: _retagged(app, actor, id, drop=tags)


def _retagged(
    app: Application, actor: Actor, id: str, add: Sequence[str] = (), drop: Sequence[str] = ()
) -> Entry:
    entry = app.knowledge.get(actor, id).entry
    gone = {plain_tag(tag) for tag in drop}
    tags = tuple(tag for tag in (*entry.content.tags, *add) if plain_tag(tag) not in gone)
    content = replace(entry.content, tags=tags)
    return app.knowledge.edit(actor, id, content, revision=entry.revision)


def _expired(app: Application, actor: Actor, id: str) -> Entry:
    entry = app.knowledge.get(actor, id).entry
    content = replace(entry.content, expires_at=datetime.now(UTC) + _A_MOMENT)
    return app.knowledge.edit(actor, id, content, revision=entry.revision)


def _step_back(entry: Entry) -> str:
    return f"{entry.id}@{entry.revision - 1}"


def _steps_back(entries: Sequence[Entry]) -> str:
    return " ".join(map(_step_back, entries))


async def undo(visit: Visit) -> Response:
    """Undo an action by restoring the revision before it, unless the entry has changed since."""
    form = await visit.form()
    steps = [_step(given) for given in form.text("of").split()][:_MOST_AT_ONCE]
    path = form.text("back")

    def work(app: Application) -> None:
        visit.charge(len(steps))
        for id, revision in steps:
            latest = app.knowledge.history(visit.actor, id)[-1].number
            if latest != revision + 1:
                raise Conflict("It has been changed since; see its history.")
            app.knowledge.restore(visit.actor, id, revision)

    await visit.write(work)
    one = page_of(steps[0][0]) if len(steps) == 1 else "/knowledge"
    back = path if path.startswith("/knowledge") else one
    return visit.go(back, done="restored", n=str(len(steps)))


def _step(given: str) -> tuple[str, int]:
    id, _, revision = given.rpartition("@")
    if not id:
        raise InvalidArgument("That cannot be undone.", field="of")
    return id, number(revision, "of")


ADDRESSES = (
    Address("GET", "/knowledge/new", new, Scope.WRITE),
    Address("POST", "/knowledge/new", add, Scope.WRITE),
    Address("POST", "/knowledge/bulk", bulk, Scope.WRITE),
    Address("POST", "/knowledge/undo", undo, Scope.WRITE),
    Address("GET", "/knowledge/{id}/edit", editing, Scope.WRITE),
    Address("POST", "/knowledge/{id}/edit", edit, Scope.WRITE),
    Address("POST", "/knowledge/{id}/supersede", supersede, Scope.WRITE),
    Address("POST", "/knowledge/{id}/delete", delete, Scope.WRITE),
    Address("POST", "/knowledge/{id}/restore", restore, Scope.WRITE),
    Address("POST", "/knowledge/{id}/purge", purge, Scope.WRITE),
)
