"""`commonplace doctor`: checks what everything else needs, and says how to mend what is wrong."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Literal

import click

from commonplace.bootstrap import (
    build_embedder,
    build_key_fetch,
    build_redis,
    build_store,
    utc_now,
)
from commonplace.cli.output import Command, emit, json_option
from commonplace.errors import (
    CommonplaceError,
    SchemaTooNew,
    StorageDamaged,
    StorageSetupRequired,
)
from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkCounts
from commonplace.model.embedding import ModelState
from commonplace.settings import Settings, load_settings

_OLDEST_SQLITE = (3, 37, 0)
_MARKS = {"ok": "✓", "warning": "!", "problem": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and how to mend it when something is wrong."""

    check: str
    state: Literal["ok", "warning", "problem"]
    found: str
    mend: str = ""


def check_python(_settings: Settings) -> Iterator[Finding]:
    yield Finding("python", "ok", f"Python {platform.python_version()}")
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        yield Finding(
            "sqlite",
            "problem",
            f"SQLite {sqlite3.sqlite_version} is too old",
            "Use a Python build with SQLite 3.37 or newer.",
        )
    else:
        yield Finding("sqlite", "ok", f"SQLite {sqlite3.sqlite_version}")


def check_home(settings: Settings) -> Iterator[Finding]:
    if settings.database_url:
        return
    home = settings.home
    existing = next(f for f in (home, *home.parents) if os.access(f, os.F_OK))
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        yield Finding(
            "home",
            "problem",
            "The data folder cannot be written",
            "Set COMMONPLACE_HOME to a folder that you may write to.",
        )
        return
    yield Finding("home", "ok", "The data folder can be written")


def check_store(settings: Settings) -> Iterator[Finding]:
    try:
        with closing(build_store(settings, utc_now)) as store:
            health = store.health()
            with store.read(Actor(settings.org, "doctor")) as tx:
                counts = tx.chunks.counts()
                serving = tx.models.in_state(ModelState.SERVING)
    except CommonplaceError as error:
        yield Finding("store", "problem", error.message, _store_advice(error, settings))
        return
    yield Finding(
        "store", "ok", f"{health.dialect} {health.version}, schema {health.schema_version}"
    )
    yield _embeddings(counts)
    yield from _serving(serving, build_embedder(settings).identity.key)


def _embeddings(counts: ChunkCounts) -> Finding:
    if counts.failed:
        return Finding(
            "embeddings",
            "warning",
            f"{counts.failed} chunks could not be embedded",
            "See `commonplace status` for the reasons, then `commonplace retry`.",
        )
    return Finding("embeddings", "ok", f"{counts.ready} ready, {counts.pending} waiting")


def _serving(serving: str | None, configured: str) -> Iterator[Finding]:
    if serving not in (None, configured):
        yield Finding(
            "model in use",
            "warning",
            f"The stored vectors are of {serving}, the settings name {configured}",
            "Run `commonplace reembed` to change over, or set the model back.",
        )


def _store_advice(error: CommonplaceError, settings: Settings) -> str:
    if isinstance(error, SchemaTooNew):
        return "Upgrade Commonplace: a newer one has already used this database."
    if isinstance(error, StorageSetupRequired):
        return "Ask the administrator of the database for the step that the message names."
    if isinstance(error, StorageDamaged):
        return "Restore a backup of the file; the damaged one is left as it is."
    if settings.database_url:
        return "Check that PostgreSQL runs and that COMMONPLACE_DATABASE_URL is right."
    return "Check the disk and the rights on the data folder (COMMONPLACE_HOME)."


def check_model(settings: Settings) -> Iterator[Finding]:
    try:
        embedder = build_embedder(settings)
        dimension = len(embedder.embed_query("a first question"))
        embedder.release()
    except CommonplaceError as error:
        advice = (
            "Check COMMONPLACE_EMBEDDING_URL, the model's name and the key."
            if settings.embedding_url
            else "Install the package again: its model files are missing or damaged."
        )
        yield Finding("model", "problem", error.message, advice)
        return
    yield Finding("model", "ok", f"{embedder.identity.key} answers ({dimension} dimensions)")


def check_memory(settings: Settings) -> Iterator[Finding]:
    memory = build_redis(settings, bytes)
    if memory is None:
        return
    try:
        with closing(memory):
            memory.get("doctor")
    except CommonplaceError as error:
        yield Finding(
            "redis",
            "warning",
            error.message,
            "Check that Redis runs and that COMMONPLACE_REDIS_URL is right; until then each "
            "process counts for itself.",
        )
        return
    yield Finding("redis", "ok", "Redis answers")


def check_issuer(settings: Settings) -> Iterator[Finding]:
    if not settings.oauth_issuer:
        return
    try:
        keys = build_key_fetch(settings.oauth_issuer, settings.oauth_jwks_url)().get("keys") or ()
    except CommonplaceError as error:
        yield Finding(
            "issuer",
            "problem",
            error.message,
            "Check COMMONPLACE_OAUTH_ISSUER; it must be what the issuer's metadata calls itself.",
        )
        return
    yield Finding("issuer", "ok", f"The issuer answers with {len(keys)} keys")


CHECKS: tuple[Callable[[Settings], Iterator[Finding]], ...] = (
    check_python,
    check_home,
    check_store,
    check_memory,
    check_issuer,
    check_model,
)


@click.command("doctor", cls=Command)
@json_option
def doctor_command(as_json: bool) -> None:
    """Check the set-up, and explain what is wrong and how to mend it."""
    settings = load_settings()
    findings = [finding for check in CHECKS for finding in check(settings)]
    healthy = all(finding.state != "problem" for finding in findings)
    lines = [
        f"{_MARKS[finding.state]} {finding.check}: {finding.found}"
        + (f"\n    {finding.mend}" if finding.mend else "")
        for finding in findings
    ]
    document = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
    emit(document, "\n".join(lines), as_json=as_json)
    sys.exit(0 if healthy else 1)
