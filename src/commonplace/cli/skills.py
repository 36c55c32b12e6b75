"""`commonplace skill`: imports and exports skills as folders, NAME/SKILL.md with its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from commonplace.cli.output import Command, emit, json_option, path_errors
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.model.entry import Entry, Visibility
from commonplace.registry.exchange import SKILL_FILE, checked_files, checked_path, folder_name
from commonplace.registry.service.contributions import skill_text

_PAGE = 100
_EMBED_SECONDS = 60.0


@click.group("skill")
def skill_command() -> None:
    """Import and export skills as folders."""


@skill_command.command("import", cls=Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--visibility",
    type=click.Choice([v.value for v in Visibility]),
    help="Who may read them (default: what the file says, else network).",
)
@json_option
def import_command(folder: Path, visibility: str | None, as_json: bool) -> None:
    """Contribute every skill below DIR; an unchanged file makes no new version."""
    found = sorted(_skill_files(folder))
    if not found:
        raise InvalidArgument(f"There is no {SKILL_FILE} below that folder.", field="dir")
    chosen = Visibility(visibility) if visibility else None
    with command_session() as session:
        results = [_imported(session, file, folder, chosen) for file in found]
        session.application.new_worker().drain(_EMBED_SECONDS)
    refused = [result for result in results if "error" in result]
    lines = [_line(result) for result in results]
    lines.append(f"{len(results) - len(refused)} imported, {len(refused)} refused")
    emit({"skills": results, "refused": len(refused)}, "\n".join(lines), as_json=as_json)
    if refused:
        raise SystemExit(1)


def _skill_files(folder: Path) -> Iterator[Path]:
    """The SKILL.md files below a folder, not following links or hidden folders."""
    for home, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if SKILL_FILE in files:
            yield Path(home) / SKILL_FILE


def _imported(
    session: CommandSession, file: Path, folder: Path, visibility: Visibility | None
) -> dict[str, Any]:
    shown = {"path": file.relative_to(folder).as_posix()}
    try:
        with path_errors("dir"):
            text, files = _text(file), _files_beside(file)
        done = session.application.registry.contribute_skill(
            session.actor, text, visibility, files, keep_same=True
        )
    except CommonplaceError as error:
        return {**shown, "error": {"code": error.code, "message": error.message}}
    return {
        **shown,
        "id": done.id,
        "quality_score": done.quality,
        "readable_by": done.readable_by.value,
        "replaces": list(done.replaces),
        "warnings": list(done.warnings),
    }


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidArgument("The file is not UTF-8 text.") from None


def _files_beside(skill: Path) -> dict[str, bytes]:
    """Everything in the skill's folder, except other skills below it."""
    home = skill.parent
    below = [other.parent for other in _skill_files(home) if other != skill]
    paths = {
        path.relative_to(home).as_posix(): path
        for path in sorted(home.rglob("*"))
        if path.is_file() and not path.is_symlink() and path != skill
        if not any(part.startswith(".") for part in path.relative_to(home).parts)
        if not any(other in path.parents for other in below)
    }
    checked_files({name: path.stat().st_size for name, path in paths.items()})
    return {name: path.read_bytes() for name, path in paths.items()}


def _line(result: dict[str, Any]) -> str:
    if "error" in result:
        return f"{result['path']}  refused: {result['error']['message']}"
    warned = "".join(f"\n  warning: {warning}" for warning in result["warnings"])
    facts = f"quality {result['quality_score']}, readable by {result['readable_by']}"
    replaced = f", replaces {', '.join(result['replaces'])}" if result["replaces"] else ""
    return f"{result['path']}  {result['id']}  {facts}{replaced}{warned}"


@skill_command.command("export", cls=Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@json_option
def export_command(folder: Path, force: bool, as_json: bool) -> None:
    """Write the newest version of every readable skill into DIR, one folder each."""
    with path_errors("dir"):
        is_used = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if is_used and not force:
        raise InvalidArgument("The folder is not empty; --force writes into it.", field="dir")
    written: dict[str, str] = {}
    with command_session() as session:
        for entry in _all_skills(session):
            name = folder_name(entry.content.title, written)
            files = session.application.registry.files_of(session.actor, entry)
            _write(folder / name, {SKILL_FILE: skill_text(entry).encode(), **files})
            written[name] = entry.id
    lines = [f"{name}  {id}" for name, id in written.items()] + [f"{len(written)} exported"]
    document = {"skills": [{"folder": name, "id": id} for name, id in written.items()]}
    emit(document, "\n".join(lines), as_json=as_json)


def _all_skills(session: CommandSession) -> Iterator[Entry]:
    offset = 0
    while page := session.application.registry.skills(session.actor, _PAGE, offset):
        yield from page
        offset += len(page)


def _write(home: Path, files: dict[str, bytes]) -> None:
    with path_errors("dir"):
        for name, data in files.items():
            target = home / checked_path(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
