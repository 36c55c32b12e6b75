"""`commonplace search`: entries, documents and files, by meaning and by words."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click

from commonplace.cli.output import Command, emit, json_option, state_mark, warned, warning_lines
from commonplace.cli.session import command_session
from commonplace.model.entry import EntryKind, Place, plain_tag
from commonplace.model.folder import FILE_KIND
from commonplace.model.query import Filter, Hit, RetrievalMode, SearchRequest, SearchResult
from commonplace.model.source import DOCUMENT_KIND
from commonplace.recall.wording import passages
from commonplace.workspace.search.naming import title_of

# Hits that score less share a word by chance, or none.
LEAST_SCORE = 0.1
KINDS = [*(kind.value for kind in EntryKind), DOCUMENT_KIND]


def _hit_document(hit: Hit) -> dict[str, Any]:
    return {
        "id": _id(hit),
        "kind": hit.chunk.metadata.kind,
        "title": _title(hit),
        "snippet": hit.snippet,
        "score": round(hit.score, 6),
        "parts": {part.name: round(part.value, 6) for part in hit.parts},
        "tags": list(hit.chunk.metadata.tags),
        "agent": hit.chunk.metadata.agent,
        "superseded_by": hit.entry.head if hit.entry else None,
        **warned(hit.chunk.text),
    }


def _id(hit: Hit) -> str | None:
    owner = hit.entry or hit.source
    return owner.id if owner else hit.chunk.metadata.path


def _title(hit: Hit) -> str:
    """The title of a hit; for a document, its name and the headings above the passage."""
    if hit.entry or not hit.source:
        return title_of(hit)
    return " > ".join([hit.source.name, *hit.chunk.headings])


def _document(result: SearchResult) -> dict[str, Any]:
    return {
        "hits": [_hit_document(hit) for hit in result.hits],
        "total": result.total,
        "mode": result.mode_used.value,
        "model": result.model,
        "pending": result.pending,
        "previewed": result.previewed,
        "notices": list(result.notices),
    }


def _text(result: SearchResult, now: datetime) -> str:
    lines = []
    for hit in result.hits:
        reasons = ", ".join(f"{part.reason} {part.value:.2f}" for part in hit.parts)
        document = _hit_document(hit)
        mark = state_mark(hit.entry, now) if hit.entry else ""
        lines += [
            f"{hit.score:.2f}  {document['title']}  [{document['id']}]{mark}",
            f"      {' '.join(hit.snippet.split())}",
            f"      {reasons}",
            *(f"      {line}" for line in warning_lines(document)),
        ]
    if not result.hits:
        lines.append("Nothing relevant was found.")
    lines.append(
        f"{len(result.hits)} of {result.total} found, {result.mode_used.value} search"
        + (f" with {result.model}" if result.model else "")
        + (f"; {passages(result.pending)} not embedded yet" if result.pending else "")
        + (f"; {passages(result.previewed)} with a preview only" if result.previewed else "")
    )
    return "\n".join([*lines, *result.notices])


@click.command("search", cls=Command)
@click.argument("query")
@click.option(
    "--mode",
    type=click.Choice([m.value for m in RetrievalMode]),
    default="auto",
    help="By words (lexical), by meaning (semantic), or both.",
)
@click.option("--tag", "-t", "tags", multiple=True, help="Only with all of these tags.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Only of this kind; may be given several times.",
)
@click.option("--project", help="Only of this project.")
@click.option("--all", "everything", is_flag=True, help="Also superseded and expired entries.")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(0, 1000), default=0, show_default=True)
@click.option(
    "--min-score",
    type=click.FloatRange(0, 1),
    default=LEAST_SCORE,
    show_default=True,
    help="Leave out hits that score less; 0 shows all.",
)
@json_option
def search_command(
    query: str,
    mode: str,
    tags: tuple[str, ...],
    kinds: tuple[str, ...],
    project: str | None,
    everything: bool,
    limit: int,
    offset: int,
    min_score: float,
    as_json: bool,
) -> None:
    """Find entries and documents by meaning and by words."""
    request = SearchRequest(
        query=query,
        mode=RetrievalMode(mode),
        filter=Filter(
            # Without commits: only `find` distinguishes them from current text.
            kinds=kinds or (*KINDS, FILE_KIND),
            tags=tuple(map(plain_tag, tags)),
            place=Place(project=project),
            include_superseded=everything,
            include_expired=everything,
        ),
        limit=limit,
        offset=offset,
        min_score=min_score,
    )
    with command_session() as session:
        result = session.application.retrieval.search(session.actor, request)
    emit(_document(result), _text(result, datetime.now(UTC)), as_json=as_json)
