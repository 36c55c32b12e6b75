"""The sections of the console, and the scope that each needs."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.model.actor import Actor, Scope


@dataclass(frozen=True, slots=True)
class Section:
    """A section. `name` is the folder of its templates; `g` and then `key` open it."""

    name: str
    title: str
    path: str
    key: str
    scope: Scope = Scope.READ


_ALL = (
    Section("search", "Search", "/", "s"),
    Section("knowledge", "Knowledge", "/knowledge", "k"),
    Section("review", "Review", "/review", "r"),
    Section("sources", "Sources", "/sources", "o"),
    Section("code", "Code", "/code", "c"),
    Section("skills", "Skills", "/skills", "l"),
    Section("activity", "Activity", "/activity", "a"),
    Section("admin", "Tokens", "/admin", "t", Scope.ADMIN),
)
SECTIONS = frozenset(section.name for section in _ALL)


def sections_for(actor: Actor) -> list[Section]:
    return [section for section in _ALL if section.scope in actor.scopes]
