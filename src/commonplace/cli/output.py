"""The output of commands: text by default, one JSON document with --json."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.model.entry import Entry

_THOUSAND = 1000

json_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document, for programs."
)


class Command(click.Command):
    """A command that reports errors as one line, or as JSON with --json."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            _check_paths(ctx.params)
            return super().invoke(ctx)
        except CommonplaceError as error:
            report_error(error, as_json=bool(ctx.params.get("as_json")))
            ctx.exit(1)


def emit(document: Mapping[str, Any], text: str, *, as_json: bool, failed: bool = False) -> None:
    """Print a result. With `failed`, the exit status is 1, as when a source could not be read."""
    click.echo(json.dumps(document, ensure_ascii=False) if as_json else text)
    if failed:
        click.get_current_context().exit(1)


def size_text(count: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if count < _THOUSAND:
            return f"{count:.3g} {unit}"
        count /= _THOUSAND
    return f"{count:,.1f} GB"


@contextmanager
def path_errors(field: str) -> Iterator[None]:
    """Report an error of the file system as InvalidArgument for the argument with the path."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"The path cannot be used: {reason}.", field=field) from None


def _check_paths(given: Mapping[str, Any]) -> None:
    """Refuse paths that cannot be looked up: too long, in private folders, in a deleted one."""
    for name, value in given.items():
        for path in value if isinstance(value, tuple) else (value,):
            if isinstance(path, Path):
                with path_errors(name):
                    path.absolute()
                    with suppress(FileNotFoundError, NotADirectoryError):
                        path.stat()


def report_error(error: CommonplaceError, *, as_json: bool) -> None:
    if as_json:
        problem = {"error": {"code": error.code, "message": error.message}}
        click.echo(json.dumps(problem, ensure_ascii=False))
    else:
        click.echo(f"Error: {error.message} [{error.code}]", err=True)


def entry_document(entry: Entry) -> dict[str, Any]:
    content = entry.content
    return {
        "id": entry.id,
        "kind": entry.kind.value,
        "title": content.title,
        "body": content.body,
        "tags": list(content.tags),
        "agent": entry.agent,
        "visibility": content.visibility.value,
        "project": content.place.project,
        "confidence": content.confidence,
        "revision": entry.revision,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "expires_at": content.expires_at.isoformat() if content.expires_at else None,
        "deleted_at": entry.deleted_at.isoformat() if entry.deleted_at else None,
        "superseded_by": entry.superseded_by,
        "newest": entry.head,
    }


def entry_line(entry: Entry) -> str:
    return f"{entry.id}  {_titled(entry)}"


def listed_line(entry: Entry, now: datetime) -> str:
    """One line about an entry, with its kind and state."""
    day = entry.created_at.date().isoformat()
    return f"{entry.id}  {day}  {entry.kind.value:<8}  {_titled(entry)}{state_mark(entry, now)}"


def state_mark(entry: Entry, now: datetime) -> str:
    """A mark for an entry that is superseded or expired; empty for a current one."""
    if entry.head:
        return f"  (superseded by {entry.head})"
    return "" if entry.is_current(now) else "  (expired)"


def warned(*texts: str | None) -> dict[str, list[str]]:
    """A field with the warnings of texts; no field if there are none."""
    from commonplace.safety.warnings import warnings_of

    reasons = warnings_of(*texts)
    return {"warnings": reasons} if reasons else {}


def warning_lines(document: Mapping[str, Any]) -> list[str]:
    return [f"Warning: this text {reason}" for reason in document.get("warnings", ())]


def _titled(entry: Entry) -> str:
    tags = " ".join(f"#{tag}" for tag in entry.content.tags)
    return entry.content.title + (f"  {tags}" if tags else "")
