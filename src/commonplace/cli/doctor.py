"""`commonplace doctor`: checks the set-up and the data, and says how to fix problems."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import click

from commonplace.bootstrap import (
    build_backups,
    build_embedder,
    build_key_fetch,
    build_redis,
    build_store,
    utc_now,
)
from commonplace.cli.output import Command, emit, json_option, size_text
from commonplace.errors import (
    CommonplaceError,
    SchemaTooNew,
    StorageDamaged,
    StorageReadOnly,
    StorageSetupRequired,
)
from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkCounts
from commonplace.model.embedding import ModelState
from commonplace.model.secret import is_placeholder
from commonplace.settings import ENV_PREFIX, Settings, load_settings, unread_variables
from commonplace.text.plural import plural

_OLDEST_SQLITE = (3, 37, 0)
_DAMAGED_ADVICE = (
    "Restore a backup (`commonplace restore FILE --force`), or save what can still be read "
    "(`commonplace salvage FILE`); the damaged file is kept."
)
_MARKS = {"ok": "✓", "warning": "!", "problem": "✗"}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check, and advice if there is a problem."""

    check: str
    state: Literal["ok", "warning", "problem"]
    found: str
    mend: str = ""


def check_python(_settings: Settings) -> Iterator[Diagnosis]:
    yield Diagnosis("python", "ok", f"Python {platform.python_version()}")
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        yield Diagnosis(
            "sqlite",
            "problem",
            f"SQLite {sqlite3.sqlite_version} is too old",
            "Use a Python build with SQLite 3.37 or newer.",
        )
    else:
        yield Diagnosis("sqlite", "ok", f"SQLite {sqlite3.sqlite_version}")


def check_home(settings: Settings) -> Iterator[Diagnosis]:
    if settings.database_url:
        return
    home = settings.home
    existing = next(f for f in (home, *home.parents) if os.access(f, os.F_OK))
    if not existing.is_dir() or not _allowed(existing, os.W_OK | os.X_OK):
        readable = settings.database_file.is_file() and _allowed(settings.database_file, os.R_OK)
        yield Diagnosis(
            "home",
            "warning" if readable else "problem",
            f"The data folder {home} is read-only" + (": nothing can be stored" * readable),
            "Set COMMONPLACE_HOME to a writable folder.",
        )
        return
    yield Diagnosis("home", "ok", f"{home} is writable")
    yield from _open_to_others(home)


def _open_to_others(home: Path) -> Iterator[Diagnosis]:
    """Check permissions: files become private once the database is opened, the folder does not."""
    wide = [path.name for path in sorted(home.glob("commonplace.db*")) if _is_wide(path)]
    if wide:
        yield Diagnosis(
            "privacy",
            "warning",
            f"Others could read {', '.join(wide)}; the database is private from now on",
            f"Restrict the other files too: chmod go= {home}/*",
        )
    elif home.is_dir() and _is_wide(home):
        yield Diagnosis(
            "privacy",
            "ok",
            f"Only the owner can read the data (others can list {home}; chmod 700 prevents it)",
        )


def _allowed(path: Path, kind: int) -> bool:
    """Whether this process has access, with its effective user id."""
    return os.access(path, kind, effective_ids=os.access in os.supports_effective_ids)


def _is_wide(path: Path) -> bool:
    """Whether others than the owner have any permission."""
    return bool(path.stat().st_mode & 0o077)


def check_store(settings: Settings) -> Iterator[Diagnosis]:
    try:
        with closing(build_store(settings, utc_now)) as store:
            health = store.health()
            with store.read(Actor(settings.org, "doctor")) as tx:
                counts = tx.chunks.counts()
                serving = tx.models.in_state(ModelState.SERVING)
    except CommonplaceError as error:
        yield Diagnosis("store", "problem", error.message, _store_advice(error, settings))
        return
    where = "" if settings.database_url else f" in {settings.database_file}"
    yield Diagnosis(
        "store",
        "ok",
        f"{health.dialect} {health.version}, schema {health.schema_version}, "
        f"{size_text(health.size_bytes)}{where}",
    )
    yield _embeddings(counts, f" in the org {settings.org}" if settings.shared else "")
    yield from _serving(serving, build_embedder(settings).identity.key)


def check_data(settings: Settings, *, deep: bool = False) -> Iterator[Diagnosis]:
    """Read the whole database: damage is noticed only when a damaged page is read."""
    if not settings.database_url and not settings.database_file.is_file():
        return
    try:
        damage = build_backups(settings).damage(deep=deep)
    except CommonplaceError as error:
        damage = [error.message]
    if damage:
        yield Diagnosis(
            "data", "problem", f"The database is damaged: {damage[0].strip()}", _DAMAGED_ADVICE
        )
    elif not settings.database_url:
        yield Diagnosis("data", "ok", "Every row can be read" if deep else "Every page can be read")


def _embeddings(counts: ChunkCounts, where: str) -> Diagnosis:
    if counts.failed:
        return Diagnosis(
            "embeddings",
            "warning",
            f"{plural(counts.failed, 'chunk')} could not be embedded{where}",
            "See `commonplace status` for the reasons, then `commonplace retry`.",
        )
    found = f"{counts.ready} ready, {counts.pending} waiting"
    found += f", {counts.previewed} with a preview only" if counts.previewed else ""
    return Diagnosis("embeddings", "ok", found + where)


def _serving(serving: str | None, configured: str) -> Iterator[Diagnosis]:
    if serving not in (None, configured):
        yield Diagnosis(
            "model in use",
            "warning",
            f"The stored vectors are from {serving}, but the settings name {configured}",
            "Run `commonplace reembed` to switch, or change the setting back.",
        )


def _store_advice(error: CommonplaceError, settings: Settings) -> str:
    if isinstance(error, SchemaTooNew):
        return "Upgrade Commonplace: a newer one has already used this database."
    if isinstance(error, StorageSetupRequired):
        return "Ask the database administrator to take the step that the message names."
    if isinstance(error, StorageDamaged):
        return _DAMAGED_ADVICE
    if isinstance(error, StorageReadOnly):
        return "Let this account write to the data folder, or set COMMONPLACE_HOME to another one."
    if settings.database_url:
        # Callers over the network are not told the driver's words, which name hosts and users.
        words = " ".join(str(error.__cause__ or "").split())
        said = f" (the driver says: {words})" if words else ""
        return f"Check that PostgreSQL is running and that COMMONPLACE_DATABASE_URL is right{said}."
    return "Check the disk and the permissions of the data folder (COMMONPLACE_HOME)."


def check_model(settings: Settings) -> Iterator[Diagnosis]:
    try:
        embedder = build_embedder(settings)
        dimension = len(embedder.embed_query("a first question"))
        embedder.release()
    except CommonplaceError as error:
        advice = (
            "Check COMMONPLACE_EMBEDDING_URL, the model's name and the key."
            if settings.embedding_url
            else "Reinstall the package: its model files are missing or damaged."
        )
        yield Diagnosis("model", "problem", error.message, advice)
        return
    yield Diagnosis("model", "ok", f"{embedder.identity.key} answers ({dimension} dimensions)")


def check_redis(settings: Settings) -> Iterator[Diagnosis]:
    cache = build_redis(settings, bytes)
    if cache is None:
        return
    try:
        with closing(cache):
            cache.get("doctor")
    except CommonplaceError as error:
        yield Diagnosis(
            "redis",
            "warning",
            error.message,
            "Check that Redis is running and that COMMONPLACE_REDIS_URL is right; until then, each "
            "process counts calls separately.",
        )
        return
    yield Diagnosis("redis", "ok", "Redis answers")


def check_secrets(settings: Settings) -> Iterator[Diagnosis]:
    """Warn of placeholder passwords in addresses; placeholder keys are refused by the settings."""
    for name in ("database_url", "replica_url", "redis_url"):
        address = getattr(settings, name)
        if address and is_placeholder(urlsplit(address.get_secret_value()).password or ""):
            yield Diagnosis(
                "secrets",
                "warning",
                f"The password in {ENV_PREFIX}{name.upper()} is a placeholder",
                "Choose another one, in the database and in the settings.",
            )


def check_settings(_settings: Settings) -> Iterator[Diagnosis]:
    for stray in unread_variables():
        yield Diagnosis("settings", "warning", stray, "docs/reference/settings.md lists them all.")


def check_issuer(settings: Settings) -> Iterator[Diagnosis]:
    if not settings.oauth_issuer:
        return
    try:
        keys = build_key_fetch(settings.oauth_issuer, settings.oauth_jwks_url)().get("keys") or ()
    except CommonplaceError as error:
        yield Diagnosis(
            "issuer",
            "problem",
            error.message,
            "Check COMMONPLACE_OAUTH_ISSUER; it must equal `issuer` in the issuer's metadata.",
        )
        return
    yield Diagnosis("issuer", "ok", f"The issuer answers with {len(keys)} keys")


CHECKS: tuple[Callable[[Settings], Iterator[Diagnosis]], ...] = (
    check_python,
    check_settings,
    check_home,
    check_store,
    check_data,
    check_redis,
    check_secrets,
    check_issuer,
    check_model,
)


@click.command("doctor", cls=Command)
@click.option(
    "--deep", is_flag=True, help="Also compare indexes with their tables, and read every row."
)
@json_option
def doctor_command(deep: bool, as_json: bool) -> None:
    """Check the set-up and the data, and explain problems and how to fix them."""
    settings = load_settings()
    checks = [partial(check_data, deep=deep) if c is check_data else c for c in CHECKS]
    findings = [finding for check in checks for finding in check(settings)]
    healthy = all(finding.state != "problem" for finding in findings)
    lines = [
        f"{_MARKS[finding.state]} {finding.check}: {finding.found}"
        + (f"\n    {finding.mend}" if finding.mend else "")
        for finding in findings
    ]
    document = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
    emit(document, "\n".join(lines), as_json=as_json)
    sys.exit(0 if healthy else 1)
