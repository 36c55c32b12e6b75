"""Builds the worker: which service handles which kind of run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.application import Application
from commonplace.bootstrap.adapters import Adapters
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.run import RunKind
from commonplace.model.times import Clock
from commonplace.worker.service.loop import Worker


def build_worker(application: Application, adapters: Adapters, clock: Clock) -> Worker:
    """A worker whose handlers look up their service when called.

    Most workers never read sources or folders, and so never import what that needs.
    """

    def rebuild(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        application.rebuilding.batch(actor, subject, call)

    def read_source(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        application.source_reading.process(actor, subject, call)

    def ingest(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        application.runs.process(actor, subject, call)

    def set_source_aside(actor: Actor, subject: Mapping[str, Any], why: str) -> None:
        application.source_reading.set_aside(actor, subject, why)

    def set_folder_aside(actor: Actor, subject: Mapping[str, Any], why: str) -> None:
        application.runs.set_aside(actor, subject, why)

    return Worker(
        adapters.store,
        adapters.model,
        clock,
        handlers={
            RunKind.REBUILD: rebuild,
            RunKind.SOURCE: read_source,
            RunKind.INGEST: ingest,
        },
        idle=application.settings.embedding_idle_seconds,
        keeper=application.reembedding,
        give_up_handlers={RunKind.SOURCE: set_source_aside, RunKind.INGEST: set_folder_aside},
    )
