"""The page of administration: tokens, agents and orgs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.responses import Response

from commonplace.access.rules import NewToken, lifetime_of
from commonplace.access.service import Issued
from commonplace.application import Application
from commonplace.console.visits import Address, SentForm, Visit
from commonplace.errors import AccessDenied, CommonplaceError, InvalidArgument, NotFound
from commonplace.model.access import Token
from commonplace.model.actor import Actor, Scope
from commonplace.model.query import ANYTHING
from commonplace.surfaces.http_status import http_status

_LOOKED_THROUGH = 200
_SCOPES = {scope.value: scope for scope in Scope}
_ALLOWS = {
    Scope.READ.value: "search and read",
    Scope.WRITE.value: "store, and change what is its own or shared",
    Scope.WRITE_OTHERS.value: "change what other agents of the org wrote",
    Scope.AUDIT.value: "read the audit log and what agents asked",
    Scope.ADMIN.value: "manage tokens and orgs, write system data, read metrics",
}


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """An agent with its number of valid tokens and the times of its last call and last write."""

    org: str
    name: str
    tokens: int
    seen_at: datetime | None
    wrote_at: datetime | None


async def admin(visit: Visit) -> Response:
    return await _page(visit)


async def _page(
    visit: Visit,
    issued: Issued | None = None,
    form: SentForm | None = None,
    problem: CommonplaceError | None = None,
) -> Response:
    """The page; with the reason and what was typed if a form was refused."""
    at = datetime.now(UTC)

    def work(app: Application) -> dict[str, object]:
        tokens = app.access.tokens(visit.actor)
        valid = {token.id for token in tokens if token.valid_at(at)}
        return {
            "tokens": list(reversed(tokens)),
            "valid": valid,
            "agents": _agents(app, visit.actor, tokens, valid),
            "orgs": app.access.orgs(),
        }

    shown = await visit.read(work)
    return await visit.page(
        "admin/admin.html",
        http_status(problem) if problem else 200,
        issued=issued,
        scopes=_ALLOWS,
        typed=form,
        problem=problem,
        **shown,
    )


def _agents(
    app: Application, actor: Actor, tokens: Sequence[Token], valid: Collection[str]
) -> list[KnownAgent]:
    """Agents of all orgs that have tokens, and those of this org that called or wrote lately."""
    seen: dict[tuple[str, str], datetime] = {}
    wrote: dict[tuple[str, str], datetime] = {}
    held = Counter((one.org, one.agent) for one in tokens if one.id in valid)
    names = {(one.org, one.agent) for one in tokens}
    for token in tokens:
        if token.last_used_at:
            _later(seen, (token.org, token.agent), token.last_used_at)
    if Scope.AUDIT in actor.scopes:
        for question in app.activity.questions(actor, _LOOKED_THROUGH):
            _later(seen, (actor.org, question.agent), question.at)
    for entry in app.knowledge.older(actor, ANYTHING, _LOOKED_THROUGH):
        if entry.org == actor.org:
            _later(wrote, (actor.org, entry.agent), entry.created_at)
    known = sorted(names | seen.keys() | wrote.keys())
    return [KnownAgent(*name, held[name], seen.get(name), wrote.get(name)) for name in known]


def _later(times: dict[tuple[str, str], datetime], name: tuple[str, str], at: datetime) -> None:
    times[name] = max(at, times.get(name, at))


async def create(visit: Visit) -> Response:
    form = await visit.form()
    try:
        new = _new_token(visit, form)
        known = await visit.read(lambda app: app.access.orgs())
        if new.org not in known and new.org != visit.actor.org:
            raise InvalidArgument(f"There is no org {new.org}; create it first.", field="org")
        issued = await visit.write(lambda app: app.access.create(visit.actor, new))
    except CommonplaceError as error:
        return await _page(visit, None, form, error)
    return await _page(visit, issued)


def _new_token(visit: Visit, form: SentForm) -> NewToken:
    scopes = frozenset(_SCOPES[name] for name in form.texts("scopes") if name in _SCOPES)
    _check_holds(visit, scopes)
    lifetime = form.text("lifetime").strip()
    return NewToken(
        form.text("org").strip() or visit.actor.org,
        form.text("agent").strip(),
        scopes,
        form.text("name").strip(),
        lifetime_of(lifetime) if lifetime else None,
    )


def _check_holds(visit: Visit, scopes: frozenset[Scope]) -> None:
    """Raise AccessDenied for scopes that the visitor does not have: nobody can grant more."""
    if missing := scopes - visit.actor.scopes:
        raise AccessDenied(f"You do not have {', '.join(sorted(missing))} yourself.")


async def revoke(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    await visit.write(lambda app: app.access.revoke(visit.actor, id))
    return visit.go("/admin", done="revoked")


async def rotate(visit: Visit) -> Response:
    """Replace a token by a new one with the same rights, and revoke the old one."""
    await visit.form()
    id = visit.part("id")

    def work(app: Application) -> Issued:
        _check_holds(visit, _token(app, visit, id).scopes)
        return app.access.rotate(visit.actor, id)

    return await _page(visit, await visit.write(work))


def _token(app: Application, visit: Visit, id: str) -> Token:
    found = next((one for one in app.access.tokens(visit.actor) if one.id == id), None)
    if found is None:
        raise NotFound("No token with that id.")
    return found


async def revoke_agent(visit: Visit) -> Response:
    """Revoke all tokens of one agent."""
    form = await visit.form()
    org, agent = form.text("org").strip() or visit.actor.org, form.text("agent").strip()
    at = datetime.now(UTC)

    def work(app: Application) -> int:
        theirs = [t for t in app.access.tokens(visit.actor, [org]) if t.agent == agent]
        if not theirs:
            raise NotFound(f"No agent {agent!r} of {org} has tokens.")
        return len([app.access.revoke(visit.actor, t.id) for t in theirs if t.valid_at(at)])

    await visit.write(work)
    return visit.go("/admin", done="revoked")


async def create_org(visit: Visit) -> Response:
    form = await visit.form()
    name = form.text("org").strip()
    await visit.write(lambda app: app.access.create_org(visit.actor, name))
    return visit.go("/admin", done="org-made")


async def remove_org(visit: Visit) -> Response:
    """Erase an org with everything it stored, if its name was typed to confirm."""
    form, org = await visit.form(), visit.part("org")
    if form.text("confirmed").strip() != org:
        raise InvalidArgument(f"Type {org} to erase it.", field="confirmed")
    await visit.write(lambda app: app.transfer.erase_org(visit.actor, org))
    return visit.go("/admin", done="org-erased")


ADDRESSES = (
    Address("GET", "/admin", admin, Scope.ADMIN),
    Address("POST", "/admin/tokens", create, Scope.ADMIN),
    Address("POST", "/admin/tokens/{id}/revoke", revoke, Scope.ADMIN),
    Address("POST", "/admin/tokens/{id}/rotate", rotate, Scope.ADMIN),
    Address("POST", "/admin/agents/revoke", revoke_agent, Scope.ADMIN),
    Address("POST", "/admin/orgs", create_org, Scope.ADMIN),
    Address("POST", "/admin/orgs/{org}/remove", remove_org, Scope.ADMIN),
)
