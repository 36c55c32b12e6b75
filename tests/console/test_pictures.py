"""The pictures of the docs: made here, of a book with something in it (`--update-pictures`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.console.library import PERSON, Library, Reader

Read = Callable[..., Reader]
_DOCS = Path(__file__).parents[2] / "docs" / "pictures"
_LARGEST = 300_000
_NOTES = (
    (
        "Deploys freeze on Fridays after 15:00",
        "We do not deploy on Fridays after 15:00. Exceptions need the on-call lead.",
        ("deploy", "policy"),
        "claude-code",
    ),
    (
        "Retry payments three times",
        "Retry a payment three times, one second apart.",
        ("payments",),
        "cursor",
    ),
    (
        "Retries send an idempotency key",
        """\
Retry a payment at most five times, with jitter and the same idempotency key. \
The provider keeps keys for 24 hours; never retry on a 4xx.""",
        ("payments", "retries"),
        "claude-code",
    ),
    (
        "Cache keys begin with the tenant",
        "Every cache key begins with the tenant, or one tenant reads another's prices.",
        ("caching", "tenancy"),
        "codex",
    ),
)


@pytest.fixture
def book(library: Library) -> str:
    notes = [library.note(title, body, *tags, agent=who) for title, body, tags, who in _NOTES]
    old, new = notes[1], notes[2]
    library.application.knowledge.supersede(PERSON, old.kind, old.id, new.id)
    library.application.usage.count(PERSON, [new])
    library.settle()
    return new.id


def test_pictures(
    library: Library, read: Read, book: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    light, dark = read(), read("dark")
    light.page.set_viewport_size({"width": 1180, "height": 640})
    light.goto("/?q=how+often+do+we+retry+a+payment")
    light.sees("Retries send an idempotency key")
    dark.page.set_viewport_size({"width": 1180, "height": 760})
    dark.goto(f"/knowledge/{book}")
    made = {"console-search.png": light, "console-entry.png": dark}
    for name, reader in made.items():
        reader.page.screenshot(path=tmp_path / name)
        assert (tmp_path / name).stat().st_size < _LARGEST
        if request.config.getoption("--update-pictures") and not library.given:
            _DOCS.mkdir(exist_ok=True)
            (_DOCS / name).write_bytes((tmp_path / name).read_bytes())
