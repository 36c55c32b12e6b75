"""The pages of review: captured moments that wait for a decision, with similar entries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response

from commonplace.application import Application
from commonplace.capture.items import TYPES, Wording
from commonplace.capture.report import Action
from commonplace.console.visits import Address, Visit, known
from commonplace.errors import Conflict, InvalidArgument, NotFound
from commonplace.model.actor import Actor, Scope
from commonplace.model.capture import Review, ReviewStatus
from commonplace.model.query import Hit, SearchRequest
from commonplace.safety.warnings import warnings_of

_LISTED = 50
_MOST_AT_ONCE = 100
_COMPARED_CHARS = 2000
_LIKE_IT = 3
_LIKELY = 0.45
_ACTIONS = {"accept": Action.CONFIRM, "reject": Action.REJECT}
_DONE = {Action.CONFIRM: "accepted", Action.REJECT: "rejected"}
_FACTORS = {
    "pattern": "reads like something learned",
    "sentiment": "expresses relief, surprise or trouble",
    "text length": "is long enough to be useful",
    "structure": "names a cause and a remedy",
    "likelihood": "resembles what people keep",
}


@dataclass(frozen=True, slots=True)
class WaitingMoment:
    """A waiting moment with what helps to decide."""

    review: Review
    like_it: tuple[Hit, ...]
    warnings: list[str]

    @property
    def factors(self) -> list[str]:
        return [_FACTORS.get(name, name) for name in self.review.moment["detected_by"]]


async def queue(visit: Visit) -> Response:
    waiting, total = await visit.read(
        lambda app: app.reviewing.reviews(visit.actor, ReviewStatus.WAITING, _LISTED)
    )
    chosen = _chosen(waiting, visit.query("id"))
    shown = await visit.read(lambda app: _shown(app, visit.actor, chosen)) if chosen else None
    return await visit.page(
        "review/queue.html", waiting=waiting, total=total, shown=shown, types=TYPES
    )


def _chosen(waiting: list[Review], id: str) -> Review | None:
    """The review with an id, else the first, so that after a decision the next one is shown."""
    return next((one for one in waiting if one.id == id), waiting[0] if waiting else None)


def _shown(app: Application, actor: Actor, review: Review) -> WaitingMoment:
    text = review.moment["content"]
    request = SearchRequest(query=text[:_COMPARED_CHARS], limit=_LIKE_IT, min_score=_LIKELY)
    like_it = app.retrieval.search(actor, request).hits
    return WaitingMoment(review, like_it, warnings_of(review.moment["summary"], text))


async def decide(visit: Visit) -> Response:
    """Accept a moment as it is, accept it edited, or reject it."""
    form, id = await visit.form(), visit.part("id")
    following = form.text("following")
    if form.text("action") == "edit":
        wording = Wording(form.text("title"), form.text("body"), form.text("type"))
        await visit.write(lambda app: app.reviewing.accept(visit.actor, id, wording))
        return visit.go(_at(following), done="accepted", of=id)
    action = known(form.text("action"), _ACTIONS, "action")
    comment = form.text("comment").strip() or None
    await visit.write(lambda app: app.reviewing.judge(visit.actor, id, action, comment))
    return visit.go(_at(following), done=_DONE[action], of=id)


def _at(id: str) -> str:
    return f"/review?id={quote(id, safe='')}" if id else "/review"


async def decide_all(visit: Visit) -> Response:
    form = await visit.form()
    ids = form.texts("ids")[:_MOST_AT_ONCE]
    action = known(form.text("action"), _ACTIONS, "action")
    if not ids:
        raise InvalidArgument("Select at least one moment.", field="ids")

    done = await _each(visit, ids, lambda app, id: app.reviewing.judge(visit.actor, id, action))
    return visit.go("/review", done=_DONE[action], n=str(len(done)), of=" ".join(done))


async def undo(visit: Visit) -> Response:
    """Undo decisions: the moments wait again."""
    form = await visit.form()
    ids = form.text("of").split()[:_MOST_AT_ONCE]
    if len(ids) == 1:
        await visit.write(lambda app: app.reviewing.reopen(visit.actor, ids[0]))
        return visit.go(_at(ids[0]), done="reopened")
    done = await _each(visit, ids, lambda app, id: app.reviewing.reopen(visit.actor, id))
    left = str(len(ids) - len(done)) if len(done) < len(ids) else ""
    return visit.go("/review", done="reopened", n=str(len(done)), left=left)


async def _each(
    visit: Visit, ids: list[str], action: Callable[[Application, str], object]
) -> list[str]:
    """Apply an action to moments; the ids for which it succeeded, as others may decide first."""

    def work(app: Application) -> list[str]:
        visit.charge(len(ids))
        return [id for id in ids if _done(app, id)]

    def _done(app: Application, id: str) -> bool:
        try:
            action(app, id)
        except (Conflict, NotFound):
            return False
        return True

    return await visit.write(work)


ADDRESSES = (
    Address("GET", "/review", queue),
    Address("POST", "/review", decide_all, Scope.WRITE),
    Address("POST", "/review/undo", undo, Scope.WRITE),
    Address("POST", "/review/{id}", decide, Scope.WRITE),
)
