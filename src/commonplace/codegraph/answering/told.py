"""Answers about symbols in short lines: one for a place, with the line that has the name; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonplace.codegraph.answering.traced import (
    FOLLOWED,
    OF_FILES,
    Relation,
    Traced,
    TracedPlace,
    TraceRequest,
    UseCount,
)
from commonplace.model.commits import Commit

# Twenty places and what is said of them fit into this.
ROOM = 2_500
_SPARE = 60
_LEAST_EXCERPT, _LONGEST_EXCERPT = 16, 100
_DEFINITIONS_TOLD = 5
_PROBLEMS_TOLD = 3
_DOCS_TOLD = 5
_DOTS = "…"
FILES_TOLD = 6
_SHORT_ID = 10

NameOf = Callable[[TracedPlace], str]


def told(
    traced: Traced, asked: TraceRequest, name_of: NameOf, docs: Sequence[TracedPlace] = ()
) -> list[str]:
    """`name_of` gives the file of a place as others are to write it."""
    head = _definitions(traced, asked, name_of)
    if asked.relation is Relation.DEFINITION:
        return [*head, *_doubts(traced)]
    head.append(_title(traced, asked))
    if asked.relation is Relation.HISTORY:
        return [*head, *map(_commit, traced.commits), *_further_commits(traced, asked)]
    tail = [*_namesakes(traced, name_of), *_documents(docs, name_of), *_doubts(traced)]
    heads = [_place(place, asked, name_of) for place in traced.places]
    unsure = [f"? {_place(place, asked, name_of)}" for place in traced.unresolved]
    fixed = sum(len(line) + 1 for line in (*head, *tail, *heads, *unsure))
    room = _excerpt_room(fixed, len(heads) + len(unsure))
    linked = [_with_text(*pair, asked, room) for pair in zip(heads, traced.places, strict=True)]
    gaps = [_with_text(*pair, asked, room) for pair in zip(unsure, traced.unresolved, strict=True)]
    return [*head, *linked, *_unlinked_title(traced, asked), *gaps, *_rest(traced, asked), *tail]


def _commit(commit: Commit) -> str:
    day = f" {commit.at:%Y-%m-%d}" if commit.at and commit.id else ""
    lines = f", {commit.lines} lines" if commit.lines else ""
    files = ", ".join(commit.files[:FILES_TOLD])
    more = f" and {len(commit.files) - FILES_TOLD} more" if len(commit.files) > FILES_TOLD else ""
    touched = f" | {files}{more}" if files else ""
    who = f" {commit.author}:" if commit.author else ""
    named = commit.id[:_SHORT_ID] or "(now)"
    return f"{named}{day}{who} {commit.subject}{lines}{touched}"


def _further_commits(traced: Traced, asked: TraceRequest) -> list[str]:
    end = asked.offset + len(traced.commits)
    return [f"{_DOTS} more; offset={end} goes on"] if traced.total > end else []


def _excerpt_room(fixed: int, count: int) -> int:
    room = (ROOM - _SPARE - fixed) // max(1, count) - 3
    return max(_LEAST_EXCERPT, min(_LONGEST_EXCERPT, room))


def _with_text(head: str, place: TracedPlace, asked: TraceRequest, room: int) -> str:
    if "\n" in place.text:
        return "\n".join([head, *(f"  {line}" for line in place.text.split("\n"))])
    if not place.text or asked.relation is Relation.CYCLES:
        return head
    return f"{head} | {_clipped(place.text, _last(asked.symbol), room)}"


def _clipped(text: str, name: str, room: int) -> str:
    """Cuts a line to the room there is, with the name in it."""
    line = " ".join(text.split())
    if len(line) <= room:
        return line
    at = max(0, line.find(name))
    first = max(0, min(at - room // 4, len(line) - room))
    cut = line[first : first + room - 1]
    return f"{_DOTS if first else ''}{cut}{_DOTS}"


def _last(symbol: str) -> str:
    return symbol.removesuffix("()").replace("#", ".").replace("::", ".").rsplit(".", 1)[-1]


def _definitions(traced: Traced, asked: TraceRequest, name_of: NameOf) -> list[str]:
    every = asked.relation is Relation.DEFINITION
    most = asked.limit if every else _DEFINITIONS_TOLD
    lines = []
    for one in traced.meant[:most]:
        lines.append(_definition(one, asked, name_of))
        lines += [f"  {line}" for line in one.place.text.split("\n") if every and line]
    if (more := len(traced.meant) - most) > 0:
        lines.append(f"{_DOTS} and {more} more definitions of that name; Class.name is one of them")
    return lines


def _definition(one: UseCount, asked: TraceRequest, name_of: NameOf) -> str:
    place = one.place
    if asked.relation in OF_FILES:
        return f"file:{name_of(place)}"
    uses = f", {one.uses} uses" if one.uses else ""
    why = f" ({one.why})" if one.why else ""
    return f"{symbol_reference(place, name_of)} {place.kind}, line {place.line}{uses}{why}"


def symbol_reference(place: TracedPlace, name_of: NameOf) -> str:
    return f"symbol:{name_of(place)}#{place.symbol}"


def _title(traced: Traced, asked: TraceRequest) -> str:
    what = asked.relation.value.replace("_", " ")
    word = {Relation.PATH: "to", Relation.HISTORY: "since"}.get(asked.relation, "")
    of = f" {word} {asked.to}" if word and asked.to else ""
    least = "" if traced.complete else "at least "
    files = f" in {traced.files} files" if traced.files > 1 else ""
    count = f"{least}{traced.total}{files}" if traced.total else "none"
    facts = [f"{what}{of}: {count}", traced.summary]
    if traced.unresolved_count:
        facts.append(f"not linked: {traced.unresolved_count}")
    return "; ".join(fact for fact in facts if fact)


def _place(place: TracedPlace, asked: TraceRequest, name_of: NameOf) -> str:
    if asked.relation is Relation.CYCLES:
        return place.note
    sure = "" if place.confidence >= 1 or not place.confidence else f" {place.confidence:.2f}"
    use = f" ({place.use}{sure})" if place.use else ""
    kind = f" {place.kind}" if asked.relation is Relation.OUTLINE else ""
    named = f" {place.symbol}" if place.symbol else ""
    far = f" depth {place.depth}" if asked.relation in FOLLOWED and asked.steps > 1 else ""
    note = f", {place.note}" if place.note else ""
    return f"{name_of(place)}:{place.line}{named}{kind}{use}{far}{note}"


def _unlinked_title(traced: Traced, asked: TraceRequest) -> list[str]:
    if not traced.unresolved:
        return []
    what = {
        Relation.CALLEES: "calls whose target is not known",
        Relation.SUPERCLASSES: "bases that are not in this code",
    }.get(asked.relation, "uses of the name whose target is not known: they may be meant")
    return [f"not linked: {traced.unresolved_count} {what}"]


def _rest(traced: Traced, asked: TraceRequest) -> list[str]:
    lines = []
    end = asked.offset + len(traced.places) + len(traced.unresolved)
    if left := traced.total + traced.unresolved_count - end:
        lines.append(f"{_DOTS} {left} more; offset={end} goes on" if left > 0 else "")
    if not traced.complete:
        lines.append(f"{_DOTS} and further ones that were not followed")
    return [line for line in lines if line]


def _namesakes(traced: Traced, name_of: NameOf) -> list[str]:
    """What bears the same name and was not counted, each with what asks about it."""
    if not traced.namesake_count:
        return []
    lines = [f"namesakes, not counted above: {traced.namesake_count}"]
    for one in traced.namesakes:
        why = f", {one.why}" if one.why else ""
        lines.append(f"= {symbol_reference(one.place, name_of)} {one.uses} uses{why}")
    if (more := traced.namesake_count - len(traced.namesakes)) > 0:
        lines.append(f"= {_DOTS} and {more} more")
    return lines


def _documents(docs: Sequence[TracedPlace], name_of: NameOf) -> list[str]:
    if not docs:
        return []
    named = ", ".join(f"{name_of(one)}:{one.line}" for one in docs[:_DOCS_TOLD])
    more = f" {_DOTS}" if len(docs) > _DOCS_TOLD else ""
    return [f"documents that name it: {len(docs)}: {named}{more}"]


def _doubts(traced: Traced) -> list[str]:
    """Files that were not read whole: what is said of them may lack something."""
    lines = [f"! {problem}" for problem in traced.problems[:_PROBLEMS_TOLD]]
    if traced.partly_read:
        lines.append(f"! {traced.partly_read} other files of this code are not read whole")
    return lines
