"""Whatever a reference names, as a page of its own: where citations lead to."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from commonplace.console.visits import Address, Visit
from commonplace.model.references import OF_ENTRIES, ReferenceKind, parsed
from commonplace.surfaces.memory.addresses import read_reference

# A notebook is several entries, so it has no page of one.
_ENTRIES = {*OF_ENTRIES.values()} - {ReferenceKind.NOTEBOOK}
_PAGES = {ReferenceKind.DOC: "/sources/", **dict.fromkeys(_ENTRIES, "/knowledge/")}


async def reading(visit: Visit) -> Response:
    """Entries and documents have pages of their own; files and symbols are shown as they stand."""
    reference = parsed(visit.named("reference"))
    if page := _PAGES.get(reference.kind):
        return RedirectResponse(page + quote(str(reference).partition("#")[0], safe=""), 303)
    text = await visit.read(lambda app: read_reference(app, visit.actor, str(reference)))
    return await visit.page("search/reading.html", reference=str(reference), text=text)


ADDRESSES = (Address("GET", "/open/{reference:path}", reading),)
