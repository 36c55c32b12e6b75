"""Reads restrictions out of a question's wording: a kind, project, author, tag or time. Pure.

They say where to look, so no entry repeats them. They may be misread. Assumes English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

from commonplace.model.thought import ThoughtKind, plain_kind
from commonplace.recall.listing import FILLER, THOUGHTS, any_of, as_list
from commonplace.recall.values import RecallRequest

# Longer questions are not read for restrictions.
_LONGEST = 300
_WORD = re.compile(r"\w")
_SPACES_AND_COMMAS = " ,:;"

_PRONOUNS = """
a all an any anybody anyone each every everybody everyone he her his i it its my new no nobody one
other our people same she somebody someone that the their them there these they this those us we
what which who whole you your
"""
_NOT_NAMES = frozenset(_PRONOUNS.split())
_NAME = r"(?P<name>\w[\w.@-]*)"
_PLACE = r"(?:in|for|of|on|within|from|about|inside) (?:the |our |my )?"
_OWNED = "(?:project|repo|repository|workspace|codebase)"
_PROJECTS = (
    re.compile(rf"\b{_PLACE}{_OWNED} {_NAME}", re.IGNORECASE),
    re.compile(rf"\b{_PLACE}{_NAME} {_OWNED}\b", re.IGNORECASE),
    re.compile(
        rf"\A{_NAME}: (?=(?:how|what|when|where|which|who|why|do|does|is|are|can|should)\b)",
        re.IGNORECASE,
    ),
)
_NOUNS = {
    name: kind.value
    for kind in (ThoughtKind.DECISION, ThoughtKind.GOTCHA, ThoughtKind.PREFERENCE)
    for name in kind.spellings
}
_KINDS = {**THOUGHTS, **_NOUNS}
_KIND = rf"(?P<kind>{any_of(_KINDS).replace(' ', '[ _-]')})"
_DECIDED = "decided?|agreed?|settled?"
_NOTED = (
    f"{_DECIDED}|learn(?:ed|t)?|knows?|noted?|written|writ|write|wrote|record(?:ed)?|stored?|added?"
    "|remember(?:ed)?|say|said|find out|found out|found|find|prefer(?:red)?"
)
_CALLED = "(?:(?:the )?(?:agent|author|user) )?"
_KEPT = f"notes|entries|everything|anything|all|{any_of(_KINDS)}"
_AUTHORS = (
    re.compile(
        rf"\A(?P<before>(?:what|when|why) (?:did|do|does|has|had|have) ){_NAME}"
        rf"(?P<after> (?:ever |already )?(?:{_NOTED})\b.*)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\A(?P<before>.*\b(?:{_KEPT})\b.*?)"
        rf"(?: (?:written|made|kept|left|stored|added|remembered|taken))? by {_CALLED}{_NAME}"
        r"(?P<after>.*)",
        re.IGNORECASE,
    ),
    re.compile(rf"\A(?P<before>{FILLER}){_NAME}['’]s (?P<after>(?:{_KEPT})\b.*)", re.IGNORECASE),
    re.compile(
        rf"\A(?P<before>{FILLER}(?:{_KEPT})) (?:that |which )?{_NAME}"
        rf" (?:has |had )?(?:{_NOTED})\b(?P<after>.*)",
        re.IGNORECASE,
    ),
)
_TAGGED = re.compile(rf"\b(?:tagged(?: as| with)?|with (?:the |a )?tag) #?{_NAME}", re.IGNORECASE)
_UNITS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
_TIME = re.compile(
    r"\b(?:(?:in|over|within|during|from|since) )?"
    r"(?:(?P<the>the )?(?P<which>last|past|this|previous)"
    rf" (?:(?P<count>\d{{1,3}}) )?(?P<unit>{any_of(_UNITS)})s?"
    r"|(?P<day>today|yesterday))\b(?!['’]s)"
    r"|\b(?:since|on) (?:last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.IGNORECASE,
)
_ABOUT = "(?:about|around|concerning|for|in|of|on|regarding|that|to|with)"
_OF_NAME = re.compile(rf"\A(?P<rest>.+) (?P<link>about|for|from|in|of|on) {_NAME}\Z", re.IGNORECASE)
_OF_AUTHORS = ("from", "of")
_KIND_ABOUT = re.compile(rf"\A{FILLER}{_KIND} {FILLER}{_ABOUT} (?P<topic>.+)", re.IGNORECASE)
_DECIDED_ABOUT = re.compile(
    r"\A(?:(?:what|when|where|why) (?:did|do|have|had) (?:we|you|i|they|anybody|anyone)|who)"
    rf" (?:ever |already )?(?:{_DECIDED}) (?:{_ABOUT} )?(?P<topic>.+)",
    re.IGNORECASE,
)
_WAS_DECIDED = re.compile(
    rf"\A(?:when|where|why) (?:was|were) (?P<topic>.+) (?:{_DECIDED})(?: on)?\Z", re.IGNORECASE
)
_NOTED_ABOUT = re.compile(
    r"\A(?:(?:what|when) (?:did|do|have|had|does|has) (?:we|you|i|they|anybody|anyone)|who)"
    rf" (?:ever |already )?(?:{_NOTED})(?: down)?"
    r"(?: (?:the|a|an|our|that|this) (?:note|entry|item|gotcha|decision)s?)?"
    r" (?:about|concerning|for|of|on|regarding) (?P<topic>.+)",
    re.IGNORECASE,
)
_ANYTHING_ABOUT = re.compile(
    rf"\A{FILLER}(?:anything|everything|something|all|entries|notes|know|known|noted) {FILLER}"
    r"(?:about|concerning|on|regarding) (?P<topic>.+)",
    re.IGNORECASE,
)


def interpretations(request: RecallRequest) -> Iterator[RecallRequest]:
    """Narrower requests that the question may mean, likeliest first; none for most questions."""
    if len(request.question) > _LONGEST or as_list(request) is not None:
        return
    plain = replace(request, question=_trimmed(" ".join(request.question.split())))
    for restricted in _by_author(_tagged(_in_project(plain))):
        timed = _in_time(restricted)
        about, lists = _about(timed), list(_of_name(timed))
        if about is not None:
            yield from (*lists, about) if _names_place(timed) else (about, *lists)
        elif lists:
            yield from lists
        elif timed != plain and as_list(timed) is not None:
            yield timed
        elif restricted != plain:
            yield restricted


def _in_project(request: RecallRequest) -> RecallRequest:
    """The request without the words that name a project, restricted to that project."""
    for pattern in _PROJECTS:
        found = pattern.search(request.question)
        if found and (name := _name(found, request.project)):
            return replace(request, question=_without(request.question, found), project=name)
    return request


def _tagged(request: RecallRequest) -> RecallRequest:
    """The request without the words that name a tag, restricted to that tag."""
    found = _TAGGED.search(request.question)
    if found is None or not (name := _name(found)):
        return request
    tags = tuple(dict.fromkeys((*request.tags, name)))
    return replace(request, question=_without(request.question, found), tags=tags)


def _by_author(request: RecallRequest) -> list[RecallRequest]:
    """The request restricted to the author that its words name, who may be written in capitals."""
    for pattern in _AUTHORS:
        found = pattern.match(request.question)
        if found and (name := _name(found, request.author)):
            before = found["before"]
            if pattern is _AUTHORS[0]:
                before = f"{before}we".replace("does we", "do we").replace("has we", "have we")
            asked = replace(request, question=_trimmed(f"{before}{found['after']}"))
            names = (name,) if request.author else dict.fromkeys((name, name.lower()))
            return [replace(asked, author=one) for one in names]
    return [request]


def _in_time(request: RecallRequest) -> RecallRequest:
    """The request without the words that say when; they count unless the caller gives a time."""
    found = _TIME.search(request.question)
    if found is None:
        return request
    is_given = request.since is not None or request.until is not None
    since = request.since if is_given else _span(found)
    return replace(request, question=_without(request.question, found), since=since)


def _span(found: re.Match[str]) -> timedelta:
    """How far back the words reach at most: "last week" may begin two weeks ago."""
    if found["day"]:
        return timedelta(days=1 if found["day"].lower() == "today" else 2)
    if not found["unit"]:
        return timedelta(days=7)
    is_calendar = found["which"].lower() in ("last", "previous") and not found["the"]
    count = int(found["count"] or (2 if is_calendar else 1))
    return timedelta(days=count * _UNITS[found["unit"].lower()])


def _of_name(request: RecallRequest) -> Iterator[RecallRequest]:
    """The lists that "all decisions of billing" may ask for: of a project, or of an author."""
    found = _OF_NAME.match(request.question)
    if not found or not _name(found):
        return
    rest = replace(request, question=found["rest"])
    listed = as_list(replace(rest, project=_name(found)))
    if listed is None:
        return
    if project := _name(found, request.project):
        yield replace(rest, kinds=listed.kinds, project=project)
    if found["link"].lower() in _OF_AUTHORS and (author := _name(found, request.author)):
        yield replace(rest, kinds=listed.kinds, author=author)


def _names_place(request: RecallRequest) -> bool:
    """Whether a name at the end is rather a project than a topic: decisions of, not about."""
    found = _OF_NAME.match(request.question)
    return found is not None and found["link"].lower() not in ("about", "on")


def _about(request: RecallRequest) -> RecallRequest | None:
    """The request for a topic alone, in the kind that the question names, if it names one."""
    for pattern, kind_of in _TOPICS:
        found = pattern.match(request.question)
        if found and _WORD.search(found["topic"]):
            kinds = request.kinds or kind_of(found)
            return replace(request, question=_trimmed(found["topic"]), kinds=kinds)
    return None


def _kind(found: re.Match[str]) -> str:
    return _KINDS[plain_kind(found["kind"])]


_TOPICS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, ...]]], ...] = (
    (_KIND_ABOUT, lambda found: (_kind(found),)),
    (_DECIDED_ABOUT, lambda _: (ThoughtKind.DECISION.value,)),
    (_WAS_DECIDED, lambda _: (ThoughtKind.DECISION.value,)),
    (_NOTED_ABOUT, lambda _: ()),
    (_ANYTHING_ABOUT, lambda _: ()),
)


def _name(found: re.Match[str], given: str | None = None) -> str:
    """The name that was found, as the caller gives it; empty if it is none, or a different one."""
    name: str = found["name"].rstrip(".-")
    if given is not None:
        return given if name.casefold() == given.casefold() else ""
    return "" if name.lower() in _NOT_NAMES else name


def _without(question: str, found: re.Match[str]) -> str:
    """The question without the words that were found. If that was all, everything is asked for."""
    rest = _trimmed(f"{question[: found.start()].rstrip()} {question[found.end() :].lstrip()}")
    return rest if _WORD.search(rest) else "everything"


def _trimmed(text: str) -> str:
    return text.rstrip(f"{_SPACES_AND_COMMAS}.?!").lstrip(_SPACES_AND_COMMAS) or text
