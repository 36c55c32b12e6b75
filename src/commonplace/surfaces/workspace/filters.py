"""The filter arguments of `search` and `code_map`, and their conversion to a `Narrowing`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Literal, TypeVar

from pydantic import Field, WithJsonSchema

from commonplace.model.workspace import KnowledgeType, ResourceKind
from commonplace.surfaces.arguments import NOT_BLANK
from commonplace.surfaces.workspace.action import ReadArguments
from commonplace.workspace.search.sources import Narrowing

LONGEST_QUERY = 10_000
LONGEST_VALUE = 1_000
MOST_VALUES = 100

# History is not attached, so it cannot be filtered by.
_ATTACHED = tuple(kind for kind in KnowledgeType if kind is not KnowledgeType.HISTORY)
# Synonyms and names from older indexes are accepted but not listed.
KnowledgeTypeName = Annotated[
    Literal[
        "docs",
        "code_intelligence",
        "agent_knowledge",
        "valdr_record",
        "valdr_record_materialized",
        "attachment",
        "url",
    ],
    WithJsonSchema({"type": "string", "enum": [kind.value for kind in _ATTACHED]}),
]
ResourceKindName = Annotated[
    Literal["folder", "note", "record", "file", "url"],
    WithJsonSchema({"type": "string", "enum": ["folder", "note", "record"]}),
]
Profile = Literal["compact", "debug", "full"]

_TYPES = {kind.value: (kind,) for kind in _ATTACHED} | {
    "valdr_record_materialized": (KnowledgeType.RECORD,)
}
_KINDS = {
    "folder": (ResourceKind.FOLDER, ResourceKind.PUSHED),
    "note": (ResourceKind.NOTEBOOK,),
    "record": (ResourceKind.RECORD,),
}
# Other names of languages -> names in the index.
_LANGUAGES = {
    "typescript": ("ts", "tsx"),
    "javascript": ("js",),
    "jsx": ("js",),
    "py": ("python",),
    "golang": ("go",),
    "rs": ("rust",),
    "c++": ("cpp",),
    "c#": ("csharp",),
    "cs": ("csharp",),
    "rb": ("ruby",),
    "kt": ("kotlin",),
    "bash": ("shell",),
    "sh": ("shell",),
}


Query = Annotated[str, Field(max_length=LONGEST_QUERY), NOT_BLANK]
Values = Annotated[
    list[Annotated[str, Field(max_length=LONGEST_VALUE)]], Field(max_length=MOST_VALUES)
]


class FilterArguments(ReadArguments):
    query: Query
    knowledge_types: list[KnowledgeTypeName] | None = None
    resource_kinds: list[ResourceKindName] | None = None
    languages: Values | None = Field(None, description="such as ts, java, python")
    symbol_kinds: Values | None = Field(None, description="such as class, function, method")
    path_prefixes: Values | None = Field(
        None, description="file:// URLs, absolute or project-relative paths"
    )

    def narrowing(self) -> Narrowing:
        languages = [name for given in self.languages or () for name in _languages(given)]
        return Narrowing(
            knowledge_types=_resolved(self.knowledge_types, lambda name: _TYPES.get(name, ())),
            resource_kinds=_resolved(self.resource_kinds, lambda name: _KINDS.get(name, ())),
            languages=tuple(dict.fromkeys(languages)),
            symbol_kinds=tuple(kind.lower() for kind in self.symbol_kinds or ()),
            path_prefixes=tuple(self.path_prefixes or ()),
        )


T = TypeVar("T")


def _resolved(
    names: Iterable[str] | None, meaning: Callable[[str], Iterable[T]]
) -> frozenset[T] | None:
    """The values that names stand for; None, meaning any, for an empty list."""
    return frozenset(one for name in names for one in meaning(name)) if names else None


def _languages(name: str) -> tuple[str, ...]:
    return _LANGUAGES.get(name.lower(), (name.lower(),))
