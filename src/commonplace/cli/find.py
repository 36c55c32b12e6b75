"""`commonplace find`: searches what is attached to projects."""

from __future__ import annotations

from typing import Any

import click

from commonplace.cli.output import Command, emit, json_option, warned, warning_lines
from commonplace.cli.session import command_session
from commonplace.model.query import RetrievalMode
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, scope_of
from commonplace.workspace.search.naming import title_of
from commonplace.workspace.search.request import (
    WorkspaceSearchHit,
    WorkspaceSearchRequest,
    WorkspaceSearchResult,
)
from commonplace.workspace.search.sources import Narrowing


def _document(result: WorkspaceSearchResult) -> dict[str, Any]:
    found = result.search
    return {
        "hits": [_hit_document(one) for one in result.hits],
        "total": found.total,
        "mode": found.mode_used.value,
        "model": found.model,
        "pending": found.pending,
        "notices": list(found.notices),
    }


def _text(result: WorkspaceSearchResult, *, explain: bool) -> str:
    lines = []
    for one in result.hits:
        parts = ", ".join(f"{p.name} {p.value:.2f}" for p in one.hit.parts if p.value != 1)
        lines += [
            f"{one.hit.score:.2f}  {title_of(one.hit)}  [{_place(one)}]",
            f"      {' '.join(one.hit.snippet.split())}",
            *([f"      {parts}"] if explain and parts else []),
            *(f"      {line}" for line in warning_lines(_hit_document(one))),
        ]
    found = result.search
    lines.append(f"{len(result.hits)} of {found.total} found, {found.mode_used.value} search")
    return "\n".join([*lines, *found.notices])


def _hit_document(one: WorkspaceSearchHit) -> dict[str, Any]:
    position = one.hit.chunk.position
    return {
        "title": title_of(one.hit),
        "path": one.path,
        "line_start": position.line_start,
        "line_end": position.line_end,
        "source": one.source.effective.label,
        "snippet": one.hit.snippet,
        "score": round(one.hit.score, 6),
        "parts": {part.name: round(part.value, 6) for part in one.hit.parts},
        **warned(one.hit.chunk.text),
    }


def _place(one: WorkspaceSearchHit) -> str:
    """The path and line of a hit, in the form that editors open."""
    if one.path is None:
        return one.source.effective.label
    line = one.hit.chunk.position.line_start
    return f"{one.path}:{line}" if line else one.path


@click.command("find", cls=Command)
@click.argument("query")
@click.option("--mode", type=click.Choice([m.value for m in RetrievalMode]), default="auto")
@click.option("--project", help="Key or id: only what is attached to it.")
@click.option("--path", "paths", multiple=True, help="Only below this folder or file.")
@click.option("--language", "languages", multiple=True, help="Only code in this language.")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--offset", type=click.IntRange(0, 1000), default=0, show_default=True)
@click.option("--explain", is_flag=True, help="With what each score is made of.")
@json_option
def find_command(
    query: str,
    mode: str,
    project: str | None,
    paths: tuple[str, ...],
    languages: tuple[str, ...],
    limit: int,
    offset: int,
    explain: bool,
    as_json: bool,
) -> None:
    """Find passages of attached docs, code, notebooks and records."""
    scope = scope_of(ScopeName.PROJECT, project) if project else EVERYTHING
    request = WorkspaceSearchRequest(
        query=query,
        narrowing=Narrowing(path_prefixes=paths, languages=languages),
        mode=RetrievalMode(mode),
        limit=limit,
        offset=offset,
    )
    with command_session() as session:
        search = session.application.workspace_search
        result = search.search(session.actor, search.scoped(session.actor, scope), request)
    emit(_document(result), _text(result, explain=explain), as_json=as_json)
