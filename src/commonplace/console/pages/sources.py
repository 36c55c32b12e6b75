"""The pages of sources: folders, files, web pages and written pages, with their progress."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.live import live
from commonplace.console.paging import next_page, page_mark
from commonplace.console.visits import Address, SentForm, Visit
from commonplace.documents.rules import NewSource
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.model.actor import Actor, Scope
from commonplace.model.graph import FileProblem
from commonplace.model.references import of_document, parse_reference
from commonplace.model.source import Source, SourceStatus, SourceType
from commonplace.model.workspace import Attached, IndexStatus, Project, ResourceCounts
from commonplace.surfaces.http_status import http_status
from commonplace.workspace.projects.changes import View
from commonplace.workspace.projects.scope import EVERYTHING

WORKSPACE = "main"
_LISTED = 50
_MOST_FILES = 20
_FORM_ROOM = 100_000
_CHUNKS_SHOWN = 100
# Word in an error -> what a person can do about it.
_ADVICE = (
    (
        "address",
        "Addresses in this network can be read only if COMMONPLACE_FETCH_ALLOW names them.",
    ),
    ("large", "Upload it in smaller parts, or raise COMMONPLACE_SOURCE_MAX_BYTES."),
    ("password", "Save it without a password and upload it again."),
    ("reach", "Check that the address opens in a browser, then read it again."),
    ("exist", "Check that the folder still exists, then index it again."),
)


@dataclass(frozen=True, slots=True)
class FolderRow:
    """An attached folder with its indexing progress."""

    attached: Attached
    status: IndexStatus
    counts: ResourceCounts
    problems: tuple[FileProblem, ...] = ()
    commits: int = 0

    @property
    def embedded(self) -> int:
        return max(0, self.counts.chunks - self.counts.unembedded - self.counts.left_out)


@dataclass(frozen=True, slots=True)
class Shelf:
    """A page of the sources, and all folders by project id (empty for global ones)."""

    sources: list[Source]
    further: str | None
    folders: dict[str, list[FolderRow]]
    projects: list[Project]
    progress: dict[str, tuple[int, int]]

    @property
    def busy(self) -> bool:
        waiting = {SourceStatus.PENDING, SourceStatus.PROCESSING}
        rows = [row for rows in self.folders.values() for row in rows]
        return any(source.sync.status in waiting for source in self.sources) or any(
            row.status is IndexStatus.INDEXING or row.counts.unembedded for row in rows
        )


def shelf(app: Application, actor: Actor, given: str) -> Shelf:
    sources = app.documents.newest(actor, _LISTED, page_mark(app, actor, given))
    further = next_page(app, actor, sources, _LISTED)
    view = app.workspace.view(actor, EVERYTHING)
    folders: dict[str, list[FolderRow]] = {project.id: [] for project in view.projects.values()}
    for one in view.sources.attached:
        row = FolderRow(
            one,
            view.status_of(one.resource),
            _counts(view, one),
            view.problems_of(one.resource),
            view.commits.get(one.resource.locator, 0),
        )
        folders.setdefault(one.attachment.project_id or "", []).append(row)
    under_way = {source.id: app.source_reading.progress(source.id) for source in sources}
    progress = {id: done for id, done in under_way.items() if done}
    return Shelf(sources, further, folders, list(view.projects.values()), progress)


def _counts(view: View, one: Attached) -> ResourceCounts:
    return view.counts.get(one.resource.key, ResourceCounts())


def advice(reason: str | None) -> str:
    folded = (reason or "").casefold()
    return next((advice for word, advice in _ADVICE if word in folded), "")


async def sources(visit: Visit) -> Response:
    return await _page(visit)


async def refused(visit: Visit, form: SentForm, problem: CommonplaceError) -> Response:
    """The page with the reason, and with what was typed in the form that it was typed into."""
    return await _page(visit, form, problem)


async def _page(
    visit: Visit, form: SentForm | None = None, problem: CommonplaceError | None = None
) -> Response:
    given = visit.query("from")
    return await visit.page(
        "sources/sources.html",
        http_status(problem) if problem else 200,
        shelf=await visit.read(lambda app: shelf(app, visit.actor, given)),
        advice=advice,
        begins=given,
        typed=form or SentForm(),
        problem=problem,
    )


async def progress(visit: Visit) -> Response:
    """A live stream of the list of sources and their progress."""
    given = visit.query("from")

    def work(app: Application) -> Shelf:
        visit.context.recheck(visit.request)
        return shelf(app, visit.actor, given)

    async def shown() -> str:
        found = await visit.read(work)
        part = await visit.page("sources/shelf.html", shelf=found, advice=advice, begins=given)
        return bytes(part.body).decode()

    return live(visit, shown)


async def source(visit: Visit) -> Response:
    id, given = visit.part("id"), visit.query("from")
    offset = int(given) if given.isdecimal() and len(given) < 8 else 0

    def work(app: Application) -> dict[str, object]:
        found = app.documents.get(visit.actor, _whole_id(app, visit.actor, id))
        chunks = app.documents.chunks(visit.actor, found.id, _CHUNKS_SHOWN, offset)
        return {"source": found, "chunks": chunks}

    shown = await visit.read(work)
    return await visit.page(
        "sources/source.html", offset=offset, shown=_CHUNKS_SHOWN, advice=advice, **shown
    )


def _whole_id(app: Application, actor: Actor, id: str) -> str:
    """The id of a source, given by its id or by a short reference."""
    if ":" not in id:
        return id
    reference = parse_reference(id)
    matching = (
        one.id
        for one in app.documents.in_reach(actor)
        if of_document(one.id).name == reference.name
    )
    return next(matching, id)


async def add(visit: Visit) -> Response:
    max_bytes = await visit.read(lambda app: app.settings.source_max_bytes)
    form = await visit.form(max_bytes + _FORM_ROOM)
    try:
        given = await _given(form)

        def work(app: Application) -> int:
            visit.charge(len(given))
            return len([app.documents.add(visit.actor, new) for new in given])

        count = await visit.write(work)
    except CommonplaceError as error:
        return await refused(visit, form, error)
    return visit.go("/sources", done="source-added", n=str(count))


async def _given(form: SentForm) -> list[NewSource]:
    kind, name = form.text("type"), form.text("name").strip() or None
    if kind == SourceType.URL.value:
        url = form.text("url").strip()
        return [NewSource(SourceType.URL, WORKSPACE, name=name, url=url)]
    if kind == SourceType.PAGE.value:
        title, text = form.text("title").strip(), form.text("text")
        if not text.strip():
            raise InvalidArgument("The page has no text.", field="text")
        return [NewSource(SourceType.PAGE, WORKSPACE, name=name, title=title, text=text)]
    files = form.files("files")
    if kind != SourceType.FILE.value or not 1 <= len(files) <= _MOST_FILES:
        raise InvalidArgument(f"Choose 1 to {_MOST_FILES} files.", field="files")
    return [
        NewSource(
            SourceType.FILE,
            WORKSPACE,
            file_name=file.filename or "",
            data=await file.read(),
            media_type=file.content_type or "",
        )
        for file in files
    ]


async def refresh(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    await visit.write(lambda app: app.documents.refresh(visit.actor, id))
    return visit.go("/sources", done="read-again")


async def remove(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    await visit.write(lambda app: app.documents.remove(visit.actor, id))
    return visit.go("/sources", done="source-removed", of=id)


async def undo(visit: Visit) -> Response:
    """Restore a source that was removed."""
    id = (await visit.form()).text("of")
    await visit.write(lambda app: app.documents.restore(visit.actor, id))
    return visit.go("/sources", done="source-restored")


ADDRESSES = (
    Address("GET", "/sources", sources),
    Address("POST", "/sources", add, Scope.WRITE),
    Address("GET", "/sources/progress", progress),
    Address("POST", "/sources/undo", undo, Scope.WRITE),
    Address("GET", "/sources/{id}", source),
    Address("POST", "/sources/{id}/refresh", refresh, Scope.WRITE),
    Address("POST", "/sources/{id}/remove", remove, Scope.WRITE),
)
