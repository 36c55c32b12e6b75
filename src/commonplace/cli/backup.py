"""`commonplace backup`, `restore` and `salvage`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from commonplace import __version__
from commonplace.bootstrap import build_backups, transfer_of_file
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.transfer import write_lines
from commonplace.errors import StorageInUse
from commonplace.logs import start_logging
from commonplace.settings import load_settings


@click.command("backup", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def backup_command(file: Path, as_json: bool) -> None:
    """Write a consistent snapshot of the whole database to FILE, while others use it.

    The file contains the data of every org. It is readable by its owner only; keep it so.
    """
    settings = load_settings()
    start_logging(settings.log_level)
    manifest = build_backups(settings).back_up(file, __version__)
    document = {"file": str(file), "bytes": file.stat().st_size, **asdict(manifest)}
    text = f"{manifest.rows:,} rows of {len(manifest.counts)} tables are in {file}"
    emit(document, text, as_json=as_json)


@click.command("restore", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace everything in the database.")
@click.option(
    "--while-running", is_flag=True, help="Replace it even if servers have the database open."
)
@json_option
def restore_command(file: Path, force: bool, while_running: bool, as_json: bool) -> None:
    """Replace the database by the backup in FILE, completely or not at all.

    A backup of an older version is migrated to the newest schema. A damaged SQLite file is kept
    next to the new one.
    """
    settings = load_settings()
    start_logging(settings.log_level)
    backups = build_backups(settings)
    if force and not while_running and backups.is_used():
        raise StorageInUse(
            "Servers or workers have the database open: stop them first, or use --while-running."
        )
    manifest = backups.restore(file, replace=force)
    made = manifest.created_at[: len("2026-01-31T12:00")].replace("T", " ")
    text = f"{manifest.rows:,} rows as of {made} UTC are in place"
    emit({"file": str(file), **asdict(manifest)}, text, as_json=as_json)


@click.command("salvage", cls=Command)
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def salvage_command(path: Path, as_json: bool) -> None:
    """Save what can still be read from a damaged SQLite database, as an export in PATH.

    The damaged file is not changed. `commonplace import` reads the export into a new home; it has
    no tokens and quotas.
    """
    settings = load_settings()
    start_logging(settings.log_level)
    with TemporaryDirectory(prefix="commonplace-") as folder:
        rescued = Path(folder) / "rescued.db"
        lost = build_backups(settings).salvage(rescued)
        count = write_lines(path, transfer_of_file(rescued).lines())
    losses = ", ".join(f"{number} of {table}" for table, number in sorted(lost.items()))
    text = f"{count} rows are in {path}; " + (f"at most lost: {losses}" if losses else "none lost")
    emit({"path": str(path), "rows": count, "lost": dict(lost)}, text, as_json=as_json)
