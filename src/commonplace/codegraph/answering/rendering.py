"""Renders trace results as short lines: one per place, with the source line of the name. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonplace.codegraph.answering.trace import (
    DEFAULT_DEPTHS,
    Relation,
    TracedPlace,
    TraceRequest,
    TraceResult,
    UseCount,
)
from commonplace.model.commits import Commit
from commonplace.text.plural import plural

# In characters: enough for twenty places with their excerpts.
MAX_CHARACTERS = 2_500
_RESERVE = 60
_MIN_EXCERPT, _MAX_EXCERPT = 16, 100
_TIGHT = 40  # less room than this for an excerpt shortens paths
_MAX_DEFINITIONS = 5
_MAX_PROBLEMS = 3
_MODULE = "module"
_MAX_DOCUMENTS = 5
_DOTS = "…"
FILES_SHOWN = 6
_SHORT_ID = 10

NameOf = Callable[[TracedPlace], str]


def render_trace(
    traced: TraceResult, request: TraceRequest, name_of: NameOf, docs: Sequence[TracedPlace] = ()
) -> list[str]:
    """The lines of an answer; `name_of` gives the name of a place's file in references."""
    head = _definitions(traced, request, name_of)
    if request.relation is Relation.DEFINITION:
        return [*head, *_namesakes(traced, name_of), *_problems(traced)]
    if traced.outside:
        head.append(f"{traced.outside} is not defined in this code; it is used here by its name")
    head.append(_title(traced, request))
    if request.relation is Relation.HISTORY:
        return [*head, *_commits(traced.commits), *_further_commits(traced, request)]
    tail = [*_namesakes(traced, name_of), *_documents(docs, name_of), *_problems(traced)]
    heads, unsure, room = _heads(traced, request, name_of, (*head, *tail))
    if room < _TIGHT:
        heads, unsure, room = _heads(traced, request, _shortened(name_of), (*head, *tail))
    linked = [_with_text(*pair, request, room) for pair in zip(heads, traced.places, strict=True)]
    gaps = [
        _with_text(*pair, request, room) for pair in zip(unsure, traced.unresolved, strict=True)
    ]
    return [
        *head,
        *linked,
        *_unlinked_title(traced, request),
        *gaps,
        *_more(traced, request),
        *tail,
    ]


def _heads(
    traced: TraceResult, request: TraceRequest, name_of: NameOf, around: Sequence[str]
) -> tuple[list[str], list[str], int]:
    """The places of an answer without their source lines, and the room that is left for each."""
    linked = [_place(place, request, name_of) for place in traced.places]
    unsure = [f"? {_place(place, request, name_of)}" for place in traced.unresolved]
    fixed = sum(len(line) + 1 for line in (*around, *linked, *unsure))
    return linked, unsure, _excerpt_room(fixed, len(linked) + len(unsure))


def _shortened(name_of: NameOf) -> NameOf:
    """Names of files without their folders if the last one of that name was the same: long paths
    would leave no room for source lines."""
    latest: dict[str, str] = {}

    def named(place: TracedPlace) -> str:
        name = name_of(place)
        last = name.rpartition("/")[2]
        if latest.get(last) == name:
            return f"{_DOTS}/{last}"
        latest[last] = name
        return name

    return named


def _commits(commits: Sequence[Commit]) -> list[str]:
    """The commits of an answer, with as many of their files as there is room for."""
    lines: list[str] = []
    for shown in (FILES_SHOWN, FILES_SHOWN // 2, 1):
        lines = [_commit(each, shown) for each in commits]
        if sum(len(line) + 1 for line in lines) <= MAX_CHARACTERS - _RESERVE:
            break
    return lines


def _commit(commit: Commit, shown: int) -> str:
    day = f" {commit.at:%Y-%m-%d}" if commit.at and commit.id else ""
    lines = f", {plural(commit.lines, 'line')}" if commit.lines else ""
    files = ", ".join(commit.files[:shown])
    more = f" and {len(commit.files) - shown} more" if len(commit.files) > shown else ""
    touched = f" | {files}{more}" if files else ""
    who = f" {commit.author}:" if commit.author else ""
    named = commit.id[:_SHORT_ID] or "(now)"
    return f"{named}{day}{who} {commit.subject}{lines}{touched}"


def _further_commits(traced: TraceResult, request: TraceRequest) -> list[str]:
    end = request.offset + len(traced.commits)
    return [f"{_DOTS} more; offset={end} goes on"] if traced.total > end else []


def _excerpt_room(fixed: int, count: int) -> int:
    room = (MAX_CHARACTERS - _RESERVE - fixed) // max(1, count) - 3
    return max(_MIN_EXCERPT, min(_MAX_EXCERPT, room))


def _with_text(head: str, place: TracedPlace, request: TraceRequest, room: int) -> str:
    if "\n" in place.text:
        return "\n".join([head, *(f"  {line}" for line in place.text.split("\n"))])
    if not place.text or request.relation is Relation.CYCLES:
        return head
    return f"{head} | {_clipped(place.text, _last_name(request.symbol), room)}"


def _clipped(text: str, name: str, room: int) -> str:
    """Shorten a line to the room there is, so that the name stays visible."""
    line = " ".join(text.split())
    if len(line) <= room:
        return line
    at = max(0, line.find(name))
    first = max(0, min(at - room // 4, len(line) - room))
    cut = line[first : first + room - 1]
    return f"{_DOTS if first else ''}{cut}{_DOTS}"


def _last_name(symbol: str) -> str:
    return symbol.removesuffix("()").replace("#", ".").replace("::", ".").rsplit(".", 1)[-1]


def _definitions(traced: TraceResult, request: TraceRequest, name_of: NameOf) -> list[str]:
    every = request.relation is Relation.DEFINITION
    most = request.limit if every else _MAX_DEFINITIONS
    alike: dict[tuple[object, ...], list[UseCount]] = {}
    for number, one in enumerate(traced.definitions):
        place = one.place
        key = number if every else (place.resource, place.path, place.symbol, place.kind)
        alike.setdefault((key,), []).append(one)
    lines = []
    for overloads in list(alike.values())[:most]:
        lines.append(_definition(overloads, request, name_of))
        text = overloads[0].place.text
        lines += [f"  {line}" for line in text.split("\n") if every and line]
    if (more := len(alike) - most) > 0:
        lines.append(f"{_DOTS} and {more} more definitions of that name; Class.name is one of them")
    return lines


def _definition(overloads: Sequence[UseCount], request: TraceRequest, name_of: NameOf) -> str:
    """A symbol with its lines: those of its overloads, too, which share a reference."""
    first = overloads[0]
    if request.relation is not Relation.DEFINITION and first.place.kind == _MODULE:
        return f"file:{name_of(first.place)}"
    *before, last = dict.fromkeys(str(one.place.line) for one in overloads)
    at = f"lines {', '.join(before)} and {last}" if before else f"line {last}"
    count = sum(one.uses for one in overloads)
    uses = f", {plural(count, 'use')}" if count else ""
    why = f" ({first.why})" if first.why else ""
    return f"{symbol_reference(first.place, name_of)} {first.place.kind}, {at}{uses}{why}"


def symbol_reference(place: TracedPlace, name_of: NameOf) -> str:
    return f"symbol:{name_of(place)}#{place.symbol}"


def _title(traced: TraceResult, request: TraceRequest) -> str:
    what = request.relation.value.replace("_", " ")
    word = {Relation.PATH: "to", Relation.HISTORY: "since"}.get(request.relation, "")
    of = f" {word} {request.to}" if word and request.to else ""
    least = "" if traced.complete else "at least "
    many = traced.files > 1 and request.relation is not Relation.CYCLES
    files = f" in {traced.files} files" if many else ""
    count = f"{least}{traced.total}{files}" if traced.total else "none"
    facts = [f"{what}{of}: {count}", traced.summary]
    if traced.unresolved_count:
        facts.append(f"not linked: {traced.unresolved_count}")
    return "; ".join(fact for fact in facts if fact)


def _place(place: TracedPlace, request: TraceRequest, name_of: NameOf) -> str:
    if request.relation is Relation.CYCLES:
        return place.note
    uncertain = 0 < place.confidence < 1
    confidence = f" {place.confidence:.2f}" if uncertain else ""
    use = f" ({place.use}{confidence})" if place.use else ""
    kind = f" {place.kind}" if request.relation is Relation.OUTLINE else ""
    named = f" {place.symbol}" if place.symbol else ""
    far = (
        f" depth {place.depth}" if request.relation in DEFAULT_DEPTHS and request.steps > 1 else ""
    )
    note = f", {place.note}" if place.note else ""
    return f"{name_of(place)}:{place.line}{named}{kind}{use}{far}{note}"


def _unlinked_title(traced: TraceResult, request: TraceRequest) -> list[str]:
    if not traced.unresolved:
        return []
    one = traced.unresolved_count == 1
    noun, rest = {
        Relation.CALLEES: ("call", "whose target is not known"),
        Relation.SUPERCLASSES: ("base", f"that {'is' if one else 'are'} not in this code"),
    }.get(
        request.relation,
        (
            "use",
            f"of the name whose target is not known: {'it' if one else 'they'} may be meant",
        ),
    )
    return [f"not linked: {plural(traced.unresolved_count, noun)} {rest}"]


def _more(traced: TraceResult, request: TraceRequest) -> list[str]:
    lines = []
    end = request.offset + len(traced.places) + len(traced.unresolved)
    if left := traced.total + traced.unresolved_count - end:
        lines.append(f"{_DOTS} {left} more; offset={end} goes on" if left > 0 else "")
    if not traced.complete:
        lines.append(f"{_DOTS} and further ones that were not followed")
    return [line for line in lines if line]


def _namesakes(traced: TraceResult, name_of: NameOf) -> list[str]:
    """Other symbols of the same name, each with the reference to ask about it."""
    if not traced.namesake_count:
        return []
    lines = [f"namesakes, not counted above: {traced.namesake_count}"]
    for one in traced.namesakes:
        why = f", {one.why}" if one.why else ""
        lines.append(f"= {symbol_reference(one.place, name_of)} {plural(one.uses, 'use')}{why}")
    if (more := traced.namesake_count - len(traced.namesakes)) > 0:
        lines.append(f"= {_DOTS} and {more} more")
    return lines


def _documents(docs: Sequence[TracedPlace], name_of: NameOf) -> list[str]:
    if not docs:
        return []
    named = ", ".join(f"{name_of(one)}:{one.line}" for one in docs[:_MAX_DOCUMENTS])
    more = f" {_DOTS}" if len(docs) > _MAX_DOCUMENTS else ""
    return [f"documents that name it: {len(docs)}: {named}{more}"]


def _problems(traced: TraceResult) -> list[str]:
    """Files that were read only in part: answers about them may be incomplete."""
    lines = [f"! {problem}" for problem in traced.problems[:_MAX_PROBLEMS]]
    if traced.partly_read:
        others = plural(traced.partly_read, "other file")
        are = "is" if traced.partly_read == 1 else "are"
        lines.append(f"! {others} of this code {are} not read whole")
    return lines
