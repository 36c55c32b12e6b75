"""Backups of the whole database, and putting one back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from commonplace import __version__
from commonplace.bootstrap import build_vault
from commonplace.cli.output import Command, emit, json_option
from commonplace.logs import start_logging
from commonplace.settings import load_settings


@click.command("backup", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@json_option
def backup_command(file: Path, as_json: bool) -> None:
    """Write the whole database into FILE, as it is at one moment, while others use it.

    The file holds every org's content: it is readable by its owner only; keep it so.
    """
    settings = load_settings()
    start_logging(settings.log_level)
    manifest = build_vault(settings).back_up(file, __version__)
    document = {"file": str(file), "bytes": file.stat().st_size, **asdict(manifest)}
    text = f"{manifest.rows} rows of {len(manifest.counts)} tables are in {file}"
    emit(document, text, as_json=as_json)


@click.command("restore", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace everything that the database holds.")
@json_option
def restore_command(file: Path, force: bool, as_json: bool) -> None:
    """Make the database what a backup in FILE says, wholly or not at all.

    A backup of an older version is brought to the newest schema.
    """
    settings = load_settings()
    start_logging(settings.log_level)
    manifest = build_vault(settings).restore(file, replace=force)
    text = f"{manifest.rows} rows as of {manifest.created_at} are in place"
    emit({"file": str(file), **asdict(manifest)}, text, as_json=as_json)
