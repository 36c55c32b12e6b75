"""Dataclasses to JSON values and back, for messages to and from child processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_PLAIN = (str, int, float)

Value = TypeVar("Value")


def to_plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return list(value)
    if isinstance(value, tuple | list):
        return [to_plain(one) for one in value]
    return value.value if isinstance(value, Enum) else value


def from_plain(kind: Any, said: Any) -> Any:
    """The value of the given type; the inverse of `to_plain`."""
    if isinstance(kind, type) and is_dataclass(kind):
        hints = types_of(kind)
        return kind(**{name: from_plain(hints[name], value) for name, value in said.items()})
    origin = get_origin(kind)
    if origin in (tuple, frozenset):
        inner = get_args(kind)[0]
        return origin(said if inner in _PLAIN else (from_plain(inner, one) for one in said))
    if origin is UnionType:
        return None if said is None else from_plain(get_args(kind)[0], said)
    return kind(said) if isinstance(kind, type) and issubclass(kind, Enum) else said


@cache
def types_of(of: Callable[..., Any]) -> dict[str, Any]:
    """The types of a class's fields or of a function's parameters."""
    return get_type_hints(of)
