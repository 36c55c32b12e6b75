"""Rules for accepting a source; a refusal names the field and what is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from commonplace.errors import InvalidArgument
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.entry import Place
from commonplace.model.source import Origin, SourceScope, SourceType
from commonplace.text.gate import clean

MAX_NAME = 255
MAX_PLACE = 200
MAX_URL = 2000
MAX_PAGE = 2_000_000
_MARKDOWN = "text/markdown; charset=utf-8"


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source to be added: a URL, the bytes of a file, or a page with title and text."""

    type: SourceType
    workspace: str | None = None
    space: str | None = None
    scope: SourceScope | None = None
    name: str | None = None
    url: str = ""
    file_name: str = ""
    data: bytes = b""
    media_type: str = ""
    title: str = ""
    text: str = ""


def scope_of(new: NewSource) -> SourceScope:
    """The given scope, else the narrowest one that the given places allow."""
    if new.scope is not None:
        return new.scope
    return SourceScope.SPACE if new.space else SourceScope.WORKSPACE


def place_of(new: NewSource, scope: SourceScope) -> Place:
    if scope is SourceScope.SYSTEM:
        return Place()
    workspace = _place_name(new.workspace, "workspace", scope)
    if scope is SourceScope.WORKSPACE:
        return Place(workspace)
    return Place(workspace, _place_name(new.space, "space", scope))


def _place_name(given: str | None, field: str, scope: SourceScope) -> str:
    if not given or not given.strip():
        raise InvalidArgument(f"A source of scope {scope.value} needs a {field}.", field=field)
    return clean(given, field=field, max_chars=MAX_PLACE)


def name_of(new: NewSource) -> str:
    """The given name, else the title, the file name or the address."""
    name = new.name if new.name is not None else new.title or new.file_name or new.url
    name = " ".join(clean(name, field="name", max_chars=MAX_NAME).split())
    if not name:
        field = "title" if new.name is None and new.type is SourceType.PAGE else "name"
        raise InvalidArgument(f"{field} must not be empty.", field=field)
    return name


def checked_url(url: str) -> str:
    url = clean(url.strip(), field="url", max_chars=MAX_URL)
    try:
        split = urlsplit(url)
    except ValueError:
        split = urlsplit("")
    if split.scheme not in ("http", "https") or not split.hostname:
        raise InvalidArgument("url must begin with http:// or https://.", field="url")
    return url


def page_text(title: str, text: str) -> str:
    """A page as Markdown, with its title as the first heading, exactly once."""
    heading = " ".join(clean(title, field="title", max_chars=MAX_NAME).split())
    if not heading:
        raise InvalidArgument("title must not be empty.", field="title")
    body = clean(text, field="text", max_chars=MAX_PAGE)
    first = body.lstrip().partition("\n")[0]
    return body if " ".join(first.split()) == f"# {heading}" else f"# {heading}\n\n{body}"


def origin_of(new: NewSource) -> tuple[Origin, bytes | None]:
    """Where a source comes from, and its bytes if they were uploaded."""
    if new.type is SourceType.URL:
        return Origin(new.type, checked_url(new.url)), None
    if new.type is SourceType.PAGE:
        data, media_type = page_text(new.title, new.text).encode(), _MARKDOWN
        locator = " ".join(new.title.split())
    else:
        data, media_type, locator = new.data, new.media_type, new.file_name
    return Origin(new.type, locator, sha256(data).hexdigest(), media_type), data


def acting_in(actor: Actor, scope: SourceScope) -> Actor:
    """The actor that writes: system sources belong to no org. Permissions were checked before."""
    if scope is not SourceScope.SYSTEM:
        return actor
    return Actor(SYSTEM_ORG, actor.agent, actor.scopes, actor.client)
