"""The pages of code: questions about symbols, their neighbourhood, the impact of a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from starlette.responses import Response

from commonplace.application import Application
from commonplace.codegraph.answering.forms import read_form
from commonplace.codegraph.answering.question import Intent, Question, plain_word, read_question
from commonplace.codegraph.answering.trace import TracedPlace, TraceRequest
from commonplace.console.drawing import layout
from commonplace.console.pages.reading import href_of
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.actor import Actor
from commonplace.model.references import of_file
from commonplace.model.workspace import Attached, Project
from commonplace.operations.insight.neighbourhood import SymbolNode
from commonplace.workspace.projects.filing import file_reference
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.search.code_map import CodeMap, MapHit, MapRequest
from commonplace.workspace.search.grouping import ShownLimits

_SHOWN = 60
_RELATED = 12
_ROLES = {
    "definition": "Defined",
    "reference": "Used",
    "test": "Tested",
    "doc": "Documented",
    "import": "Imported",
    "export": "Exported",
    "related": "Related",
    "unknown": "Elsewhere",
}


async def code(visit: Visit) -> Response:
    query, project = visit.query("q"), visit.query("project")
    given = visit.query("from")
    offset = int(given) if given.isdecimal() and len(given) < 8 else 0

    def work(app: Application) -> dict[str, object]:
        shown: dict[str, object] = {"answer": None, "found": None}
        shown["projects"] = app.workspace.projects(visit.actor)
        form = read_form(query)
        if form is not None:
            return shown | _traced(app, visit.actor, form, project, offset)
        if not query:
            return shown
        question = _question(query)
        symbols = _symbols(app, visit.actor, question)
        if plain_word(query) and not symbols:
            question = read_question(query)
        return shown | {
            "found": _mapped(app, visit.actor, query, question, project),
            "unknown": question.target or plain_word(query),
            "symbols": symbols,
            "seal": _seal(app, visit.actor),
            "page_of": _linked(app.workspace.projects(visit.actor)),
        }

    shown = await visit.read(work)
    return await visit.page("code/code.html", query=query, project=project, roles=_ROLES, **shown)


def _question(query: str) -> Question:
    """The parsed query; somebody who types one word here means a name."""
    word = plain_word(query)
    return Question(Intent.DEFINITION, word) if word else read_question(query)


def _symbols(app: Application, actor: Actor, question: Question) -> list[SymbolNode]:
    """The symbols that have the name of a question."""
    parts = question.parts
    symbols = app.insight.symbols(actor, parts[-1]) if parts else []
    return with_whole_name(symbols, ".".join(parts))


def with_whole_name(symbols: list[SymbolNode], name: str) -> list[SymbolNode]:
    """The symbols that match a whole name such as `Cart.add`; all of them if none does."""
    whole = f".{name}".casefold()
    return [one for one in symbols if f".{one.symbol.path}".casefold().endswith(whole)] or symbols


def _traced(
    app: Application, actor: Actor, form: TraceRequest, project: str, offset: int
) -> dict[str, object]:
    """One page of the answer to a question that the code graph answers."""
    asked = replace(form, limit=_SHOWN, offset=offset)
    answer = app.memory.tracing.trace(actor, asked, project)
    end = offset + len(answer.traced.places) + len(answer.traced.unresolved)
    more = answer.traced.total + answer.traced.unresolved_count > end

    def page_of(place: TracedPlace) -> str:
        file = answer.file_of(place)
        return href_of(str(of_file(file.project, file.path, place.line)))

    return {"answer": answer, "further": end if more else None, "page_of": page_of}


def _linked(projects: Sequence[Project]) -> Callable[[MapHit], str]:
    """A function that gives the page of a place; empty for a place in no file."""
    owners = {one.id: one for one in projects}

    def page_of(place: MapHit) -> str:
        if place.path is None:
            return ""
        attached = Attached(place.source.effective, place.source.resource)
        owner = owners.get(place.source.effective.project_id or "")
        return href_of(str(file_reference(attached, owner, place.path, *place.lines)))

    return page_of


def _mapped(
    app: Application, actor: Actor, query: str, question: Question, project: str
) -> CodeMap:
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    most = _SHOWN if question.target else _RELATED
    request = MapRequest(query, question, ShownLimits(most))
    return app.workspace_search.code_map(actor, app.workspace_search.scoped(actor, scope), request)


async def neighbourhood(visit: Visit) -> Response:
    def work(app: Application) -> dict[str, object]:
        around = app.insight.neighbourhood(visit.actor, _key(app, visit))
        return {"around": around, "drawing": layout(around), "seal": _seal(app, visit.actor)}

    return await visit.page("code/symbol.html", **await visit.read(work))


async def impact(visit: Visit) -> Response:
    def work(app: Application) -> dict[str, object]:
        root = app.insight.impact(visit.actor, _key(app, visit))
        return {"root": root, "seal": _seal(app, visit.actor)}

    return await visit.page("code/impact.html", **await visit.read(work))


def _seal(app: Application, actor: Actor) -> Callable[[SymbolNode], str]:
    """A function that seals symbol keys for addresses: plain keys reveal other orgs' row counts."""
    return lambda node: app.audit.cursors(actor).sealed(node.symbol.key)


def _key(app: Application, visit: Visit) -> int:
    try:
        return app.audit.cursors(visit.actor).opened(visit.part("key"))
    except InvalidArgument:
        raise NotFound("No symbol has that address.") from None


ADDRESSES = (
    Address("GET", "/code", code),
    Address("GET", "/code/symbols/{key}", neighbourhood),
    Address("GET", "/code/symbols/{key}/impact", impact),
)
