"""All routes of the console, in the order of matching."""

from __future__ import annotations

from starlette.routing import Route

from commonplace.console.assets import asset_routes
from commonplace.console.pages import (
    activity,
    admin,
    changes,
    code,
    knowledge,
    projects,
    reading,
    review,
    search,
    skills,
    sources,
)
from commonplace.console.visits import Address, ConsoleContext, form_only

# Fixed paths come before those with an id.
ADDRESSES = (
    *search.ADDRESSES,
    *reading.ADDRESSES,
    *changes.ADDRESSES,
    *knowledge.ADDRESSES,
    *review.ADDRESSES,
    *sources.ADDRESSES,
    *projects.ADDRESSES,
    *code.ADDRESSES,
    *skills.ADDRESSES,
    *activity.ADDRESSES,
    *admin.ADDRESSES,
)


def console_routes(context: ConsoleContext) -> list[Route]:
    pages = {address.path for address in ADDRESSES if address.method == "GET"}
    forms = dict.fromkeys(address.path for address in ADDRESSES if address.path not in pages)
    refused = (Address("GET", path, form_only) for path in forms)
    return [*asset_routes(), *(context.route(address) for address in (*ADDRESSES, *refused))]
