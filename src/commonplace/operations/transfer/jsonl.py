"""The lossless export format: a header line, then one line per row, referenced rows first.

Rows are numbered within the file, so the same knowledge gives the same file on every server.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Mapping
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.model.canonical import INITIAL_VALUES, CanonicalTable
from commonplace.text.gate import unstorable

FORMAT = "commonplace-export"
VERSION = 1
_PAST_BIGINT = 2**63


def header(schema_version: int) -> str:
    return _line({"format": FORMAT, "version": VERSION, "schema": schema_version})


def is_header(line: str) -> bool:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("format") == FORMAT


def check_header(line: str, schema_version: int) -> None:
    if not is_header(line):
        raise InvalidArgument("this is not an export of Commonplace.")
    document = json.loads(line)
    if document.get("version") != VERSION:
        raise InvalidArgument("the export is in a format of another version of Commonplace.")
    schema = document.get("schema")
    if not isinstance(schema, int) or schema > schema_version:
        raise InvalidArgument(
            f"the export has schema version {schema}, and this Commonplace knows only "
            f"{schema_version}: upgrade it."
        )


def row_line(table: CanonicalTable, row: Mapping[str, Any]) -> str:
    shown = {
        name: base64.b64encode(row[name]).decode()
        if name in table.binary and row[name] is not None
        else row[name]
        for name in table.exported_columns
    }
    return _line({"table": table.name, "row": shown})


def read_line(
    tables: Mapping[str, CanonicalTable], line: str
) -> tuple[CanonicalTable, dict[str, Any]]:
    """Parse a line; derived columns get their initial values."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidArgument("this is not a line of JSON.") from None
    if not isinstance(document, dict) or not isinstance(document.get("row"), dict):
        raise InvalidArgument("a line is an object with a table and a row.")
    table = tables.get(str(document.get("table")))
    if table is None:
        raise InvalidArgument(f"there is no table {document.get('table')}.")
    row: dict[str, Any] = document["row"]
    if unknown := sorted(row.keys() - set(table.exported_columns)):
        raise InvalidArgument(f"{table.name} has no {unknown[0]}.")
    for name, value in row.items():
        _check_value(name, value, plain=name in table.plain)
    for name in table.binary & row.keys():
        row[name] = _bytes(name, row[name])
    return table, row | dict(INITIAL_VALUES.get(table.name, {}))


def _check_value(name: str, value: object, *, plain: bool) -> None:
    """Refuse what no store can hold, before a database driver meets it."""
    if plain and isinstance(value, list | dict):
        raise InvalidArgument(f"{name} must be a single value.", field=name)
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and (problem := unstorable(one)):
            raise InvalidArgument(f"{name} {problem}", field=name)
        if isinstance(one, int) and not -_PAST_BIGINT <= one < _PAST_BIGINT:
            raise InvalidArgument(f"{name} has a number of more than 64 bits.", field=name)
        if isinstance(one, float) and not math.isfinite(one):
            raise InvalidArgument(f"{name} has a number that is not finite.", field=name)
        if isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one


def _bytes(name: str, text: object) -> bytes | None:
    if text is None:
        return None
    try:
        return base64.b64decode(str(text), validate=True)
    except (ValueError, binascii.Error):
        raise InvalidArgument(f"{name} is not base64.") from None


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
