"""Generates the settings page: one row for each field of Settings."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from pathlib import Path

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from commonplace.settings import ENV_PREFIX, Settings
from tools.docs.markdown import code, document, table

INTRODUCTION = """\
Settings are environment variables, read once when a process starts. An empty variable counts as
not set, and a wrong value stops the process with a message that names the variable. A
`COMMONPLACE_` variable that is not a setting is reported when a process starts, and by `doctor`."""

TYPES: Mapping[object, str] = {
    bool: "true or false",
    int: "whole number",
    float: "number",
    str: "text",
    SecretStr: "text, kept secret",
    Path: "path",
}
BOUNDS: Mapping[str, str] = {
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "lt": "less than {}",
    "min_length": "at least {}",
    "max_length": "at most {}",
}
# Defaults that depend on the machine are described, not evaluated.
COMPUTED_DEFAULTS = {"home": "`$XDG_DATA_HOME/commonplace`, else `~/.local/share/commonplace`"}


def page() -> str:
    parts = reversed(Settings.__bases__)
    blocks = [block for part in parts for block in (_heading(part), _table(part))]
    return document("Settings", INTRODUCTION, *blocks)


def _heading(part: type) -> str:
    return f"## {(part.__doc__ or '').removesuffix('.')}"


def _table(part: type) -> str:
    rows = [
        (
            code(f"{ENV_PREFIX}{name.upper()}"),
            _values(field),
            _default(name, field),
            _meaning(field),
        )
        for name, field in Settings.model_fields.items()
        if name in part.__annotations__
    ]
    return table(("variable", "value", "default", "meaning"), rows)


def _values(field: FieldInfo) -> str:
    return ", ".join(filter(None, (_type(field.annotation), _bounds(field.metadata))))


def _type(annotation: object) -> str:
    if typing.get_origin(annotation) is typing.Annotated:
        return _type(typing.get_args(annotation)[0])
    choices = [choice for choice in typing.get_args(annotation) if choice is not type(None)]
    if typing.get_origin(annotation) is typing.Literal:
        return ", ".join(code(choice) for choice in choices)
    if typing.get_origin(annotation) in (tuple, list, set, frozenset):
        return "list, comma-separated"
    return " or ".join(_type(choice) for choice in choices) or TYPES[annotation]


def _bounds(constraints: list[object]) -> str:
    bounds = {name: getattr(c, name) for c in constraints for name in BOUNDS if hasattr(c, name)}
    characters = " characters" if {"min_length", "max_length"} & bounds.keys() else ""
    return " and ".join(BOUNDS[name].format(value) for name, value in bounds.items()) + characters


def _default(name: str, field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default_factory is not None:
        return COMPUTED_DEFAULTS[name]
    if field.default in (None, ""):
        return "not set"
    return code(
        str(field.default).lower() if isinstance(field.default, bool) else str(field.default)
    )


def _meaning(field: FieldInfo) -> str:
    if not field.description:
        raise ValueError("every setting describes itself")
    return field.description
