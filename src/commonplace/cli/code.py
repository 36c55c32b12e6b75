"""Code from the command line: questions about symbols, and indexes to and from other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from commonplace import __version__
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import CommandSession, command_session
from commonplace.codegraph.answering.question import read_question
from commonplace.errors import InvalidArgument
from commonplace.model.workspace import KnowledgeType, Resource
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.search.code_map import CodeMap, MapHit, MapRequest
from commonplace.workspace.search.grouping import ShownLimits


@click.command("map", cls=Command)
@click.argument("query")
@click.option("--project", help="Only what is attached to this project (its key or id).")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@json_option
def map_command(query: str, project: str | None, limit: int, as_json: bool) -> None:
    """Ask about a symbol: "callers of parseConfig", "where is Cache.get defined"."""
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    request = MapRequest(query, read_question(query), ShownLimits(limit))
    with command_session() as session:
        lookup, actor = session.application.lookup, session.actor
        found = lookup.code_map(actor, lookup.scoped(actor, scope), request)
    emit(_document(query, found), _text(found), as_json=as_json)


def _document(query: str, found: CodeMap) -> dict[str, Any]:
    return {
        "query": query,
        "intent": found.question.intent.value,
        "target": found.target,
        "from_graph": found.target is not None,
        "groups": {
            role.value: [_place(place) for place in group]
            for role, group in found.groups.shown.items()
        },
        "counts": {role.value: count.total for role, count in found.groups.counts.items()},
    }


def _place(place: MapHit) -> dict[str, Any]:
    (name, kind), (first, last), seen = place.symbol, place.lines, place.sighting
    return {
        "title": place.title,
        "symbol": name,
        "kind": kind,
        "path": place.path,
        "first_line": first,
        "last_line": last,
        "resolution": seen.resolution if seen else None,
        "confidence": seen.confidence if seen else None,
    }


def _text(found: CodeMap) -> str:
    lines: list[str] = []
    for role, group in found.groups.shown.items():
        lines.append(f"{role.value}:")
        lines += [f"  {_line(_place(place))}" for place in group]
    source = "from the graph" if found.target is not None else "by words and meaning"
    counts = ", ".join(
        f"{count.total} {role.value}" for role, count in found.groups.counts.items() if count.total
    )
    return "\n".join([*lines, f"{counts or 'nothing found'}, {source}"])


def _line(place: dict[str, Any]) -> str:
    how = place["resolution"]
    known = f"  ({how}, {place['confidence']:.2f})" if how else ""
    return f"{place['path']}:{place['first_line']}  {place['title']}{known}"


@click.group("graph")
def graph_command() -> None:
    """Exchange the graph of symbols with other tools, as SCIP indexes."""


@graph_command.command("problems", cls=Command)
@click.option("--source", help="Attachment, resource or label; needed if there are several.")
@json_option
def problems_command(source: str | None, as_json: bool) -> None:
    """List the files of a source tree that are not read, or only in part, and why."""
    with command_session() as session:
        resource = _resource(session, source)
        found = session.application.graph.answers.problems(session.actor, resource)
    text = "\n".join(map(str, found)) or "every file was read"
    document = {"files": [{"path": one.path, "problem": one.reason} for one in found]}
    emit(document, text, as_json=as_json)


@graph_command.command("export", cls=Command)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--source", help="Attachment, resource or label; needed if there are several.")
@json_option
def export_command(file: Path, source: str | None, as_json: bool) -> None:
    """Write the graph of an attached source tree as a SCIP index."""
    with command_session() as session:
        resource = _resource(session, source)
        pieces = session.application.graph.exchange.exported(session.actor, resource, __version__)
        with file.open("wb") as out:
            size = sum(out.write(piece) for piece in pieces)
    emit({"file": str(file), "bytes": size}, f"{size} bytes written to {file}", as_json=as_json)


@graph_command.command("import", cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--source", help="Attachment, resource or label; needed if there are several.")
@json_option
def import_command(file: Path, source: str | None, as_json: bool) -> None:
    """Let a SCIP index that a compiler made decide where the uses in its files lead."""
    with command_session() as session:
        resource = _resource(session, source)
        taken = session.application.graph.exchange.take_compiled(
            session.actor, resource, file.read_bytes()
        )
    document = {
        "files": taken.files,
        "other_versions": taken.other_versions,
        "elsewhere": taken.elsewhere,
    }
    text = (
        f"{taken.files} files are linked as the index says; {taken.other_versions} have changed "
        f"since, {taken.elsewhere} are not in {resource.name}"
    )
    emit(document, text, as_json=as_json)


def _resource(session: CommandSession, source: str | None) -> Resource:
    """The one source tree that is meant."""
    scoped = session.application.lookup.scoped(session.actor, EVERYTHING)
    trees = [one for one in scoped.attached if one.resource.knowledge_type is KnowledgeType.CODE]
    meant = {
        one.resource.key: one.resource
        for one in trees
        if source in (None, one.attachment.id, one.resource.id, one.attachment.label)
    }
    if len(meant) != 1:
        names = ", ".join(sorted({one.attachment.id for one in trees})) or "none"
        raise InvalidArgument(f"Name one attached source tree: {names}.", field="source")
    return next(iter(meant.values()))
