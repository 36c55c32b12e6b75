"""What the console's tests stand on: a served home to fill, and a person in front of a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Dialog, Error, Locator, Page

from commonplace.access.rules import NewToken
from commonplace.application import Application
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.entry import Entry, EntryContent, EntryKind
from tests.transports.serving import Served
from tests.waiting import patiently

# For what the page or the browser does, whatever the store: a browser costs most of such a test.
ONE_LIBRARY = pytest.mark.parametrize("library", ["sqlite"], indirect=True)
ORG = "local"
PERSON = Actor(ORG, "tests", ALL_SCOPES, "tests")
# A page that says no is loaded with that status, which a browser also tells its console.
_STATUS = re.compile(r"Failed to load resource: the server responded with a status of \d+")


@dataclass(frozen=True)
class Library:
    application: Application
    server: Served
    given: dict[str, str]

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.server.port}"

    def way_in(self) -> str:
        """A link where there are some, else the page that asks for a token."""
        if self.given:
            return "/"
        return f"{self.origin}/login?code={self.application.access.new_link()}"

    def enter(self, page: Page) -> None:
        if self.given:
            page.get_by_label("Token").fill(self.token())
            page.get_by_role("button", name="Sign in").click()
        page.get_by_role("navigation", name="Sections").wait_for()

    def token(self, scopes: frozenset[Scope] = ALL_SCOPES, agent: str = "ada") -> str:
        return self.application.access.create(PERSON, NewToken(ORG, agent, scopes)).text

    def note(self, title: str, body: str, *tags: str, agent: str = "claude", **more: Any) -> Entry:
        content = EntryContent(title, body, tags=tags, **more)
        actor = replace(PERSON, agent=agent, client=f"{agent}-client")
        return self.application.knowledge.add(actor, EntryKind.NOTE, content)

    def settle(self) -> None:
        """Wait until the server has embedded all that was written."""
        for _ in patiently():
            status = self.application.status.of_org(PERSON)
            if not status.chunks.pending:
                return
        raise AssertionError("chunks still wait")

    def current(self, id: str) -> Entry:
        return self.application.knowledge.get(PERSON, id).entry


def _accept(dialog: Dialog) -> None:
    dialog.accept()


@dataclass
class Reader:
    """A person in front of one tab; whatever the browser complains of is remembered."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", self._complain)
        self.page.on("dialog", _accept)

    def leave(self) -> None:
        """The tab is somebody else's from now on."""
        self.page.remove_listener("console", self._hear)
        self.page.remove_listener("pageerror", self._complain)
        self.page.remove_listener("dialog", _accept)

    def _complain(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _STATUS.match(message.text):
            self.complaints.append(message.text)

    def goto(self, path: str) -> int:
        answer = self.page.goto(path)
        assert answer is not None
        return answer.status

    def is_in(self) -> None:
        """Wait until the page says which sections there are."""
        self.page.get_by_role("navigation", name="Sections").wait_for()

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button, exact=True).first.click()

    def follow(self, link: str) -> None:
        self.page.get_by_role("link", name=link, exact=True).first.click()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)

    def sees(self, text: str) -> Locator:
        """Wait until the page shows it."""
        found = self.page.get_by_text(text).filter(visible=True).first
        found.wait_for()
        return found

    def titles(self) -> list[str]:
        return self.page.locator("[data-row] h2").all_inner_texts()
