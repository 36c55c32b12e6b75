"""How what is put together is made: when it is first asked for, and once."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any, Self, TypeVar, overload

from typing_extensions import override

Made = TypeVar("Made")

_MAKING = threading.RLock()


class made_once(cached_property[Made]):  # noqa: N801 - written above a method, as its base is
    """A cached property whose value two threads never make twice."""

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Made: ...
    @override
    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | Made:
        with _MAKING:
            return super().__get__(instance, owner)
