"""The values of resolution: definitions, types, and links from references to definitions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

MODULE_ITSELF = -1
# Stands for each of many files in which a name was looked up at once.
ANYWHERE = "*"


class DefinitionKey(NamedTuple):
    """A definition by its file and number; MODULE_ITSELF is the file as a module."""

    path: str
    number: int


class Form(StrEnum):
    """The kind of thing that a type describes."""

    INSTANCE = "instance"  # of the class, interface or enum that is definition `number`
    ITSELF = "itself"  # the definition as a value: a class, a function, a namespace
    SCOPE = "scope"  # the function or object whose scope is `number`
    MODULE = "module"
    PACKAGE = "package"  # the package named `path`
    OUTSIDE = "outside"  # a type of the language or its library, by name


class Type(NamedTuple):
    """A type. `bindings` are those of its type parameters."""

    form: Form
    path: str
    number: int = 0
    bindings: tuple[tuple[DefinitionKey, tuple[Type, ...]], ...] = ()


Types = tuple[Type, ...]
Bindings = tuple[tuple[DefinitionKey, Types], ...]


class Resolution(StrEnum):
    """The evidence for a link."""

    SCOPE = "scope"  # the name is declared around its use
    IMPORT = "import"  # ... or imported there
    MEMBER = "member"  # a member of the receiver's type
    INHERITED = "inherited"  # ... or of a type that it extends
    NAME = "name"  # only the same name, which no other file defines
    COMPILER = "compiler"  # from an index that a compiler made


CONFIDENCE = {
    Resolution.SCOPE: 1.0,
    Resolution.IMPORT: 0.99,
    Resolution.MEMBER: 0.95,
    Resolution.INHERITED: 0.95,
    Resolution.NAME: 0.4,
    Resolution.COMPILER: 1.0,
}

# The factor for a reference whose receiver may have several types, with different targets.
AMBIGUOUS = 0.6


class Member(NamedTuple):
    """A member that was found, the bindings of its type parameters, and the evidence."""

    target: DefinitionKey
    bindings: Bindings = ()
    resolution: Resolution = Resolution.MEMBER


@dataclass(frozen=True, slots=True)
class Link:
    """A link from reference number `reference` of a file to `targets`, the likeliest first."""

    reference: int
    targets: tuple[DefinitionKey, ...]
    resolution: Resolution
    confidence: float
