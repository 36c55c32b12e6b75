"""`commonplace export` and `import`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from commonplace.cli.output import Command, emit, json_option, path_errors
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import InvalidArgument
from commonplace.operations.transfer.basic_memory import read_note
from commonplace.operations.transfer.jsonl import is_header
from commonplace.operations.transfer.markdown import is_ours, read_file
from commonplace.operations.transfer.memory_graph import is_graph_line
from commonplace.operations.transfer.report import Report
from commonplace.text.plural import plural

JSONL, MARKDOWN, MEMORY, BASIC = "jsonl", "markdown", "mcp-memory", "basic-memory"
_LARGEST_FILE = 10_000_000
_WAIT_SECONDS = 60.0


@click.command("export", cls=Command)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice([JSONL, MARKDOWN]),
    default=JSONL,
    show_default=True,
    help="Everything as one file of JSON lines, or entries as a folder of Markdown files.",
)
@click.option("--org", help="Only this org (default: all).")
@json_option
def export_command(path: Path, format_: str, org: str | None, as_json: bool) -> None:
    """Export everything that people and agents stored, for a server on any store.

    PATH is a new file, - for standard output, or with --format markdown a folder.
    """
    with command_session() as session:
        if format_ == MARKDOWN:
            count = _write_files(path, session.application.transfer.files(org))
            noun, text = "entries", plural(count, "entry is", "entries are")
        else:
            count = write_lines(path, session.application.transfer.lines(org))
            noun, text = "rows", plural(count, "row is", "rows are")
    if str(path) != "-":
        document = {"path": str(path), "format": format_, noun: count}
        emit(document, f"{text} in {path}", as_json=as_json)


def write_lines(path: Path, lines: Iterator[str]) -> int:
    """Write the lines of an export; the number of rows, without the header."""
    with _new_text(path) as out:
        return sum(1 for line in lines if out.write(f"{line}\n")) - 1


@contextmanager
def _new_text(path: Path) -> Iterator[TextIO]:
    """A private file that appears only when it is complete; or standard output for `-`."""
    if str(path) == "-":
        yield sys.stdout
        return
    if path.exists():
        raise InvalidArgument("The file exists already.", field="path")
    partial = path.with_name(f".{path.name}.partial")
    try:
        with path_errors("path"):
            partial.unlink(missing_ok=True)
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with path_errors("path"), os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            yield out
        with path_errors("path"):
            partial.replace(path)
    finally:
        if partial.exists():
            partial.unlink()


def _write_files(folder: Path, files: Iterator[tuple[str, str]]) -> int:
    if folder.is_dir() and any(folder.iterdir()):
        raise InvalidArgument("The folder is not empty.", field="path")
    count = 0
    for name, text in files:
        with path_errors("path"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            _write_private(file, text)
        count += 1
    with path_errors("path"):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return count


def _write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read, whatever the umask."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(text.encode())


@click.command("import", cls=Command)
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice([JSONL, MARKDOWN, MEMORY, BASIC]),
    help="The format of PATH (default: detected).",
)
@click.option("--dry-run", is_flag=True, help="Report what would happen, without writing.")
@click.option(
    "--wait", type=float, default=_WAIT_SECONDS, show_default=True, help="Seconds to index."
)
@json_option
def import_command(
    path: Path, format_: str | None, dry_run: bool, wait: float, as_json: bool
) -> None:
    """Import an export, a folder of Markdown, or another memory server's files.

    Either everything is written or nothing. Entries that exist already are not written again.
    """
    if not path.exists():
        raise InvalidArgument("The path does not exist.", field="path")
    format_ = format_ or detected_format(path)
    with command_session() as session:
        report = _imported(session, path, format_, dry_run=dry_run)
        pending = 0
        if report.writes and not dry_run:
            session.application.new_worker().drain(wait)
            pending = session.application.status.of_org(session.actor).chunks.pending
    document = {
        "format": format_,
        "dry_run": dry_run,
        "added": dict(report.added),
        "changed": dict(report.changed),
        "unchanged": report.unchanged.total(),
        "kept": report.kept.total(),
        "pending": pending,
    }
    emit(document, _summary(report, dry_run=dry_run), as_json=as_json)


def _imported(session: CommandSession, path: Path, format_: str, *, dry_run: bool) -> Report:
    transfer, actor = session.application.transfer, session.actor
    if format_ == JSONL:
        return transfer.take_lines(actor, _lines(path), dry_run=dry_run)
    if format_ == MEMORY:
        return transfer.take_graph(actor, _lines(path), dry_run=dry_run)
    read = read_file if format_ == MARKDOWN else read_note
    return transfer.take_files(actor, _files(path), read, dry_run=dry_run)


def _summary(report: Report, *, dry_run: bool) -> str:
    verb = "would be " if dry_run else ""
    added = ", ".join(f"{name} {count}" for name, count in sorted(report.added.items()))
    lines = [f"{report.added.total()} {verb}added" + (f" ({added})" if added else "")]
    lines += [f"{report.changed.total()} {verb}changed"] if report.changed else []
    lines.append(f"{report.unchanged.total()} exist already")
    if report.kept:
        lines.append(f"{report.kept.total()} differ here and {verb}kept as they are")
    return "\n".join(lines)


def detected_format(path: Path) -> str:
    """The format of an import, detected from its first file or line."""
    if path.is_dir():
        first = next(_files(path), None)
        if first is None and any(path.iterdir()):
            raise InvalidArgument("The folder has no Markdown file.", field="path")
        return MARKDOWN if first is None or is_ours(first[1]) else BASIC
    line = next((line for line in _lines(path) if line.strip()), "")
    if is_header(line):
        return JSONL
    if is_graph_line(line):
        return MEMORY
    raise InvalidArgument(
        "The format of this file cannot be detected; give it with --format.", field="format"
    )


def _lines(path: Path) -> Iterator[str]:
    with path_errors("path"):
        if path.is_dir():
            raise InvalidArgument("This is a folder; a file is needed.", field="path")
        if path.is_char_device():
            raise InvalidArgument("This is a device; a file is needed.", field="path")
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                yield _decoded(line, f"line {number}")


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """The Markdown files of a folder in order, without hidden files and links."""
    with path_errors("path"):
        if not folder.is_dir():
            raise InvalidArgument("This is a file; a folder is needed.", field="path")
        for file in sorted(folder.rglob("*.md")):
            name = file.relative_to(folder).as_posix()
            hidden = any(part.startswith(".") for part in name.split("/"))
            if hidden or file.is_symlink() or not file.is_file():
                continue
            if file.stat().st_size > _LARGEST_FILE:
                raise InvalidArgument(f"{name}: the file is too large.", field="path")
            yield name, _decoded(file.read_bytes(), name)


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidArgument(f"{place}: this is not UTF-8 text.", field="path") from None
