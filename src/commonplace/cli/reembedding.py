"""`commonplace reembed`: changing the embedding model."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import InvalidArgument
from commonplace.worker.reembedding.service import Progress

_TELL_SECONDS = 2.0


@click.command("reembed", cls=Command)
@click.option("--status", is_flag=True, help="Only show how far it has come.")
@click.option("--cancel", is_flag=True, help="Stop, and stay with the model that serves.")
@click.option("--wait", type=float, default=60.0, show_default=True, help="Seconds to work on it.")
@json_option
def reembed_command(status: bool, cancel: bool, wait: float, as_json: bool) -> None:
    """Embed everything with the model of the settings, then let it serve.

    The old vectors are searched until the new ones are complete. What is not done in time is done
    by any server or worker with these settings; a process that is killed loses nothing.
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
    emit(asdict(progress) | {"complete": progress.complete}, told(progress), as_json=as_json)


def _work(session: CommandSession, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    told_at = time.monotonic()
    reembedding = session.application.reembedding
    while time.monotonic() < deadline and reembedding.step():
        if time.monotonic() - told_at > _TELL_SECONDS:
            told_at = time.monotonic()
            progress = reembedding.progress()
            click.echo(f"{progress.embedded} of {progress.total}", err=True)
    reembedding.stop()
    session.application.new_worker().drain(max(1.0, deadline - time.monotonic()))


def told(progress: Progress) -> str:
    if progress.preparing:
        aside = (
            f", {progress.set_aside} set aside: they ended the worker" if progress.set_aside else ""
        )
        return (
            f"{progress.embedded} of {progress.total} chunks are embedded by "
            f"{progress.preparing}{aside}; {progress.serving} serves until all are"
        )
    lines = [f"{progress.serving or 'No model'} serves"]
    if progress.serving != progress.configured:
        lines.append(
            f"The settings name {progress.configured}: `commonplace reembed` changes to it"
        )
    return "\n".join(lines)
