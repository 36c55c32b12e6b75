"""Generates the errors page: the tree of commonplace.errors with codes and meanings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from commonplace.errors import CommonplaceError
from tools.docs.markdown import code, document, table

INTRODUCTION = """\
Every error that Commonplace raises on purpose has a stable code; its message may be reworded. The
parent of a code is the more general error. Each surface converts errors to the format of its
dialect."""


def page() -> str:
    rows = [
        (code(error.code), error.__name__, _parent(error), _meaning(error))
        for error in tree(CommonplaceError)
    ]
    return document("Errors", INTRODUCTION, table(("code", "class", "kind of", "meaning"), rows))


def tree(error: type[CommonplaceError]) -> Iterator[type[CommonplaceError]]:
    """The class and its subclasses, in the order of the source."""
    yield error
    for child in error.__subclasses__():
        if child.__module__.startswith("commonplace.errors."):
            yield from tree(child)


def _parent(error: type[CommonplaceError]) -> str:
    parent = error.__base__
    if parent is None or not issubclass(parent, CommonplaceError):
        return ""
    return code(parent.code)


def _meaning(error: type[CommonplaceError]) -> str:
    if "code" not in error.__dict__ or not error.__doc__:
        raise ValueError(f"{error.__name__} needs a code and a docstring of its own")
    return inspect.cleandoc(error.__doc__).split("\n\n")[0]
