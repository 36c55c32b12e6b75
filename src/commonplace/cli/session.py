"""What most commands need: the application, the person who acts, and ids resolved by prefix."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from commonplace.application import Application
from commonplace.bootstrap import running_application
from commonplace.errors import InvalidArgument
from commonplace.logs import start_logging
from commonplace.model.actor import Actor
from commonplace.model.references import ReferenceKind, parse_reference
from commonplace.settings import load_settings

CLIENT = "cli"
# A shorter prefix would match by accident.
SHORTEST_ID = 4
MOST_NAMED = 5
MOST_REVIEWS = 1000


@dataclass(frozen=True, slots=True)
class CommandSession:
    """The application and the actor of one command."""

    application: Application
    actor: Actor

    def entry_id(self, given: str) -> str:
        """The id of an entry, given by a prefix of it or by its reference."""
        named = id_prefix(given)
        return self._known(named) or self._known(id_prefix(given.lower())) or named

    def _known(self, given: str) -> str:
        """The id that begins with a prefix; empty if there is none."""
        found = self.application.knowledge.ids_beginning(self.actor, given, MOST_NAMED + 1)
        return resolve_id(given, found) if found else ""

    def source_id(self, given: str) -> str:
        sources = self.application.documents.in_reach(self.actor, None)
        return resolve_id(id_prefix(given), [source.id for source in sources])

    def attachment_id(self, given: str) -> str:
        from commonplace.workspace.projects.scope import EVERYTHING

        attached = self.application.workspace.view(self.actor, EVERYTHING).attached
        return resolve_id(given, [one.attachment.id for one in attached])

    def token_id(self, given: str) -> str:
        tokens = self.application.access.tokens(self.actor, [])
        return resolve_id(given, [token.id for token in tokens])

    def review_id(self, given: str) -> str:
        """The id of a waiting moment, given by a prefix; decided ones need the whole id."""
        from commonplace.model.capture import ReviewStatus

        waiting, _ = self.application.reviewing.reviews(
            self.actor, ReviewStatus.WAITING, MOST_REVIEWS
        )
        return resolve_id(id_prefix(given), [review.id for review in waiting])


def id_prefix(given: str) -> str:
    """The id in a reference such as `note:1a2b3c4d5e`, or the text itself if it is none."""
    is_reference = any(given.lower().startswith(f"{kind.value}:") for kind in ReferenceKind)
    return parse_reference(given).beginning if is_reference else given


def resolve_id(given: str, known: Sequence[str]) -> str:
    """The one known id that begins with a text; the text itself if none does.

    An unknown id is passed on, so that the service reports it as not found.
    """
    matching = sorted(id for id in known if id.startswith(given))
    if given in matching or len(given) < SHORTEST_ID or not matching:
        return given
    if len(matching) > 1:
        listed = ", ".join(matching[:MOST_NAMED])
        raise InvalidArgument(f"Several ids begin with {given}: {listed}.", field="id")
    return matching[0]


@contextmanager
def command_session() -> Iterator[CommandSession]:
    settings = load_settings()
    start_logging(settings.log_level)
    with running_application(settings) as application:
        yield CommandSession(application, application.person(CLIENT))


def text_from(body: str | None, file: str | None) -> str | None:
    """The body from an argument, a file, or standard input (`-`); None if none is given."""
    if body is not None and file is not None:
        raise InvalidArgument("Give the body as an argument or as --file, not both.", field="body")
    if body == "-" or file == "-":
        return _decoded(sys.stdin.buffer.read() if sys.stdin else b"", "Standard input")
    if file is None:
        return body
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"The file cannot be read: {reason}.", field="file") from None
    return _decoded(data, "The file")


def _decoded(data: bytes, what: str) -> str:
    """Decode UTF-8, with or without a byte order mark, whatever the locale is."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidArgument(f"{what} is not UTF-8 text.", field="file") from None
