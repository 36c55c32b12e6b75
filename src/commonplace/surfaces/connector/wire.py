"""The wire format of the `connector` dialect, as its callers prescribe it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from pydantic import Field

from commonplace.memory.opened import Opened
from commonplace.memory.pieces import Selection, excerpt, selected
from commonplace.recall.values import RecallHit
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import AnswerPart, iso
from commonplace.surfaces.arguments import NOT_BLANK, OWN_LIMIT, Arguments

# As much text as a model can take at once; the rest has its own id.
MOST_TOKENS = 20_000


class SearchArguments(Arguments):
    query: Annotated[str, Field(max_length=10_000), OWN_LIMIT, NOT_BLANK]


class FetchArguments(Arguments):
    id: Annotated[str, Field(max_length=2_000), OWN_LIMIT, NOT_BLANK]


class ResultShown(AnswerPart):
    id: str
    title: str
    url: str


class SearchAnswer(AnswerPart):
    results: list[ResultShown]


class FetchAnswer(AnswerPart):
    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


def page_of(reference: str, base: str) -> str:
    """The address of a reference's page in the console."""
    return f"{base.rstrip('/')}/open/{quote(reference, safe=':/')}"


def result_of(hit: RecallHit, base: str) -> ResultShown:
    return ResultShown(
        id=hit.reference,
        title=hit.title or hit.place.shown or hit.reference,
        url=page_of(hit.reference, base),
    )


def fetched_text(opened: Opened, base: str) -> FetchAnswer:
    reference = str(opened.reference)
    pieces = selected(opened.pieces, Selection(opened.reference.portion)) if opened.pieces else []
    cut = excerpt(pieces, MOST_TOKENS)
    rest = f"{reference.partition('#')[0]}#{cut.rest}" if cut.rest else ""
    metadata = {
        "kind": opened.sort,
        "place": opened.place,
        "author": opened.author,
        "changed": iso(opened.changed_at) if opened.changed_at else "",
        "trust": f"{opened.trust:.2f}" if opened.trust is not None else "",
        "tags": ", ".join(opened.tags),
        "notices": "; ".join(opened.notices),
        "warnings": "; ".join(warnings_of(opened.title, cut.text)),
        "cut": "a line is too long to be shown whole" if cut.clipped else "",
        "rest": rest,
    }
    return FetchAnswer(
        id=reference,
        title=opened.title or reference,
        text=cut.text + (f"\n(cut here; fetch {rest} for the rest)" if rest else ""),
        url=page_of(reference, base),
        metadata={name: value for name, value in metadata.items() if value},
    )
