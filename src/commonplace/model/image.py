"""The image of an entry that the record of changes keeps, and how to read content back from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.model.entry import Entry, EntryContent, Place, Visibility
from commonplace.model.times import from_micros, to_micros


def image_of(entry: Entry) -> dict[str, Any]:
    content = entry.content
    return {
        "title": content.title,
        "body": content.body,
        "tags": list(content.tags),
        "visibility": content.visibility.value,
        "workspace": content.place.workspace,
        "space": content.place.space,
        "project": content.place.project,
        "resource": content.place.resource,
        "confidence": content.confidence,
        "expires_at": to_micros(content.expires_at),
        "attributes": dict(content.attributes),
        "category": content.category,
        "domain": content.domain,
        "deleted_at": to_micros(entry.deleted_at),
        "superseded_by": entry.superseded_by,
        "head": entry.head,
    }


def content_of_image(image: Mapping[str, Any]) -> EntryContent:
    return EntryContent(
        title=image["title"],
        body=image["body"],
        tags=tuple(image["tags"]),
        visibility=Visibility(image["visibility"]),
        place=Place(image["workspace"], image["space"], image["project"], image.get("resource")),
        confidence=image["confidence"],
        expires_at=from_micros(image["expires_at"]),
        attributes=image["attributes"],
        category=image.get("category"),
        domain=image.get("domain"),
    )
