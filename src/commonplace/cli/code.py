"""`commonplace map` and `graph`: questions about code, and import and export of SCIP indexes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from commonplace import __version__
from commonplace.cli.output import Command, emit, json_option, path_errors
from commonplace.cli.session import CommandSession, command_session
from commonplace.codegraph.answering.forms import FORMS, read_trace
from commonplace.codegraph.answering.question import plain_word, read_question
from commonplace.codegraph.answering.rendering import render_trace
from commonplace.codegraph.answering.trace import TracedPlace, TraceRequest, UseCount
from commonplace.errors import InvalidArgument, NotFound
from commonplace.memory.service.tracing import TraceAnswer
from commonplace.model.commits import Commit
from commonplace.model.workspace import Attached, KnowledgeType, Resource
from commonplace.text.plural import plural
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.search.code_map import CodeMap, MapHit, MapRequest
from commonplace.workspace.search.grouping import ShownLimits


@click.command("map", cls=Command)
@click.argument("query")
@click.option("--project", help="Only what is attached to this project (its key or id).")
@click.option("--limit", type=click.IntRange(1, 500), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, help="How many places to skip.")
@click.option("--depth", type=click.IntRange(1, 10), help="How many steps to follow.")
@click.option("--context", type=click.IntRange(0, 10), default=0, help="Lines around each place.")
@json_option
def map_command(
    query: str,
    project: str | None,
    limit: int,
    offset: int,
    depth: int | None,
    context: int,
    as_json: bool,
) -> None:
    """Ask about code: "callers of parseConfig", "impact of Cache.get", "unused code in src".

    Callers, callees, references, subclasses, superclasses, implementations, overrides, impact,
    tests (that reach), entry points, "path from A to B", importers, outline of a file, unused code,
    import cycles, history, docs. A name alone asks for its definition. Any other query is searched
    by words and meaning.
    """
    word = plain_word(query)
    asked = read_trace(query) or (TraceRequest(word) if word else None)
    with command_session() as session:
        if asked is None:
            note = f"Not understood as a question about code; its forms are {', '.join(FORMS)}."
            _searched(session, query, project, limit, note, as_json)
            return
        request = replace(asked, limit=limit, offset=offset, depth=depth or 0, context=context)
        tracing = session.application.memory.tracing
        answer = tracing.trace(session.actor, request, project or "")
        traced = answer.traced
        if traced.unknown and word:
            note = f"No symbol is called {word}."
            _searched(session, query, project, limit, note, as_json)
            return
    if traced.unknown:
        near = ", ".join(traced.similar)
        hint = f"Nearest: {near}." if near else "commonplace find searches by words and meaning."
        raise NotFound(f"No symbol or file is called {traced.unknown}. {hint}")
    text = "\n".join(render_trace(traced, request, answer.name_of, answer.docs))
    emit(_traced_document(query, answer), text, as_json=as_json)


def _searched(
    session: CommandSession, query: str, project: str | None, limit: int, note: str, as_json: bool
) -> None:
    """Search for a query that is no question about a symbol, and note why."""
    scope = WorkspaceScope(ScopeName.PROJECT, (project,)) if project else EVERYTHING
    request = MapRequest(query, read_question(query), ShownLimits(limit))
    search, actor = session.application.workspace_search, session.actor
    found = search.code_map(actor, search.scoped(actor, scope), request)
    emit(_document(query, found), f"{_text(found)}\n{note}", as_json=as_json)


def _traced_document(query: str, answer: TraceAnswer) -> dict[str, Any]:
    traced = answer.traced
    return {
        "query": query,
        "relation": answer.request.relation.value,
        "definitions": [_counted(answer, one) for one in traced.definitions],
        "total": traced.total,
        "complete": traced.complete,
        "places": [_traced(answer, place) for place in traced.places],
        "not_linked": traced.unresolved_count,
        "not_linked_places": [_traced(answer, place) for place in traced.unresolved],
        "namesakes": [_counted(answer, one) for one in traced.namesakes],
        "documents": [_traced(answer, place) for place in answer.docs],
        "problems": [{"path": one.path, "reason": one.reason} for one in traced.problems],
        "other_problems": traced.partly_read,
        "summary": traced.summary,
        "commits": [_committed(one) for one in traced.commits],
    }


def _committed(one: Commit) -> dict[str, Any]:
    return {
        "commit": one.id,
        "author": one.author,
        "at": one.at.isoformat() if one.at else None,
        "subject": one.subject,
        "lines": one.lines,
        "files": list(one.files),
    }


def _counted(answer: TraceAnswer, one: UseCount) -> dict[str, Any]:
    return {**_traced(answer, one.place), "uses": one.uses, "why": one.why}


def _traced(answer: TraceAnswer, place: TracedPlace) -> dict[str, Any]:
    return {
        "file": answer.name_of(place),
        "line": place.line,
        "symbol": place.symbol,
        "kind": place.kind,
        "use": place.use,
        "confidence": place.confidence,
        "depth": place.depth,
        "text": place.text,
        "note": place.note,
    }


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
    """Exchange the code graph with other tools as SCIP indexes."""


@graph_command.command("problems", cls=Command)
@click.option("--source", help="Attachment, resource or label (default: all source trees).")
@json_option
def problems_command(source: str | None, as_json: bool) -> None:
    """List the files that could not be read completely, and why."""
    with command_session() as session:
        trees = _trees(session, source)
        answers = session.application.graph.answers
        found = [
            (tree.attachment.label, problem)
            for tree in trees
            for problem in answers.problems(session.actor, tree.resource)
        ]
    lines = [f"{label}/{one}" if len(trees) > 1 else str(one) for label, one in found]
    files = [{"source": label, "path": one.path, "problem": one.reason} for label, one in found]
    emit({"files": files}, "\n".join(lines) or "All files were read.", as_json=as_json)


@graph_command.command("export", cls=Command)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--source", help="Attachment, resource or label; needed if there are several.")
@json_option
def export_command(file: Path, source: str | None, as_json: bool) -> None:
    """Write the code graph of an attached source tree as a SCIP index."""
    with command_session() as session:
        resource = _resource(session, source)
        pieces = session.application.graph.exchange.exported(session.actor, resource, __version__)
        with path_errors("file"), file.open("wb") as out:
            size = sum(out.write(piece) for piece in pieces)
    emit({"file": str(file), "bytes": size}, f"{size} bytes written to {file}", as_json=as_json)


@graph_command.command("import", cls=Command)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--source", help="Attachment, resource or label; needed if there are several.")
@json_option
def import_command(file: Path, source: str | None, as_json: bool) -> None:
    """Resolve the references in an attached source tree by a compiler's SCIP index."""
    with command_session() as session:
        resource = _resource(session, source)
        with path_errors("file"):
            data = file.read_bytes()
        taken = session.application.graph.exchange.take_compiled(session.actor, resource, data)
    document = {
        "files": taken.files,
        "other_versions": taken.other_versions,
        "elsewhere": taken.elsewhere,
        "brought": taken.added,
    }
    text = (
        f"{plural(taken.files, 'file')} linked as the index says (the symbols of {taken.added} "
        f"come from it alone); {taken.other_versions} changed since, {taken.elsewhere} not in "
        f"{resource.name}"
    )
    emit(document, text, as_json=as_json)


def _resource(session: CommandSession, source: str | None) -> Resource:
    """The attached source tree with an id or label; without one, the only tree."""
    trees = _trees(session, source)
    if len(trees) > 1:
        raise _unnamed(trees)
    return trees[0].resource


def _trees(session: CommandSession, source: str | None) -> list[Attached]:
    """The attached source trees, once each: all of them, or the one with an id or label."""
    scoped = session.application.workspace_search.scoped(session.actor, EVERYTHING)
    trees = [one for one in scoped.attached if one.resource.knowledge_type is KnowledgeType.CODE]
    if not trees:
        raise InvalidArgument("No source tree is attached.", field="source")
    meant = {
        one.resource.key: one
        for one in trees
        if source in (None, one.attachment.id, one.resource.id, one.attachment.label)
    }
    if not meant:
        raise _unnamed(trees)
    return list(meant.values())


def _unnamed(trees: list[Attached]) -> InvalidArgument:
    labels = ", ".join(f"{one.attachment.label} ({one.attachment.id})" for one in trees)
    return InvalidArgument(f"Choose a source tree with --source: {labels}.", field="source")
