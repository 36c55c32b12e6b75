"""An entry as a Markdown file: editable front matter, then the unchanged body."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.model.times import from_micros
from commonplace.operations.transfer.entries import micros_of, new_row, same_id

LONGEST_FRONT_MATTER = 1_000_000
_BLOCK = re.compile(r"---[ \t]*\r?\n(?P<yaml>.*?\r?\n|)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_ODD_BREAKS = re.compile("[\x85\u2028\u2029]")
_WIDTH = 100_000
_TIMES = ("expires_at", "created_at", "updated_at", "deleted_at")
# In this order; fields without a value are omitted.
_FIELDS = (
    "id",
    "kind",
    "org",
    "title",
    "tags",
    "visibility",
    "workspace",
    "space",
    "project",
    "category",
    "domain",
    "confidence",
    "expires_at",
    "source",
    "agent",
    "created_at",
    "updated_at",
    "revision",
    "superseded_by",
    "head",
    "attributes",
)


def file_name(row: Mapping[str, Any]) -> str:
    """A readable file name from org, kind and title, with a hash that keeps equal titles apart."""
    identity = "\x1f".join((row["org"], row["kind"], row["id"]))
    ending = hashlib.sha256(identity.encode()).hexdigest()[:8]
    title = _segment(row["title"])[:60].strip("-") or "untitled"
    org = _segment(row["org"])
    if org != row["org"]:
        org = f"{org}-{hashlib.sha256(row['org'].encode()).hexdigest()[:8]}"
    return f"{org}/{row['kind']}/{title}-{ending}.md"


def _segment(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def file_text(row: Mapping[str, Any]) -> str:
    import yaml

    shown = {name: _shown(name, row[name]) for name in _FIELDS}
    fields = {name: value for name, value in shown.items() if value not in (None, [], {})}
    front = yaml.dump(fields, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=_WIDTH)
    return f"---\n{front}---\n\n{row['body']}\n"


@cache
def _dumper() -> Any:
    """A dumper that escapes line breaks which only YAML recognises and would lose."""
    import yaml

    class Dumper(yaml.SafeDumper):  # type: ignore[misc]  # the package ships no types
        """A SafeDumper with that one difference."""

    def represented(dumper: Any, text: str) -> Any:
        style = '"' if _ODD_BREAKS.search(text) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represented)
    return Dumper


def _shown(name: str, value: Any) -> Any:
    return from_micros(value).isoformat() if name in _TIMES and value is not None else value


def parts(text: str) -> tuple[dict[str, Any], str]:
    """The front matter (empty if there is none), and the body without surrounding line breaks."""
    block = _BLOCK.match(text)
    if block is None:
        return {}, text.removesuffix("\n")
    body = text[block.end() :].removeprefix("\r\n").removeprefix("\n")
    return front_matter(block["yaml"]), body.removesuffix("\n")


def front_matter(text: str) -> dict[str, Any]:
    import yaml

    if len(text) > LONGEST_FRONT_MATTER:
        raise InvalidArgument("the front matter is too long.")
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, loader)):
            raise InvalidArgument("YAML aliases are not allowed in front matter.")
        fields = yaml.load(text, loader)  # noqa: S506 - a safe loader, in C where available
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 2})" if mark else ""
        raise InvalidArgument(f"the front matter is not valid YAML{where}.") from None
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise InvalidArgument("the front matter must be a mapping of names to values.")
    return fields


def is_ours(text: str) -> bool:
    """Whether the file states which entry it is."""
    try:
        fields, _ = parts(text)
    except InvalidArgument:
        return False
    return {"id", "kind"} <= fields.keys()


def read_file(path: str, text: str) -> dict[str, Any]:
    """The row that a file describes; without front matter it is a new note named after the file."""
    fields, body = parts(text)
    if unknown := sorted(map(str, fields.keys() - set(_FIELDS))):
        raise InvalidArgument(f"front matter has no {unknown[0]}; known are {', '.join(_FIELDS)}.")
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    given = {name: _read(name, value) for name, value in fields.items()}
    row = new_row(given.pop("id", same_id("markdown", path)), given.pop("title", name), body)
    return row | given


def _read(name: str, value: Any) -> Any:
    if name in _TIMES:
        return micros_of(value, name)
    if name in ("confidence", "revision", "tags", "attributes"):
        return _json_only(name, value)
    if value is None or isinstance(value, str):
        return value
    raise InvalidArgument(f"{name} must be text: put it in quotes.", field=name)


def _json_only(name: str, value: Any) -> Any:
    """Reject values that only YAML has."""
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise InvalidArgument(f"{name} must have names that are text.", field=name)
        return {key: _json_only(name, one) for key, one in value.items()}
    if isinstance(value, list):
        return [_json_only(name, one) for one in value]
    if isinstance(value, datetime) or not isinstance(value, str | int | float | bool | None):
        raise InvalidArgument(f"{name} has a date or bytes in it: put it in quotes.", field=name)
    return value
