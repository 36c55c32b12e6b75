"""`commonplace status`, `rebuild` and `retry`."""

from __future__ import annotations

from typing import Any

import click

from commonplace.cli.entries import EMBED_SECONDS
from commonplace.cli.output import Command, emit, json_option, size_text
from commonplace.cli.session import command_session
from commonplace.model.run import TargetStatus
from commonplace.text.plural import plural

_RARE = frozenset({"previewed", "outdated", "left_out"})


@click.command("status", cls=Command)
@json_option
def status_command(as_json: bool) -> None:
    """Show counts of entries and chunks, the model in use, runs and failures."""
    with command_session() as session:
        actor = session.actor
        status = session.application.status.of_org(actor)
    document = {
        "store": status.health.dialect,
        "schema_version": status.health.schema_version,
        "size_bytes": status.health.size_bytes,
        "org": actor.org,
        "entries": status.entries,
        "current_entries": status.current_entries,
        "chunks": status.chunks.total,
        "embedded": status.chunks.ready,
        "previewed": status.chunks.previewed,
        "outdated": status.chunks.outdated,
        "pending": status.chunks.pending,
        "left_out": status.chunks.left_out,
        "failed": status.chunks.failed,
        "model": status.model,
        "failures": list(status.failures),
        "runs": [
            {"id": run.id, "kind": run.kind.value}
            | {state.value: run.count(state) for state in TargetStatus}
            for run in status.runs
        ],
    }
    emit(document, _shown(document), as_json=as_json)


def _shown(document: dict[str, Any]) -> str:
    """One fact per line, then failures and runs; a rare state only if something is in it."""
    facts = {name: value for name, value in document.items() if not isinstance(value, list)}
    facts = {
        name.removesuffix("_bytes").replace("_", " "): value
        for name, value in facts.items()
        if value or name not in _RARE
    }
    facts["size"] = size_text(facts["size"])
    lines = [f"{name:<16} {value}" for name, value in facts.items()]
    lines += [f"failure          {failure}" for failure in document["failures"]]
    for run in document["runs"]:
        counts = [f"{run[state]} {state.value}" for state in TargetStatus if run[state]]
        if counts:
            lines.append(f"run              {run['id']}: {', '.join(counts)}")
    return "\n".join(lines)


@click.command("rebuild", cls=Command)
@click.option("--wait", type=float, default=60.0, show_default=True, help="Seconds to work on it.")
@json_option
def rebuild_command(wait: float, as_json: bool) -> None:
    """Rebuild everything that is derived from entries and sources: chunks, indexes, vectors."""
    with command_session() as session:
        application, actor = session.application, session.actor
        run = application.rebuilding.start(actor)
        sources = application.documents.refresh_all(actor, anew=True)
        finished = application.new_worker().drain(wait)
        run = application.status.run(actor, run.id) or run
        pending = application.status.of_org(actor).chunks.pending
    done, total = run.count(TargetStatus.DONE), len(run.targets)
    document = {"run": run.id, "targets": total, "done": done, "pending": pending}
    document["sources"] = sources
    rest = "" if finished and not pending else "; the rest follows in the background"
    emit(
        document,
        f"Rebuilt {done} of {plural(total, 'batch', 'batches')}, {plural(sources, 'source')}, "
        f"{pending} to embed{rest}",
        as_json=as_json,
    )


@click.command("retry", cls=Command)
@json_option
def retry_command(as_json: bool) -> None:
    """Retry failed work: chunks to embed, sources and folders to read."""
    with command_session() as session:
        retried = session.application.status.retry_failed(session.actor)
        session.application.new_worker().drain(EMBED_SECONDS)
    emit(
        {"retried": retried},
        f"{plural(retried, 'piece')} of work queued again",
        as_json=as_json,
    )
