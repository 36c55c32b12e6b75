"""The values that resolution speaks in: a definition, a type, and a resolved reference."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

MODULE_ITSELF = -1
# Instead of each of many files that were asked for a name together.
ANYWHERE = "*"


class DefinitionKey(NamedTuple):
    """A definition of a file by its number; MODULE_ITSELF is the file as a module."""

    path: str
    number: int


class Form(StrEnum):
    INSTANCE = "instance"  # of the class, interface or enum that is definition `number`
    ITSELF = "itself"  # the definition as a value: a class, a function, a namespace
    SCOPE = "scope"  # the function or object whose scope is `number`
    MODULE = "module"
    PACKAGE = "package"  # of the name `path`
    OUTSIDE = "outside"  # a type of the language itself, by name


class Type(NamedTuple):
    """`given` binds type parameters to what they stand for here."""

    form: Form
    path: str
    number: int = 0
    given: tuple[tuple[DefinitionKey, tuple[Type, ...]], ...] = ()


Types = tuple[Type, ...]
Given = tuple[tuple[DefinitionKey, Types], ...]


class Resolution(StrEnum):
    """How a link is known."""

    SCOPE = "scope"  # the name is declared around its use
    IMPORT = "import"  # ... or imported there
    MEMBER = "member"  # a member of the receiver's type
    INHERITED = "inherited"  # ... or of a type that it extends
    NAME = "name"  # nothing but the same name, and no other has it
    COMPILER = "compiler"  # an index that a compiler made says so


CONFIDENCE = {
    Resolution.SCOPE: 1.0,
    Resolution.IMPORT: 0.99,
    Resolution.MEMBER: 0.95,
    Resolution.INHERITED: 0.95,
    Resolution.NAME: 0.4,
    Resolution.COMPILER: 1.0,
}

# Where an expression may be one of several things, and the name leads elsewhere for each.
AMBIGUOUS = 0.6


class Member(NamedTuple):
    """A member that was found: what it is, what its type parameters mean here, and how."""

    target: DefinitionKey
    given: Given = ()
    resolution: Resolution = Resolution.MEMBER


@dataclass(frozen=True, slots=True)
class Link:
    """Reference number `reference` of a file leads to `targets`, the likeliest first."""

    reference: int
    targets: tuple[DefinitionKey, ...]
    resolution: Resolution
    confidence: float
