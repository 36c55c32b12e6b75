"""Filters of lists and searches, parsed from the query string, and suggested values for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from commonplace.application import Application
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryKind, Place, plain_tag
from commonplace.model.query import ANYTHING, Filter
from commonplace.model.source import DOCUMENT_KIND

FILTERS = ("kind", "project", "tag", "agent", "state")
SEARCH_FILTERS = (*FILTERS, "since", "until")
ENTRY_KINDS = tuple(kind.value for kind in EntryKind)
KINDS = (*ENTRY_KINDS, DOCUMENT_KIND)
# Suggestions come from this many of the newest entries.
_SAMPLED = 200
_MOST_HINTS = 60


@dataclass(frozen=True, slots=True)
class Suggestions:
    tags: list[str]
    agents: list[str]
    projects: list[str]


def filter_from(query: Mapping[str, str]) -> Filter:
    """The filter in a query string; by default, all current entries."""
    kind = query.get("kind", "").strip()
    if kind and kind not in KINDS:
        raise InvalidArgument(f"kind is one of {', '.join(KINDS)}.", field="kind")
    tags = tuple(map(plain_tag, tags_in(query.get("tag", ""))))
    everything = query.get("state", "") == "all"
    return Filter(
        kinds=(kind,) if kind else (),
        tags=tags,
        place=Place(project=query.get("project", "").strip() or None),
        agent=query.get("agent", "").strip() or None,
        include_superseded=everything,
        include_expired=everything,
    )


def tags_in(given: str) -> tuple[str, ...]:
    """The tags in a field, separated by commas: one may contain spaces."""
    return tuple(filter(None, (tag.strip().lstrip("#") for tag in given.split(","))))


def day_from(given: str, field: str, *, end: bool = False) -> datetime | None:
    """The start (or end) of a day in UTC; None for an empty text."""
    if not given:
        return None
    try:
        day = datetime.strptime(given, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidArgument(f"{field} is a date such as 2031-05-14.", field=field) from None
    return day + timedelta(days=1, seconds=-1) if end else day


def suggestions(app: Application, actor: Actor) -> Suggestions:
    newest = app.knowledge.older(actor, ANYTHING, _SAMPLED)
    tags = {tag for entry in newest for tag in entry.content.tags}
    agents = {entry.agent for entry in newest}
    projects = {entry.content.place.project for entry in newest if entry.content.place.project}
    projects |= {project.handle for project in app.workspace.projects(actor)}
    return Suggestions(*(sorted(found)[:_MOST_HINTS] for found in (tags, agents, projects)))
