"""Administration: orgs, and the tokens of their agents: made, replaced and revoked."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from commonplace.access.rules import NewToken, lifetime_of
from commonplace.access.service import Issued
from commonplace.application import Application
from commonplace.console.visits import Address, SentForm, Visit
from commonplace.errors import AccessDenied, InvalidArgument, NotFound
from commonplace.model.access import Token
from commonplace.model.actor import Scope

_SCOPES = {scope.value: scope for scope in Scope}


async def admin(visit: Visit) -> Response:
    return await _page(visit, None)


async def _page(visit: Visit, issued: Issued | None) -> Response:
    def work(app: Application) -> dict[str, object]:
        tokens = app.access.tokens(visit.actor)
        return {"tokens": list(reversed(tokens)), "orgs": app.access.orgs()}

    shown = await visit.read(work)
    at = datetime.now(UTC)
    tokens = shown["tokens"]
    assert isinstance(tokens, list)
    valid = {token.id for token in tokens if token.valid_at(at)}
    return await visit.page(
        "admin/admin.html", issued=issued, valid=valid, scopes=sorted(_SCOPES), **shown
    )


async def create(visit: Visit) -> Response:
    form = await visit.form()
    new = _new_token(visit, form)
    known = await visit.read(lambda app: app.access.orgs())
    if new.org not in known and new.org != visit.actor.org:
        raise InvalidArgument(f"There is no org {new.org}; make it first.", field="org")
    issued = await visit.write(lambda app: app.access.create(visit.actor, new))
    return await _page(visit, issued)


def _new_token(visit: Visit, form: SentForm) -> NewToken:
    scopes = frozenset(_SCOPES[name] for name in form.texts("scopes") if name in _SCOPES)
    _hold(visit, scopes)
    lifetime = form.text("lifetime").strip()
    return NewToken(
        form.text("org").strip() or visit.actor.org,
        form.text("agent").strip(),
        scopes,
        form.text("name").strip(),
        lifetime_of(lifetime) if lifetime else None,
    )


def _hold(visit: Visit, scopes: frozenset[Scope]) -> None:
    """Nobody gives what they do not have."""
    if missing := scopes - visit.actor.scopes:
        raise AccessDenied(f"You do not hold {', '.join(sorted(missing))} yourself.")


async def revoke(visit: Visit) -> Response:
    await visit.form()
    id = visit.named("id")
    await visit.write(lambda app: app.access.revoke(visit.actor, id))
    return visit.go("/admin", done="revoked")


async def rotate(visit: Visit) -> Response:
    """Another token that may do the same, and then the end of the old one."""
    await visit.form()
    id = visit.named("id")

    def work(app: Application) -> Issued:
        old = _token(app, visit, id)
        _hold(visit, old.scopes)
        now = datetime.now(UTC)
        if not old.valid_at(now):
            raise InvalidArgument("That token is not valid any more.", field="id")
        left = old.expires_at - old.created_at if old.expires_at else None
        new = NewToken(old.org, old.agent, old.scopes, old.name, left)
        issued = app.access.create(visit.actor, new)
        app.access.revoke(visit.actor, id)
        return issued

    return await _page(visit, await visit.write(work))


def _token(app: Application, visit: Visit, id: str) -> Token:
    found = next((one for one in app.access.tokens(visit.actor) if one.id == id), None)
    if found is None:
        raise NotFound("No token with that id.")
    return found


async def revoke_agent(visit: Visit) -> Response:
    """All tokens of one agent at once."""
    form = await visit.form()
    org, agent = form.text("org"), form.text("agent")
    at = datetime.now(UTC)

    def work(app: Application) -> int:
        theirs = [t for t in app.access.tokens(visit.actor, [org]) if t.agent == agent]
        return len([app.access.revoke(visit.actor, t.id) for t in theirs if t.valid_at(at)])

    await visit.write(work)
    return visit.go("/admin", done="revoked")


async def create_org(visit: Visit) -> Response:
    form = await visit.form()
    name = form.text("org").strip()
    await visit.write(lambda app: app.access.create_org(visit.actor, name))
    return visit.go("/admin", done="org-made")


ADDRESSES = (
    Address("GET", "/admin", admin, Scope.ADMIN),
    Address("POST", "/admin/tokens", create, Scope.ADMIN),
    Address("POST", "/admin/tokens/{id}/revoke", revoke, Scope.ADMIN),
    Address("POST", "/admin/tokens/{id}/rotate", rotate, Scope.ADMIN),
    Address("POST", "/admin/agents/revoke", revoke_agent, Scope.ADMIN),
    Address("POST", "/admin/orgs", create_org, Scope.ADMIN),
)
