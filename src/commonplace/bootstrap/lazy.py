"""A thread-safe cached property."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, Self, TypeVar, overload

from typing_extensions import override

Value = TypeVar("Value")

# One lock for all properties: building a service builds the services that it needs.
_BUILDING = threading.RLock()


class lazy_property(cached_property[Value]):  # noqa: N801 - a decorator, as its base is
    """A cached property that is computed once, even if several threads read it at once."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Value: ...
    @override
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | Value:
        with _BUILDING:
            return super().__get__(instance, owner)
