"""All addresses of the console, in the order in which they are tried."""

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
from commonplace.console.visits import Address, ConsoleContext, nothing_shown

# What has a fixed name goes before what stands for any id.
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
    shown = {address.path for address in ADDRESSES if address.method == "GET"}
    sent = dict.fromkeys(address.path for address in ADDRESSES if address.path not in shown)
    unseen = (Address("GET", path, nothing_shown) for path in sent)
    return [*asset_routes(), *(context.route(address) for address in (*ADDRESSES, *unseen))]
