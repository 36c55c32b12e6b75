"""The page of any reference, to which citations and results link."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from commonplace.console.visits import Address, Visit
from commonplace.model.references import (
    OF_ENTRIES,
    Portion,
    ReferenceKind,
    ShortReference,
    parse_reference,
)
from commonplace.surfaces.memory.addresses import read_reference

# A notebook consists of several entries, so it has no entry page.
_ENTRIES = {*OF_ENTRIES.values()} - {ReferenceKind.NOTEBOOK}
_PAGES = {ReferenceKind.DOC: "/sources/", **dict.fromkeys(_ENTRIES, "/knowledge/")}
_FILED = (ReferenceKind.FILE, ReferenceKind.SYMBOL)
_MOST_PIECES = 400


def href_of(reference: str) -> str:
    """The address of the page for a reference; in a file, of the lines that it names."""
    kind = parse_reference(reference).kind
    fragment = "#meant" if kind in _FILED else ""
    return _PAGES.get(kind, "/open/") + quote(reference, safe="") + fragment


async def reading(visit: Visit) -> Response:
    """Show a file or symbol, or redirect to the page of an entry or document."""
    reference = parse_reference(visit.part("reference"))
    if page := _PAGES.get(reference.kind):
        return RedirectResponse(page + quote(str(reference).partition("#")[0], safe=""), 303)
    if reference.kind in _FILED:
        return await _file(visit, reference)
    text = await visit.read(lambda app: read_reference(app, visit.actor, str(reference)))
    return await visit.page("search/reading.html", reference=str(reference), text=text)


async def _file(visit: Visit, reference: ShortReference) -> Response:
    """A file in its indexed passages; those that the reference names are marked."""
    found = await visit.read(lambda app: app.memory.opening.open(visit.actor, reference))
    wanted = found.reference.portion
    return await visit.page(
        "sources/file.html",
        opened=found,
        pieces_shown=found.pieces[:_MOST_PIECES],
        holds=lambda piece: _overlaps(piece.first_line, piece.last_line, wanted),
    )


def _overlaps(first: int | None, last: int | None, wanted: Portion | None) -> bool:
    """Whether a passage has any of the wanted lines."""
    if wanted is None or wanted.first_line is None or first is None:
        return False
    return first <= (wanted.last_line or wanted.first_line) and wanted.first_line <= (last or 0)


ADDRESSES = (Address("GET", "/open/{reference:path}", reading),)
