"""Recognises questions that ask for a list, such as "open questions" or "all decisions". Pure.

Their words name kinds of entries, not what the entries say, so a search for these words would find
nothing. Assumes English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from commonplace.model.entry import Entry, EntryKind, Place
from commonplace.model.query import Filter, ProjectFilter
from commonplace.model.thought import ThoughtKind, plain_kind
from commonplace.recall.narrowing import known_kind
from commonplace.recall.values import RecalledKind, RecallRequest

_THOUGHTS: Mapping[str, str] = {
    name: kind.value for kind in ThoughtKind for name in kind.spellings if name.endswith("s")
}
_KINDS: Mapping[str, str] = {
    **_THOUGHTS,
    **{f"{plain_kind(kind)}s": kind.value for kind in EntryKind},
    "decide": ThoughtKind.DECISION.value,
    "decided": ThoughtKind.DECISION.value,
    "undecided": ThoughtKind.QUESTION.value,
    "prefer": ThoughtKind.PREFERENCE.value,
}
_NOT_ENTRIES = frozenset(kind.value for kind in RecalledKind) - set(EntryKind)
_ASKS_FOR_ALL = frozenset({"all", "every", "everything", "list"})
_OTHERS = """
a an any anything are be been can could currently did do does far find for get give has have here i
in is it keep kept known latest made make me my new newest now of on open our please recent recently
remembered saved show so still stored taken tell that the them there these they this those to
unanswered unresolved us was we were what which with you your
"""
_FILLERS = _ASKS_FOR_ALL | frozenset(_OTHERS.split())


def _any_of(names: Mapping[str, str] | frozenset[str]) -> str:
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


_KIND = re.compile(rf"\b(?:{_any_of(_KINDS)})\b")
_FILLER = rf"(?:(?:{_any_of(_FILLERS)}) )*"
_KIND_ABOUT = re.compile(
    rf"{_FILLER}(?P<kind>{_any_of(_THOUGHTS).replace(' ', '[ _-]')}) {_FILLER}"
    r"(?:about|concerning|regarding) (?P<topic>.+)",
    re.IGNORECASE,
)


def as_list(request: RecallRequest) -> RecallRequest | None:
    """The list that a request asks for, with its kinds; None if it asks for something else."""
    narrowing = (request.kinds, request.project, request.tags, request.author, request.since)
    kinds = listed_kinds(request.question, is_narrowed=any(narrowing))
    wanted = {known_kind(name) for name in request.kinds}
    if kinds is None or request.path or not wanted.isdisjoint(_NOT_ENTRIES):
        return None
    return replace(request, kinds=request.kinds or kinds)


def is_listed(entry: Entry, kinds: frozenset[str], wanted: Filter) -> bool:
    """Whether an entry has one of the kinds, and passes what lists of entries do not filter by."""
    content = entry.content
    if not entry.searchable or (kinds and kinds.isdisjoint({entry.kind.value, content.category})):
        return False
    if wanted.since and entry.updated_at < wanted.since:
        return False
    if wanted.until and entry.updated_at >= wanted.until:
        return False
    return wanted.within is None or _is_within(content.place, wanted.within)


def _is_within(place: Place, project: ProjectFilter) -> bool:
    names = {name.casefold() for name in project.names}
    filed = {name.casefold() for name in (place.project, place.workspace) if name}
    return not names.isdisjoint(filed) or place.resource in project.resources


def listed_kinds(question: str, *, is_narrowed: bool) -> tuple[str, ...] | None:
    """The kinds that a question asks to list, none for any; None if it has words to search for.

    If the request is narrowed to a kind, a project or the like, "what is there?" asks for a list.
    """
    text = " ".join(re.findall(r"\w+", plain_kind(question)))
    rest = frozenset(_KIND.sub(" ", text).split())
    if rest - _FILLERS:
        return None
    kinds = tuple(dict.fromkeys(_KINDS[name] for name in _KIND.findall(text)))
    asks = kinds or rest & _ASKS_FOR_ALL or "*" in question
    return kinds if asks or is_narrowed else None


def kind_and_topic(question: str) -> tuple[str, str] | None:
    """The kind and the topic that "all decisions about the database" names."""
    found = _KIND_ABOUT.match(" ".join(question.split()))
    return (_THOUGHTS[plain_kind(found["kind"])], found["topic"]) if found else None
