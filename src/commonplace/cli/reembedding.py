"""`commonplace reembed`: switches to another embedding model."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import InvalidArgument
from commonplace.worker.reembedding.service import Progress

_REPORT_SECONDS = 2.0


@click.command("reembed", cls=Command)
@click.option("--status", is_flag=True, help="Only show the progress.")
@click.option("--cancel", is_flag=True, help="Stop, and keep the model that serves now.")
@click.option("--wait", type=float, default=60.0, show_default=True, help="Seconds to work on it.")
@json_option
def reembed_command(status: bool, cancel: bool, wait: float, as_json: bool) -> None:
    """Embed everything with the configured model, then switch searches to it.

    Searches use the old vectors until the new ones are complete. What is not done within --wait is
    done by any server or worker with these settings; if a process is killed, nothing is lost.
    """
    if status and cancel:
        raise InvalidArgument("Give --status or --cancel, not both.", field="status")
    with command_session() as session:
        reembedding = session.application.reembedding
        if cancel:
            reembedding.cancel()
        elif not status:
            reembedding.adopt()
            reembedding.start()
            _work(session, wait)
        progress = reembedding.progress()
    emit(asdict(progress) | {"complete": progress.complete}, summary(progress), as_json=as_json)


def _work(session: CommandSession, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    reported_at = time.monotonic()
    reembedding = session.application.reembedding
    while time.monotonic() < deadline and reembedding.step():
        if time.monotonic() - reported_at > _REPORT_SECONDS:
            reported_at = time.monotonic()
            progress = reembedding.progress()
            click.echo(f"{progress.embedded} of {progress.total}", err=True)
    reembedding.stop()
    session.application.new_worker().drain(max(1.0, deadline - time.monotonic()))


def summary(progress: Progress) -> str:
    if progress.preparing:
        aside = (
            f", {progress.set_aside} set aside: they crashed the worker"
            if progress.set_aside
            else ""
        )
        return (
            f"{progress.embedded} of {progress.total} chunks are embedded by "
            f"{progress.preparing}{aside}; {progress.serving} serves until all are"
        )
    lines = [f"{progress.serving or 'No model'} serves"]
    if progress.serving != progress.configured:
        lines.append(
            f"The settings name {progress.configured}: `commonplace reembed` switches to it"
        )
    return "\n".join(lines)
