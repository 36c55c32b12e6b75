"""References to the hits of a workspace search or a code map, for the activity log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from commonplace.model.entry import Entry
from commonplace.model.references import of_entry
from commonplace.model.workspace import Attached, Project
from commonplace.workspace.projects.filing import file_reference
from commonplace.workspace.search.code_map import CodeMap, MapHit
from commonplace.workspace.search.request import WorkspaceSearchResult
from commonplace.workspace.search.sources import Sourced

Projects = Mapping[str, Project]


def search_references(result: WorkspaceSearchResult, projects: Projects) -> tuple[str, ...]:
    return _once(
        _reference(one.source, one.hit.entry, one.hit.chunk.metadata.path, projects)
        for one in result.hits
    )


def map_references(mapped: CodeMap, projects: Projects) -> tuple[str, ...]:
    places = [place for group in mapped.groups.shown.values() for place in group]
    return _once(
        _reference(place.source, place.hit.entry if place.hit else None, _path(place), projects)
        for place in places
    )


def _path(place: MapHit) -> str | None:
    if place.hit:
        return place.hit.chunk.metadata.path
    return place.sighting.path if place.sighting else None


def _reference(
    source: Sourced, entry: Entry | None, path: str | None, projects: Projects
) -> str | None:
    if entry is not None:
        return str(of_entry(entry.kind, entry.id))
    owner = projects.get(source.effective.project_id or "")
    attached = Attached(source.effective, source.resource)
    return str(file_reference(attached, owner, path)) if path else None


def _once(references: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, references)))
