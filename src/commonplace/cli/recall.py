"""`commonplace recall` and `commonplace open`: what the tools of these names answer, for people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.memory.opened import Opened
from commonplace.memory.pieces import Selection
from commonplace.memory.times import readable, time_of
from commonplace.model.references import parse_reference
from commonplace.recall.values import (
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_HITS,
    USUAL_BUDGET,
    USUAL_LIMIT,
    Recalled,
    RecalledKind,
    RecallHit,
    RecallRequest,
)
from commonplace.recall.wording import blocks, closing, opening
from commonplace.surfaces.memory.formatting import opened_text

# People scroll; agents pay for each token.
_OPENED_TOKENS = 20_000
_EMPTY = (
    "Nothing is kept here yet: `commonplace add` keeps a note, `commonplace init` indexes a folder."
)


def _time(
    _context: click.Context, _parameter: click.Parameter, given: str | None
) -> datetime | timedelta | None:
    """An instant, a date, or a span counted back from now."""
    try:
        return time_of(readable(given)) if given is not None else None
    except ValueError as error:
        raise click.BadParameter(f"{given} {error}") from None


@click.command("recall", cls=Command)
@click.argument("question")
@click.option("--project", help="Only what belongs to it.")
@click.option(
    "--kind", "kinds", multiple=True, help=f"Any of {', '.join(RecalledKind)}, or a category."
)
@click.option("--tag", "-t", "tags", multiple=True, help="Only with all of these tags.")
@click.option("--path", help="Only this file or folder, and the commits that changed it.")
@click.option("--since", callback=_time, help="Changed since: 2026-01-31 or 7d.")
@click.option("--until", callback=_time, help="Changed until: 2026-01-31 or 7d.")
@click.option("--author", help="Written or attached by this agent.")
@click.option("--limit", type=click.IntRange(1, MOST_HITS), default=USUAL_LIMIT, show_default=True)
@click.option(
    "--budget",
    type=click.IntRange(LEAST_BUDGET, MOST_BUDGET),
    default=USUAL_BUDGET,
    show_default=True,
    help="Most tokens of the answer.",
)
@click.option("--all", "history", is_flag=True, help="Include superseded and expired entries.")
@json_option
def recall_command(as_json: bool, **narrowing: Any) -> None:
    """Ask one question of everything: notes, documents, code, commits, skills.

    Each hit has the probability (p) that it answers. `commonplace open REFERENCE` shows it whole.
    """
    request = RecallRequest(**narrowing)
    with command_session() as session:
        answer = session.application.recall.recall(session.actor, request)
    emit(_answer_document(answer), _text(answer), as_json=as_json)


@click.command("open", cls=Command)
@click.argument("reference")
@click.option("--section", default="", help="Only the part below this heading.")
@click.option("--around", type=click.IntRange(0, 20), default=0, help="Neighbouring passages, too.")
@click.option("--history", is_flag=True, help="Include earlier revisions and who made them.")
@click.option(
    "--budget",
    type=click.IntRange(LEAST_BUDGET, MOST_BUDGET),
    default=_OPENED_TOKENS,
    show_default=True,
    help="Most tokens of the answer.",
)
@json_option
def open_command(
    reference: str, section: str, around: int, history: bool, budget: int, as_json: bool
) -> None:
    """Show what a reference names, such as note:1a2b3c4d5e or file:shop/src/cart.py#L10-20."""
    with command_session() as session:
        opening = session.application.memory.opening
        opened = opening.open(session.actor, parse_reference(reference), history=history)
    selection = Selection(opened.reference.portion, section, around)
    text = opened_text(opened, selection, budget)
    emit(_opened_document(opened, text), text, as_json=as_json)


def _text(answer: Recalled) -> str:
    """What agents get, with room for eyes: the line about each hit stands out."""
    if answer.nothing_stored:
        return _EMPTY
    parts = [opening(answer), *map(_emphasised, blocks(answer)), "\n".join(closing(answer))]
    return "\n\n".join(filter(None, parts))


def _emphasised(block: str) -> str:
    first, *rest = block.split("\n", 1)
    return "\n".join([click.style(first, bold=True), *rest])


def _answer_document(answer: Recalled) -> dict[str, Any]:
    return {
        "verdict": answer.verdict.value,
        "probability": round(answer.probability, 4),
        "hits": [_hit_document(hit) for hit in answer.hits],
        "nearest": answer.nearest.reference if answer.nearest else None,
        "left_out": answer.left_out,
        "pending": answer.pending,
        "unread": list(answer.unread),
        "notices": list(answer.notices),
    }


def _hit_document(hit: RecallHit) -> dict[str, Any]:
    return {
        "reference": hit.reference,
        "kind": hit.kind.value,
        "category": hit.category,
        "title": hit.title,
        "place": hit.place.shown or None,
        "probability": round(hit.probability, 4),
        "excerpt": hit.excerpt,
        "whole": hit.whole,
        "author": hit.author,
        "changed_at": hit.changed_at.isoformat() if hit.changed_at else None,
        "tags": list(hit.tags),
        "copies": hit.copies,
        "superseded_by": hit.superseded_by,
        "warnings": list(hit.warnings),
    }


def _opened_document(opened: Opened, text: str) -> dict[str, Any]:
    return {
        "reference": str(opened.reference),
        "title": opened.title,
        "place": opened.place or None,
        "author": opened.author or None,
        "changed_at": opened.changed_at.isoformat() if opened.changed_at else None,
        "tags": list(opened.tags),
        "text": text,
    }
