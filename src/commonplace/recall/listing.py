"""Recognises questions that ask for a list, such as "open questions" or "all decisions". Pure.

Their words name kinds of entries, not what the entries say, so a search for these words would find
nothing. Assumes English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from commonplace.model.entry import Entry, EntryKind
from commonplace.model.thought import ThoughtKind, plain_kind
from commonplace.recall.narrowing import known_kind
from commonplace.recall.values import RecalledKind, RecallRequest

THOUGHTS: Mapping[str, str] = {
    name: kind.value for kind in ThoughtKind for name in kind.spellings if name.endswith("s")
}
_KINDS: Mapping[str, str] = {
    **THOUGHTS,
    **{f"{plain_kind(kind)}s": kind.value for kind in EntryKind},
    "decide": ThoughtKind.DECISION.value,
    "decided": ThoughtKind.DECISION.value,
    "undecided": ThoughtKind.QUESTION.value,
    "prefer": ThoughtKind.PREFERENCE.value,
    "user preferences": ThoughtKind.PREFERENCE.value,
    "user s preferences": ThoughtKind.PREFERENCE.value,
    "caveats": ThoughtKind.GOTCHA.value,
    "pitfalls": ThoughtKind.GOTCHA.value,
    "watch out": ThoughtKind.GOTCHA.value,
    "todos": ThoughtKind.QUESTION.value,
}
_NOT_ENTRIES = frozenset(kind.value for kind in RecalledKind) - set(EntryKind)
_ASKS_FOR_ALL = frozenset({"all", "every", "everything", "list", "overview"})
# Alone they may be the subject: the store, a record.
_SUBJECTS = "find get give keep make number open record store tell"
_MAY_BE_SUBJECTS = frozenset(_SUBJECTS.split())
# With one further filler at least, as in "what is new?" and "what do you know?".
_NEWS = """
changed happened kept know known latest learned new newest news noted recent recently recorded
remember remembered saved stored
"""
_ASKS_FOR_NEWS = frozenset(_NEWS.split())
_OTHERS = """
a about added already an any anybody anyone anything are be been can changed could count currently
did do does doing done ever far find for get give had happened has have here i in is it keep kept
know known last latest learn learned learnt made make many me my new newest news noted now number of
on open our please re recent recently record recorded remember remembered s saved saw
should show so somebody someone something still store stored summarise summarize summary taken tell
that the them there these they things this those to unanswered unresolved us ve was we were what
where which with write written wrote yet you your
"""
# How people ask for news: "where did we leave off?", "catch me up", "the last 3 notes".
_NEWS_ASKED = re.compile(
    r"\b(?:(?:leave|left) off|left to do|(?:bring|catch|get) (?:me|us) up(?: to (?:date|speed))?"
    r"|need to know|before (?:i|we|you) (?:begin|start)|work(?:ed|ing)? on|(?:last|latest) \d+)\b"
)
# What "what is not decided yet?" asks for.
_NOT_DECIDED = re.compile(
    r"\b(?:not|(?:has|have)n t)(?: (?:been|fully|we|yet))* (?:agreed|decided?|settled)\b"
)
_FILLERS = _ASKS_FOR_ALL | frozenset(_OTHERS.split())


def any_of(names: Iterable[str]) -> str:
    """A pattern of these words, longer ones first."""
    return "|".join(sorted(names, key=lambda name: (-len(name), name)))


_KIND = re.compile(rf"\b(?:{any_of(_KINDS)})\b")
FILLER = rf"(?:(?:{any_of(_FILLERS)}) )*"


def as_list(request: RecallRequest) -> RecallRequest | None:
    """The list that a request asks for, with its kinds; None if it asks for something else."""
    narrowing = (request.kinds, request.project, request.tags, request.author, request.since)
    kinds = listed_kinds(request.question, is_narrowed=any(narrowing))
    wanted = {known_kind(name) for name in request.kinds}
    if kinds is None or request.path or not wanted.isdisjoint(_NOT_ENTRIES):
        return None
    return replace(request, kinds=request.kinds or kinds)


def is_listed(entry: Entry, kinds: frozenset[str]) -> bool:
    """Whether a list of these kinds shows an entry that passes its filter."""
    of_kinds = not kinds or not kinds.isdisjoint({entry.kind.value, entry.content.category})
    return entry.searchable and of_kinds


def listed_kinds(question: str, *, is_narrowed: bool) -> tuple[str, ...] | None:
    """The kinds that a question asks to list, none for any; None if it has words to search for.

    If the request is narrowed to a kind, a project or the like, "what is there?" asks for a list.
    """
    text = " ".join(re.findall(r"\w+", plain_kind(question).replace("how many ", "")))
    text = _NOT_DECIDED.sub("undecided", text)
    rest = frozenset(_KIND.sub(" ", _NEWS_ASKED.sub("is new", text)).split())
    if rest - _FILLERS:
        return None
    kinds = tuple(dict.fromkeys(_KINDS[name] for name in _KIND.findall(text)))
    asks = kinds or rest & _ASKS_FOR_ALL or (not rest and "*" in question)
    news = len(rest) > 1 and rest & _ASKS_FOR_NEWS
    filtered = is_narrowed and (not rest or rest - _MAY_BE_SUBJECTS)
    return kinds if asks or news or filtered else None
